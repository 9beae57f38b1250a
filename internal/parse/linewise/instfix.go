package linewise

import "seaworthy/internal/parse"

// FixState is how much of a fix a host has.
type FixState string

const (
	FixComplete FixState = "all"     // every fileset of it that is installed has it
	FixPartial  FixState = "some"    // not all filesets were found at its level
	FixUnknown  FixState = "unknown" // the fix database of the host does not have it
)

// FixList is the output of instfix -i, -ik or -iqk.
type FixList struct {
	parse.Report
	Fixes []*Fix `json:"fixes,omitempty"`
}

// Fix is one line.
type Fix struct {
	Name  string   `json:"name" from:"name"` // IV35154, 7200-05_AIX_ML
	State FixState `json:"state"`
}

const fixName = `(?P<name>[A-Za-z0-9][A-Za-z0-9_.-]{2,63})`

var instfixOutput = &output[FixList]{
	name: "instfix",
	rows: []line[FixList]{
		fixRow(`^\s*All filesets for `+fixName+` were found\.\s*$`, FixComplete),
		fixRow(`^\s*Not all filesets for `+fixName+` were found\.\s*$`, FixPartial),
		fixRow(`^\s*There was no data for `+fixName+` in the fix database\.\s*$`, FixUnknown),
	},
	message: true,
}

func fixRow(sentence string, state FixState) line[FixList] {
	return row(parse.Lazy(sentence), func(l *FixList) *[]*Fix { return &l.Fixes }, func(f *Fix) bool {
		f.State = state
		return true
	})
}

// ParseInstfix reads what instfix says of fixes; parse.ErrNotRecognised if no line is about a fix and none is a
// message. A line of another language or a damaged one says nothing about its fix.
func ParseInstfix(text []byte) (*FixList, error) { return instfixOutput.parse(text) }
