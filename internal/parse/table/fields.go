package table

import (
	"reflect"
	"slices"
	"strings"

	"seaworthy/internal/parse"
)

// Fields is the argument of -F of lsattr and lsdev: column names with what
// separates them, which also gives the shape of the lines. With blanks between
// the names the command prints aligned columns.
type Fields struct {
	Names []string `json:"names"`
	Seps  []string `json:"seps"` // after each name; the last may be empty
}

// column is a name of a column, and what separates it from the next.
var column = parse.Lazy(`(\w+)(\W*)`)

// ParseFields reads an argument of -F: "name:type:description", "name status".
func ParseFields(format string) Fields {
	var f Fields
	for _, m := range column.Regexp().FindAllStringSubmatch(strings.TrimSpace(format), -1) {
		f.Names, f.Seps = append(f.Names, m[1]), append(f.Seps, m[2])
	}
	return f
}

// Aligned reports whether the columns are padded: blanks separate the names.
func (f Fields) Aligned() bool {
	for i, sep := range f.Seps {
		if i < len(f.Names)-1 && strings.TrimSpace(sep) != "" {
			return false
		}
	}
	return true
}

// Heads reports whether a line is this list as a heading, and nothing else: the
// command knows every column.
func (f Fields) Heads(line string, known []string) bool {
	if f.Aligned() && len(Words(line)) != len(f.Names) {
		return false
	}
	return len(f.Names) > 0 && !slices.ContainsFunc(f.Names, func(n string) bool { return !slices.Contains(known, n) })
}

// Split cuts a line at the separators. A line with more separators than names
// has one value that holds some: give is the column that may, and the parts
// around it must be whole; extra is how many it holds. Values are nil if the
// parts cannot be separated.
func (f Fields) Split(line string, give int) (values []string, extra int) {
	last := len(f.Names) - 1
	if last < 0 {
		return nil, 0
	}
	line, ok := strings.CutSuffix(line, f.Seps[last])
	if !ok {
		return nil, 0
	}
	if give < 0 || give > last {
		give = last
	}
	values = make([]string, last+1)
	for i := range give {
		values[i], line, ok = strings.Cut(line, f.Seps[i])
		if !ok {
			return nil, 0
		}
	}
	for i := last; i > give; i-- {
		n := strings.LastIndex(line, f.Seps[i-1])
		if n < 0 {
			return nil, 0
		}
		values[i], line = line[n+len(f.Seps[i-1]):], line[:n]
	}
	values[give] = line
	if last > 0 && f.Seps[0] != "" {
		extra = strings.Count(line, f.Seps[0])
	}
	return values, extra
}

// Align pads the cells of rows to columns as wide as their widest cell, one
// blank between, as lsattr and lsdev do.
func Align(rows [][]string) []string {
	var widths []int
	for _, r := range rows {
		for i, v := range r {
			if i == len(widths) {
				widths = append(widths, 0)
			}
			widths[i] = max(widths[i], len([]rune(v)))
		}
	}
	lines := make([]string, len(rows))
	for i, r := range rows {
		var b strings.Builder
		for k, v := range r {
			b.WriteString(v)
			if k < len(r)-1 {
				b.WriteString(strings.Repeat(" ", widths[k]-len([]rune(v))+1))
			}
		}
		lines[i] = b.String()
	}
	return lines
}

// Set gives the field of a row that is tagged with a column's name the column's value, or
// other if none is.
func Set(row any, other *map[string]string, column, value string) {
	for name, to := range parse.Tagged(row) {
		if field := reflect.ValueOf(to).Elem(); name == column && field.Kind() == reflect.Pointer {
			field.Set(reflect.ValueOf(&value))
			return
		} else if name == column {
			field.SetString(value)
			return
		}
	}
	if value != "" {
		if *other == nil {
			*other = map[string]string{}
		}
		(*other)[column] = value
	}
}
