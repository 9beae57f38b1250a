// Package sysctl reads Linux sysctl output: "name = value" lines.
package sysctl

import (
	"strings"

	"seaworthy/internal/parse"
)

// Settings is the output of sysctl -a or sysctl NAME.
type Settings struct {
	parse.Report
	Settings []*Setting `json:"settings"`
}

// Setting is one kernel setting.
type Setting struct {
	Name  string `json:"name"`  // net.ipv4.tcp_rmem
	Value string `json:"value"` // as printed; TABs between the numbers of a vector
}

var line = parse.Lazy(`^\s*([A-Za-z0-9_./:@*-]+)\s*=\s?(.*?)\s*$`)

// Parse reads sysctl output. Errors: parse.ErrNotRecognised if no line is a
// setting.
func Parse(text []byte) (*Settings, error) {
	s := &Settings{}
	s.ReadWhole(text, func(l parse.Line) bool {
		if strings.HasPrefix(l.Text, "sysctl: ") {
			s.Warn(l.Number, "an error message: "+l.Text)
			return true
		}
		x := &Setting{}
		ok := line.Scan(l.Text, &x.Name, &x.Value) && strings.ContainsAny(x.Name, "./")
		if ok {
			s.Settings = append(s.Settings, x)
		}
		return ok
	})
	return parse.Recognised(s, s.Settings != nil)
}
