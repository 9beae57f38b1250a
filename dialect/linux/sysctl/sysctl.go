package sysctl

import (
	"strings"

	"seaworthy/dialect"
	"seaworthy/dialect/layout"
)

// Settings is the output of sysctl -a or sysctl NAME.
type Settings struct {
	dialect.Report
	Settings []*Setting   `json:"settings"`
	Layout   layout.Sheet `json:"-"`
}

// Setting is one kernel setting.
type Setting struct {
	Name   string `json:"name"`  // net.ipv4.tcp_rmem
	Value  string `json:"value"` // as printed; TABs between the numbers of a vector
	Layout Layout `json:"-"`
}

// Layout is how a line was printed.
type Layout struct {
	Before          []string
	Lead, sep, Tail string
}

var (
	line    = dialect.Lazy(`^([A-Za-z0-9_./:@*-]+)(\s*=\s?)(.*)$`)
	message = dialect.Lazy(`^sysctl: `)
)

// Parse reads sysctl output. Errors: dialect.ErrNotRecognised if no line is a
// setting.
func Parse(text []byte) (*Settings, error) {
	if len(text) > dialect.MaxText {
		return nil, dialect.ErrNotRecognised
	}
	s := &Settings{}
	r := layout.NewReader(text, &s.Report)
	for {
		text, ok := r.Next()
		if !ok {
			break
		}
		lead, body, tail := layout.Trim(text)
		m := line.FindStringSubmatch(body)
		switch {
		case body == "":
			r.Keep()
		case message.MatchString(body):
			r.Warn("a message among the settings: " + body)
			r.Unread()
		case m != nil && strings.ContainsAny(m[1], "./"):
			x := &Setting{Name: m[1], Value: m[3], Layout: Layout{Before: r.Held(), Lead: lead, sep: m[2], Tail: tail}}
			if m[3] == "" {
				x.Layout.sep, x.Layout.Tail = m[2]+tail, ""
			}
			s.Settings = append(s.Settings, x)
		default:
			r.Unread()
		}
	}
	s.Layout = r.Sheet()
	if s.Settings == nil {
		return nil, dialect.ErrNotRecognised
	}
	return s, nil
}

// Format prints Settings as Parse read them, new ones as "name = value".
func Format(s *Settings) []byte {
	var lines []string
	for _, x := range s.Settings {
		l := x.Layout
		if l.sep == "" {
			l.sep = " = "
		}
		lines = append(lines, l.Before...)
		lines = append(lines, l.Lead+x.Name+l.sep+x.Value+l.Tail)
	}
	return s.Layout.Join(lines)
}

// Find is the setting of that name, or nil. Dots and slashes are the same.
func (s *Settings) Find(name string) *Setting {
	for _, x := range s.Settings {
		if x.Name == name || strings.ReplaceAll(x.Name, "/", ".") == strings.ReplaceAll(name, "/", ".") {
			return x
		}
	}
	return nil
}

// Counts are the numbers of a setting: one, or the three of tcp_rmem. ok is
// false if the value is anything else.
func (x *Setting) Counts() (counts []uint64, ok bool) {
	for _, f := range strings.Fields(x.Value) {
		n, ok := layout.Count(f)
		if !ok {
			return nil, false
		}
		counts = append(counts, n)
	}
	return counts, len(counts) > 0
}
