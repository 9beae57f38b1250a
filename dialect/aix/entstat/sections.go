package entstat

import "strings"

// sections is the stack of headings that a line stands under.
type sections struct {
	major  string
	minor  []minor
	levels []int  // indents of the lines that the next one may stand below
	path   string // major and minor joined; built when asked for
	built  bool
}

// minor is a heading inside a major section.
type minor struct {
	name   string
	indent int
	flat   bool // its lines are not indented: it holds until the next heading
	info   int  // 1 and up: depth of one of the l-lan driver's headings, which have no colon
}

// name is the section as fields show it.
func (s *sections) name() string {
	if !s.built {
		names := make([]string, 0, 4)
		if s.major != "" {
			names = append(names, s.major)
		}
		for _, m := range s.minor {
			names = append(names, m.name)
		}
		s.path, s.built = strings.Join(names, " / "), true
	}
	return s.path
}

// setMajor opens a section that ends all others.
func (s *sections) setMajor(name string) {
	*s = sections{major: name, minor: s.minor[:0], levels: s.levels[:0]}
}

func (s *sections) open(m minor) {
	for len(s.minor) > 0 {
		top := s.minor[len(s.minor)-1]
		if m.info > 0 && top.info > 0 && top.info < m.info || m.info == 0 && top.info == 0 && top.indent < m.indent {
			break
		}
		s.drop()
	}
	s.minor = append(s.minor, m)
	s.built = false
}

func (s *sections) drop() {
	s.minor = s.minor[:len(s.minor)-1]
	s.built = false
}

// at ends the headings that a line of this indent no longer stands under. A
// line with a colon ends the l-lan driver's tables, but not the part of them it
// is printed in.
func (s *sections) at(indent int, colon bool) {
	for len(s.minor) > 0 {
		top := s.minor[len(s.minor)-1]
		if top.info == 0 && (top.flat || indent > top.indent) || top.info > 0 && (!colon || top.info == 1 && indent > top.indent) {
			return
		}
		s.drop()
	}
}

// blank ends the state blocks of a port: in a text without indentation what
// follows them looks like a part of them.
func (s *sections) blank() {
	if n := len(s.minor); n > 0 && s.minor[n-1].flat && hasSuffixFold(s.minor[n-1].name, "state") {
		s.drop()
	}
}

// level is how many less indented lines a line of this indent stands below.
func (s *sections) level(indent int) int {
	for len(s.levels) > 0 && s.levels[len(s.levels)-1] >= indent {
		s.levels = s.levels[:len(s.levels)-1]
	}
	n := len(s.levels)
	s.levels = append(s.levels, indent)
	return n
}

// infoDepth are the headings of the l-lan driver's memory tables.
var infoDepth = map[string]int{
	"hypervisor information": 1, "transmit information": 1, "receive information": 1, "i/o memory information": 1,
	"transmit buffers": 2, "receive buffers": 2, "virtual memory": 2, "i/o memory": 2,
	"history": 3,
}

// majorLabel tells headings that start a part of their own even if the rule
// below them got lost.
func majorLabel(label string) bool {
	return hasSuffixFold(label, "Specific Statistics") || hasSuffixFold(label, "Port Statistics") ||
		sameLabel(label, "General Statistics") || sameLabel(label, "Device Statistics") || sameLabel(label, "Additional Statistics") ||
		hasPrefixFold(label, "Statistics for adapters in the") || hasPrefixFold(label, "Statistics for every adapter in the")
}

// minorLabel tells headings inside a part from labels without a value.
func minorLabel(label string) bool {
	for _, end := range []string{"Statistics", "Information", "State", "Packets Received", "VLAN Ids"} {
		if hasSuffixFold(label, end) {
			return true
		}
	}
	return false
}

// numberedHeading tells labels whose number names a block of lines: a queue.
func numberedHeading(label string) bool {
	if hasSuffixFold(label, "number") && strings.Contains(strings.ToLower(label), "statistics") {
		return true
	}
	switch label[0] | 0x20 {
	case 'q', 'r', 't':
	default:
		return false // as nearly all labels
	}
	for _, known := range []string{"Queue", "Queue Number", "Receive Queue", "Transmit Queue", "Rx Queue", "Tx Queue", "RXQ", "TXQ"} {
		if sameLabel(label, known) {
			return true
		}
	}
	return false
}
