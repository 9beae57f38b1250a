package linewise

import "seaworthy/internal/parse"

// SubsystemList is the output of lssrc -a or -s of AIX: the subsystems of the System Resource Controller.
type SubsystemList struct {
	parse.Report
	Subsystems []*Subsystem `json:"subsystems,omitempty"`
}

// Subsystem is one row.
type Subsystem struct {
	Name   string `json:"name" from:"name"`             // clstrmgrES
	Group  string `json:"group,omitempty" from:"group"` // cluster; empty: it is in none
	PID    *int   `json:"pid,omitempty" from:"pid"`     // nil: it does not run
	Status string `json:"status" from:"status"`         // active, inoperative, stopping, warned to stop
}

// Active says that the subsystem runs, or is about to end.
func (s *Subsystem) Active() bool { return s.PID != nil }

var lssrcOutput = &output[SubsystemList]{
	name:    "lssrc",
	heading: parse.Lazy(`^\s*Subsystem\s+Group\s+PID\s+Status\s*$`),
	again:   true,
	rows: []line[SubsystemList]{row(
		parse.Lazy(`^\s*(?P<name>[A-Za-z_][\w.:-]*)(?:\s+(?P<group>\S+?))??(?:\s+(?P<pid>[1-9]\d*))?`+
			`\s+(?P<status>active|inoperative|stopping|warned to stop)\s*$`),
		func(o *SubsystemList) *[]*Subsystem { return &o.Subsystems }, nil)},
	ended:   true,
	message: true,
}

// ParseLssrc reads a listing; parse.ErrNotRecognised if neither the heading nor a message is in it. The group and the
// PID of a row may be missing.
func ParseLssrc(text []byte) (*SubsystemList, error) { return lssrcOutput.parse(text) }
