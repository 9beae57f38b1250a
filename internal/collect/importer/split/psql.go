package split

import (
	"slices"
	"strings"

	"seaworthy/internal/parse"
)

var (
	// recordHead begins a record of psql's expanded form.
	recordHead = parse.Lazy(`^-\[ RECORD \d+ \][-+]*$`)
	// recordField is a field of a record, or a further line of the one above where its name is empty.
	recordField = parse.Lazy(`^ *([\w ./-]*?) *\| ?(.*)$`)
)

// mostBefore is how many lines may stand before the first record: a query, a title.
const mostBefore = 10

// fromRecords are the records of psql -x; nil if a text is none.
func fromRecords(text []byte) (rows []row) {
	name := ""
	for i, l := range split(text) {
		b := strings.TrimRight(l, "\r\n")
		switch {
		case recordHead.MatchString(strings.TrimSpace(b)):
			if len(rows) == maxPieces {
				return rows
			}
			rows = append(rows, row{fields: map[string]any{}, lines: map[string]int{}})
			name = ""
		case len(rows) == 0 && i > mostBefore:
			return nil
		case len(rows) > 0:
			name = rows[len(rows)-1].read(b, i+1, name)
		}
	}
	return rows
}

// read reads a line of a record, below one of the field above, and gives the field that it is of.
func (r *row) read(line string, number int, above string) (name string) {
	m := recordField.FindStringSubmatch(line)
	if m == nil {
		return above
	}
	value := m[2]
	if bare, more := strings.CutSuffix(value, "+"); more { // the field goes on
		value = strings.TrimRight(bare, " ")
	}
	if m[1] == "" {
		if had, some := r.fields[above].(string); some {
			r.fields[above] = had + "\n" + value
		}
		return above
	}
	name = strings.ToLower(m[1])
	r.fields[name] = value
	r.lines[name] = number
	if slices.Contains(outputFields, name) {
		r.line = number
	}
	return name
}
