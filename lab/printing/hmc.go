package printing

import (
	"strings"

	"seaworthy/internal/parse/aix/hmc"
)

// Columns are those that -F asks for.
type Columns struct {
	Names     []string
	Separator string // between the names and the values, as they were asked for
	Header    bool   // --header
}

// ColumnsOf takes the operand of -F apart; false if it is not a list of names.
func ColumnsOf(list string, header bool) (Columns, bool) {
	names, separator, ok := hmc.ColumnNames(list)
	return Columns{Names: names, Separator: separator, Header: header}, ok
}

// FormatHMC prints records as an HMC does: every field with its name or, with columns, their values
// alone. A record without one of them has null there.
func FormatHMC(records []hmc.Record, c *Columns) []byte {
	var b strings.Builder
	if c != nil && c.Header {
		b.WriteString(strings.Join(c.Names, c.Separator) + "\n")
	}
	for i := range records {
		r := &records[i]
		if c == nil {
			for k, f := range r.Fields {
				writeField(&b, k, ",", f.Name+"="+f.Value)
			}
		} else {
			for k, name := range c.Names {
				v, ok := r.Get(name)
				if !ok {
					v = "null"
				}
				writeField(&b, k, c.Separator, v)
			}
		}
		b.WriteByte('\n')
	}
	return []byte(b.String())
}

// writeField quotes what holds the separator, a quote or a line's end.
func writeField(b *strings.Builder, k int, separator, text string) {
	if k > 0 {
		b.WriteString(separator)
	}
	if strings.ContainsAny(text, separator+"\"\n") {
		text = `"` + strings.ReplaceAll(text, `"`, `""`) + `"`
	}
	b.WriteString(text)
}
