package report

import (
	"fmt"

	"seaworthy/internal/app/export"
	"seaworthy/internal/ui/report/doc"
)

// Exported says what was written as Parquet files.
func Exported(d *Document, e *export.Exported) {
	d.Line("%s: tables of %s", e.Dir, e.From)
	t := doc.NewTable("tables", doc.Left("table"), doc.Right("rows"), doc.Right("files"), doc.Right("MB"))
	for _, x := range e.Tables {
		t.Add(x.Name, x.Rows, x.Files, fmt.Sprintf("%.3f", float64(x.Bytes)/1e6))
	}
	d.Table(t)
	for _, why := range e.Lacking {
		d.Entry(doc.Styled(doc.Warn, "NO COUNTERS"), why)
	}
	if e.More > 0 {
		d.Line("%d more snapshots have no counters.", e.More)
	}
}
