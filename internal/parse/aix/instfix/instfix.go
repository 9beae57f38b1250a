// Package instfix reads what instfix -i and instfix -ik say of
// fixes: whether all filesets of an APAR are at its level, some, or none is
// known of.
package instfix

import (
	"strings"

	"seaworthy/internal/parse"
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
}

// List is one output.
type List struct {
	parse.Report
	Fixes []*Fix `json:"fixes,omitempty"`
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

var name = parse.Lazy(`^[A-Za-z0-9][A-Za-z0-9_.-]{2,63}$`)

// Parse reads the output of instfix -i, -ik or -iqk; parse.ErrNotRecognised
// if no line is about a fix and none is a message. A line of another language
// or a damaged one says nothing about its fix.
func Parse(text []byte) (*List, error) {
	l := &List{}
	known := l.Read(text, func(line parse.Line) bool {
		for _, x := range sentences {
			rest, begins := strings.CutPrefix(strings.TrimSpace(line.Text), x.before)
			if n, ends := strings.CutSuffix(rest, x.after); begins && ends && name.MatchString(n) {
				l.Fixes = append(l.Fixes, &Fix{Name: n, State: x.state})
				return true
			}
		}
		return false
	})
	return parse.Recognised(l, known+l.Messages > 0)
}
