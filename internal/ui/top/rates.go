package top

import (
	"strings"

	"seaworthy/internal/collect/live"
	"seaworthy/internal/ui/livetree"
	"seaworthy/internal/ui/report"
	"seaworthy/internal/ui/report/doc"
)

// Rates lists the rates of a frame, an element a row, below its host and system.
func Rates(d *report.Document, f *live.Frame) {
	t := doc.NewWrapped("rates", doc.Left("system").On(doc.Data), doc.Left("host").On(doc.Data),
		doc.Left("per second").Keyed("element"), doc.Right("KB in"), doc.Right("KB out"), doc.Right("packets in"),
		doc.Right("packets out"), doc.Right("drops"), doc.Right("misses"), doc.Left("").Keyed("note"))
	for _, r := range livetree.Rows(f) {
		indent := strings.Repeat("  ", r.Depth)
		if r.Element == nil {
			t.Group(doc.Indent(indent, strings.TrimRight(r.Name()+"  "+r.Note(), " ")))
			continue
		}
		row := []any{r.System.Name, r.Host.Name, doc.Indent(indent, r.Name())}
		for _, c := range r.Cells(false) {
			row = append(row, c)
		}
		t.Add(append(row, r.Note())...)
	}
	d.Table(t)
}
