// Package envfile reads Linux files of KEY=value lines: /etc/os-release, whose
// values may be quoted, /proc/ppc64/lparcfg and the uevent files of sysfs.
package envfile

import "seaworthy/internal/parse"

// File is one file.
type File struct {
	parse.Report
	Items []*Item `json:"items"`
}

// Item is one assignment.
type Item struct {
	Name   string `json:"name"`
	Value  string `json:"value"` // without quotes
	Number int    `json:"-"`     // 1-based line
}

var (
	assignment = parse.Lazy(`^\s*([A-Za-z_][A-Za-z0-9_]*)=(.*?)\s*$`)
	ignored    = parse.Lazy(`^\s*#|^lparcfg [0-9.]+\s*$`) // comments, and the first line of lparcfg
)

// Parse reads KEY=value lines. A last line that was cut off is not understood,
// nor is a value without its closing quote. Errors: parse.ErrNotRecognised if
// no line is an assignment.
func Parse(text []byte) (*File, error) {
	f := &File{}
	f.Read(text, func(l parse.Line) bool {
		if ignored.MatchString(l.Text) {
			return true
		}
		i := &Item{Number: l.Number}
		ok := !f.CutOff(l) && assignment.Scan(l.Text, &i.Name, &i.Value)
		if ok {
			i.Value, ok = unquote(i.Value)
		}
		if ok {
			f.Items = append(f.Items, i)
		}
		return ok
	})
	return parse.Recognised(f, f.Items != nil)
}

// unquote takes the quotes off; false if one of the two is missing.
func unquote(s string) (string, bool) {
	if s == "" || s[0] != '"' && s[0] != '\'' {
		return s, true
	}
	if len(s) < 2 || s[len(s)-1] != s[0] {
		return "", false
	}
	return s[1 : len(s)-1], true
}

// Find is the last assignment of a key, which is the one in force, or nil.
func (f *File) Find(key string) *Item {
	for i := len(f.Items) - 1; i >= 0; i-- {
		if f.Items[i].Name == key {
			return f.Items[i]
		}
	}
	return nil
}
