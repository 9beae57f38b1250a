// Package sysfs reads small files of /sys and /proc as grep prints several of
// them: "/sys/class/net/eth0/mtu:1500", one line of a file a line.
//
// A file that cannot be read, such as the speed of a device that is down, is
// left out by grep -s; what is not there is not known.
package sysfs

import (
	"strings"

	"seaworthy/internal/parse"
)

// Files is what grep printed of several files.
type Files struct {
	parse.Report
	Lines []*Line `json:"lines"`
}

// Line is one line of a file.
type Line struct {
	Path   string `json:"path"`
	Value  string `json:"value"`
	Number int    `json:"-"` // 1-based line of the output
}

// Parse reads path:value lines. A last line that was cut off is not understood:
// half a number is a wrong one. Errors: parse.ErrNotRecognised if no line is
// of a file.
func Parse(text []byte) (*Files, error) {
	f := &Files{}
	f.ReadWhole(text, func(l parse.Line) bool {
		path, value, found := strings.Cut(l.Text, ":")
		if !found || !strings.HasPrefix(path, "/") || strings.ContainsAny(path, " \t") {
			return false
		}
		f.Lines = append(f.Lines, &Line{Path: path, Value: strings.TrimRight(value, " \t"), Number: l.Number})
		return true
	})
	return parse.Recognised(f, f.Lines != nil)
}

// Below lists the lines of files below a folder, with their paths from there.
// A file of several lines is there once a line.
func (f *Files) Below(folder string) []Line {
	var out []Line
	for _, l := range f.Lines {
		if rest, ok := strings.CutPrefix(l.Path, strings.TrimSuffix(folder, "/")+"/"); ok {
			out = append(out, Line{Path: rest, Value: l.Value, Number: l.Number})
		}
	}
	return out
}
