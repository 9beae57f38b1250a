// Package lssrc reads lssrc -a and lssrc -s of AIX: the subsystems of the System
// Resource Controller and whether they run.
package lssrc

import (
	"fmt"
	"strconv"
	"strings"

	"seaworthy/dialect"
)

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
	dialect.Report
	Subsystems []*Subsystem `json:"subsystems,omitempty"`
}

var (
	heading = dialect.Lazy(`^\s*Subsystem\s+Group\s+PID\s+Status\s*$`)
	name    = dialect.Lazy(`^[A-Za-z_][\w.:-]*$`)
	states  = []string{"active", "inoperative", "stopping", "warned to stop"}
)

// Parse reads a listing; dialect.ErrNotRecognised if neither the heading nor a
// message is in it.
func Parse(text []byte) (*Output, error) {
	o := &Output{}
	headed := false
	for _, l := range dialect.Lines(text, &o.Report) {
		if heading.MatchString(l.Text) {
			headed = true
			continue
		}
		s := parseRow(strings.TrimSpace(l.Text))
		if s == nil || !headed || o.CutOff(l) {
			o.NotUnderstood(l)
			continue
		}
		o.Subsystems = append(o.Subsystems, s)
	}
	if !headed && o.Messages == 0 {
		return nil, fmt.Errorf("lssrc: %w", dialect.ErrNotRecognised)
	}
	return o, nil
}

// parseRow reads a row from its end: the group and the PID may be missing.
func parseRow(line string) *Subsystem {
	for _, state := range states {
		rest, ok := strings.CutSuffix(line, " "+state)
		if !ok {
			continue
		}
		words := strings.Fields(rest)
		s := &Subsystem{Status: state}
		if n := len(words); n > 1 {
			if pid, err := strconv.Atoi(words[n-1]); err == nil && pid > 0 {
				s.PID, words = &pid, words[:n-1]
			}
		}
		if len(words) == 2 {
			s.Group = words[1]
		}
		if len(words) == 0 || len(words) > 2 || !name.MatchString(words[0]) {
			return nil
		}
		s.Name = words[0]
		return s
	}
	return nil
}
