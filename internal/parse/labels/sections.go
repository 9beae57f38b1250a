package labels

import "strings"

// sections is the stack of headings above a line.
type sections struct {
	major string
	minor []minor
	path  string // all of them joined
}

// minor is a heading inside a major section.
type minor struct {
	name   string
	indent int
	flat   bool // its lines are not indented: it holds until the next heading
}

// setMajor opens a section that ends all others.
func (s *sections) setMajor(name string) { *s = sections{major: name, minor: s.minor[:0], path: name} }

func (s *sections) openMinor(m minor) {
	s.cut(func(top minor) bool { return top.indent >= m.indent })
	s.minor = append(s.minor, m)
	s.join()
}

// closeAt ends the headings that are no longer above a line of this indent.
func (s *sections) closeAt(indent int) {
	s.cut(func(top minor) bool { return !top.flat && indent <= top.indent })
}

// blank ends the state blocks of a port: in a text without indentation what
// follows them looks like a part of them.
func (s *sections) blank() {
	s.cut(func(top minor) bool { return top.flat && HasSuffix(top.name, "state") })
}

// cut takes headings off the stack while they have ended.
func (s *sections) cut(ended func(minor) bool) {
	n := len(s.minor)
	for n > 0 && ended(s.minor[n-1]) {
		n--
	}
	if n < len(s.minor) {
		s.minor = s.minor[:n]
		s.join()
	}
}

func (s *sections) join() {
	var names []string
	if s.major != "" {
		names = append(names, s.major)
	}
	for _, m := range s.minor {
		names = append(names, m.name)
	}
	s.path = strings.Join(names, " / ")
}
