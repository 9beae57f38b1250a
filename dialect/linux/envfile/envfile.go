package envfile

import (
	"strings"

	"seaworthy/dialect"
	"seaworthy/dialect/layout"
)

// File is one file.
type File struct {
	dialect.Report
	Items  []*Item      `json:"items"`
	Layout layout.Sheet `json:"-"`
}

// Item is one assignment.
type Item struct {
	Key    string   `json:"key"`
	Value  string   `json:"value"` // without quotes
	Number int      `json:"-"`     // 1-based line; 0 if not read from a text
	Before []string `json:"-"`     // comments, blank and unknown lines
	Quote  string   `json:"-"`     // as printed: ", ' or none
	Lead   string   `json:"-"`
	Tail   string   `json:"-"`
}

var assignment = dialect.Lazy(`^([A-Za-z_][A-Za-z0-9_]*)=(.*)$`)

// version is the first line of lparcfg.
var version = dialect.Lazy(`^lparcfg [0-9.]+$`)

// Parse reads KEY=value lines. A last line that was cut off is kept as not
// understood, and so is a value whose closing quote is missing. Errors:
// dialect.ErrNotRecognised if no line is an assignment.
func Parse(text []byte) (*File, error) {
	if len(text) > dialect.MaxText {
		return nil, dialect.ErrNotRecognised
	}
	f := &File{}
	r := layout.NewReader(text, &f.Report)
	for {
		line, ok := r.Next()
		if !ok {
			break
		}
		lead, body, tail := layout.Trim(line)
		if body == "" || strings.HasPrefix(body, "#") || version.MatchString(body) {
			r.Keep()
			continue
		}
		m := assignment.FindStringSubmatch(body)
		if m == nil || r.Cut() {
			r.Unread()
			continue
		}
		value, quote, ok := unquote(m[2])
		if !ok {
			r.Unread()
			continue
		}
		f.Items = append(f.Items, &Item{Key: m[1], Value: value, Number: r.Number(), Before: r.Held(), Quote: quote, Lead: lead, Tail: tail})
	}
	f.Layout = r.Sheet()
	if f.Items == nil {
		return nil, dialect.ErrNotRecognised
	}
	return f, nil
}

// unquote takes the quotes off; false if one of the two is missing.
func unquote(s string) (value, quote string, ok bool) {
	if s == "" || s[0] != '"' && s[0] != '\'' {
		return s, "", true
	}
	if len(s) < 2 || s[len(s)-1] != s[0] {
		return "", "", false
	}
	return s[1 : len(s)-1], s[:1], true
}

// Format prints a File as Parse read it.
func Format(f *File) []byte {
	var lines []string
	for _, i := range f.Items {
		lines = append(append(lines, i.Before...), i.Lead+i.Key+"="+i.Quote+i.Value+i.Quote+i.Tail)
	}
	return f.Layout.Join(lines)
}

// Find is the last assignment of a key, which is the one in force, or nil.
func (f *File) Find(key string) *Item {
	for i := len(f.Items) - 1; i >= 0; i-- {
		if f.Items[i].Key == key {
			return f.Items[i]
		}
	}
	return nil
}
