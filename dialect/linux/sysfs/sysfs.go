package sysfs

import (
	"strings"

	"seaworthy/dialect"
	"seaworthy/dialect/layout"
)

// Files is what grep printed of several files.
type Files struct {
	dialect.Report
	Lines  []*Line      `json:"lines"`
	Layout layout.Sheet `json:"-"`
}

// Line is one line of a file.
type Line struct {
	Path   string   `json:"path"`
	Value  string   `json:"value"`
	Number int      `json:"-"` // 1-based line of the output; 0 if not read from a text
	Before []string `json:"-"` // lines that stood before it
	Tail   string   `json:"-"` // blanks behind the value
}

// Parse reads path:value lines. A last line that was cut off is kept as not
// understood: half a number is a wrong one. Errors: dialect.ErrNotRecognised if
// no line is of a file.
func Parse(text []byte) (*Files, error) {
	if len(text) > dialect.MaxText {
		return nil, dialect.ErrNotRecognised
	}
	f := &Files{}
	r := layout.NewReader(text, &f.Report)
	for {
		line, ok := r.Next()
		if !ok {
			break
		}
		path, value, found := strings.Cut(line, ":")
		switch {
		case strings.TrimSpace(line) == "":
			r.Keep()
		case !found || r.Cut() || !strings.HasPrefix(path, "/") || strings.ContainsAny(path, " \t"):
			r.Unread()
		default:
			plain := strings.TrimRight(value, " \t")
			f.Lines = append(f.Lines, &Line{Path: path, Value: plain, Number: r.Number(), Before: r.Held(), Tail: value[len(plain):]})
		}
	}
	f.Layout = r.Sheet()
	if f.Lines == nil {
		return nil, dialect.ErrNotRecognised
	}
	return f, nil
}

// Format prints Files as Parse read them.
func Format(f *Files) []byte {
	var lines []string
	for _, l := range f.Lines {
		lines = append(append(lines, l.Before...), l.Path+":"+l.Value+l.Tail)
	}
	return f.Layout.Join(lines)
}

// Below lists the lines of files below a folder, with their paths from there.
// A file of several lines is there once a line.
func (f *Files) Below(folder string) []Line {
	var out []Line
	for _, l := range f.Lines {
		if rest, ok := strings.CutPrefix(l.Path, strings.TrimSuffix(folder, "/")+"/"); ok {
			x := *l
			x.Path = rest
			out = append(out, x)
		}
	}
	return out
}
