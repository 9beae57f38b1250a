// Package lssrc reads lssrc -a and lssrc -s of AIX: the subsystems of the System
// Resource Controller and whether they run.
package lssrc

import "seaworthy/internal/parse"

// Subsystem is one row.
type Subsystem struct {
	Name   string `json:"name"`            // clstrmgrES
	Group  string `json:"group,omitempty"` // cluster; empty: it is in none
	PID    *int   `json:"pid,omitempty"`   // nil: it does not run
	Status string `json:"status"`          // active, inoperative, stopping, warned to stop
}

// Active says that the subsystem runs, or is about to end.
func (s *Subsystem) Active() bool { return s.PID != nil }

// Output is what one call printed.
type Output struct {
	parse.Report
	Subsystems []*Subsystem `json:"subsystems,omitempty"`
}

var (
	heading = parse.Lazy(`^\s*Subsystem\s+Group\s+PID\s+Status\s*$`)
	row     = parse.Lazy(`^\s*([A-Za-z_][\w.:-]*)(?:\s+(\S+?))??(?:\s+([1-9]\d*))?\s+(active|inoperative|stopping|warned to stop)\s*$`)
)

// Parse reads a listing; parse.ErrNotRecognised if neither the heading nor a
// message is in it. The group and the PID of a row may be missing.
func Parse(text []byte) (*Output, error) {
	o := &Output{}
	headed := false
	o.Read(text, func(l parse.Line) bool {
		if heading.MatchString(l.Text) {
			headed = true
			return true
		}
		s := &Subsystem{}
		ok := headed && !o.CutOff(l) && row.Scan(l.Text, &s.Name, &s.Group, &s.PID, &s.Status)
		if ok {
			o.Subsystems = append(o.Subsystems, s)
		}
		return ok
	})
	return parse.Recognised(o, headed || o.Messages > 0)
}
