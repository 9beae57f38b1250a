package printing

import (
	"reflect"
	"strings"

	"seaworthy/internal/parse"
	"seaworthy/internal/parse/table"
)

// formatRows gives the rows of a listing as lines.
func formatRows(f table.Fields, rows [][]string) []string {
	if f.Aligned() {
		return table.Align(rows)
	}
	lines := make([]string, len(rows))
	for i, r := range rows {
		for k, v := range r {
			lines[i] += v
			if k < len(f.Seps) {
				lines[i] += f.Seps[k]
			}
		}
	}
	return lines
}

// formatList prints n rows of named cells; a heading has a blank line below it.
func formatList(f table.Fields, heading bool, n int, cell func(i int, name string) string) []byte {
	var rows [][]string
	if heading {
		rows = append(rows, f.Names)
	}
	for i := range n {
		var row []string
		for _, name := range f.Names {
			row = append(row, cell(i, name))
		}
		rows = append(rows, row)
	}
	lines := formatRows(f, rows)
	if heading {
		lines[0] += "\n"
	}
	if lines == nil {
		return nil
	}
	return []byte(strings.Join(lines, "\n") + "\n")
}

// cellOf is the value of the column that is a tagged field of row, or one of the other columns.
func cellOf(row any, other map[string]string, column string) string {
	for name, to := range parse.Tagged(row) {
		if field := reflect.Indirect(reflect.ValueOf(to).Elem()); name == column && field.IsValid() {
			return field.String()
		}
	}
	return other[column]
}
