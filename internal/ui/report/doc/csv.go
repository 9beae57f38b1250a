package doc

import (
	"bytes"
	"encoding/csv"
	"errors"
	"io"
	"slices"

	"seaworthy/internal/ui/report/quote"
)

// ErrNoTable is returned by WriteCSV for a document without a table.
var ErrNoTable = errors.New("this result has no table; -f table, md or json print it")

// WriteCSV writes the tables of a document as comma-separated values (RFC 4180, with
// line feeds). The first column names the table. Tables with the same columns share one
// header; before any other one stands a blank line. Unknown values are empty fields.
func WriteCSV(w io.Writer, d *Document) error {
	tables := tablesIn(d.Blocks)
	if len(tables) == 0 {
		return ErrNoTable
	}
	var out bytes.Buffer
	to := csv.NewWriter(&out)
	var before []string
	for _, t := range tables {
		head := csvHead(t)
		if !slices.Equal(head, before) {
			if before != nil {
				to.Flush()
				out.WriteByte('\n')
			}
			if err := to.Write(head); err != nil {
				return err
			}
			before = head
		}
		for _, row := range csvRows(t) {
			if err := to.Write(row); err != nil {
				return err
			}
		}
	}
	to.Flush()
	if err := to.Error(); err != nil {
		return err
	}
	_, err := w.Write(out.Bytes())
	return err
}

// tablesIn are the tables that programs read, those of folded parts too.
func tablesIn(blocks []Block) []*Table {
	var out []*Table
	for _, b := range blocks {
		switch b := b.(type) {
		case *Table:
			if b.Media.has(Data) {
				out = append(out, b.on(Data))
			}
		case Fold:
			out = append(out, tablesIn(b.Blocks)...)
		case Only:
			if b.Media.has(Data) {
				out = append(out, tablesIn(b.Blocks)...)
			}
		}
	}
	return out
}

func csvHead(t *Table) []string {
	head := []string{"table"}
	if t.GroupedBy != "" {
		head = append(head, t.GroupedBy)
	}
	for _, c := range t.Columns {
		if c.Interval {
			head = append(head, quote.CSV(c.Key+" low"), quote.CSV(c.Key+" high"))
			continue
		}
		if c.Key != "" {
			c.Name = c.Key
		}
		head = append(head, quote.CSV(c.title()))
	}
	return head
}

// csvRows has the rows of values, each with the group it is in.
func csvRows(t *Table) [][]string {
	var out [][]string
	group := ""
	for _, r := range t.Rows {
		switch r.Kind {
		case Group:
			group = r.Cells[0].Text
		case Values:
			row := []string{quote.CSV(t.Name)}
			if t.GroupedBy != "" {
				row = append(row, quote.CSV(group))
			}
			for i, c := range r.Cells {
				row = append(row, csvFields(t.Columns[i], c)...)
			}
			out = append(out, row)
		case Note: // for people
		}
	}
	return out
}

func csvFields(of Column, c Cell) []string {
	switch {
	case of.Interval:
		return []string{quote.CSVNumber(c.Low), quote.CSVNumber(c.High)}
	case of.Right:
		return []string{quote.CSVNumber(c.Text)}
	}
	return []string{quote.CSV(c.Text)}
}
