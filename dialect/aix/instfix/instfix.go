// Package instfix reads and prints what instfix -i and instfix -ik say of
// fixes: whether all filesets of an APAR are at its level, some, or none is
// known of.
package instfix

import (
	"fmt"
	"strings"

	"seaworthy/dialect"
	"seaworthy/dialect/aix/printout"
)

// State of a fix.
type State string

const (
	All     State = "all"     // every fileset of it that is installed has it
	Some    State = "some"    // not all filesets were found at its level
	Unknown State = "unknown" // the fix database of the host does not have it
)

// Fix is one line.
type Fix struct {
	Name  string `json:"name"` // IV35154, 7200-05_AIX_ML
	State State  `json:"state"`
	Line  int    `json:"-"` // 1-based, 0 if not read from a text

	lead, tail string
	read       bool
	paint      printout.Paint
}

// List is one output.
type List struct {
	dialect.Report
	Fixes []*Fix `json:"fixes,omitempty"`

	layout printout.Layout
}

// New makes a list to print.
func New(fixes ...*Fix) *List { return &List{Fixes: fixes} }

// Get finds a fix by name; nil if it is not listed.
func (l *List) Get(name string) *Fix {
	for _, f := range l.Fixes {
		if f.Name == name {
			return f
		}
	}
	return nil
}

// sentences are what instfix says of a fix, around its name.
var sentences = []struct {
	state         State
	before, after string
}{
	{All, "All filesets for ", " were found."},
	{Some, "Not all filesets for ", " were found."},
	{Unknown, "There was no data for ", " in the fix database."},
}

var name = dialect.Lazy(`^[A-Za-z0-9][A-Za-z0-9_.-]{2,63}$`)

// Parse reads the output of instfix -i, -ik or -iqk; dialect.ErrNotRecognised
// if no line is about a fix and none is a message. A line of another language
// or a damaged one says nothing about its fix.
func Parse(text []byte) (*List, error) {
	l := &List{}
	s, err := printout.Open("instfix", text, &l.Report)
	if err != nil {
		return nil, err
	}
	l.layout = s.Layout()
	for i, line := range s.Lines {
		f := parseLine(line)
		if f == nil || s.Message[i] {
			s.Keep(&l.layout, i)
			continue
		}
		f.Line, f.read, f.paint = i+1, true, s.Paint[i]
		l.Fixes = append(l.Fixes, f)
		l.layout.Row()
	}
	if len(l.Fixes)+s.Messages == 0 {
		return nil, fmt.Errorf("instfix: %w", dialect.ErrNotRecognised)
	}
	return l, nil
}

func parseLine(line string) *Fix {
	body := strings.TrimLeft(line, " \t")
	lead := line[:len(line)-len(body)]
	trimmed := strings.TrimRight(body, " \t\r")
	for _, x := range sentences {
		rest, ok := strings.CutPrefix(trimmed, x.before)
		if !ok {
			continue
		}
		if n, ok := strings.CutSuffix(rest, x.after); ok && name.MatchString(n) {
			return &Fix{Name: n, State: x.state, lead: lead, tail: body[len(trimmed):]}
		}
	}
	return nil
}

// Format prints a list.
func Format(l *List) []byte {
	return l.layout.Print(len(l.Fixes), func(i int) string {
		f := l.Fixes[i]
		lead := f.lead
		if !f.read {
			lead = "    "
		}
		for _, x := range sentences {
			if x.state == f.State {
				return f.paint.On(lead + x.before + f.Name + x.after + f.tail)
			}
		}
		return f.paint.On(lead + f.Name + f.tail)
	})
}
