package change

import (
	"cmp"
	"fmt"

	"seaworthy/change/shell"
	"seaworthy/inventory"
)

// Task is the step as shell functions, for scripts that do by themselves what
// Apply does over a session.
func (s Step) Task() shell.Task {
	t := shell.Task{Name: s.ID, Do: s.Do, Undo: s.Undo, Ensure: s.Ensure}
	for _, c := range s.Changes {
		w := writer{platform: s.Platform, user: s.User, element: s.of(c).Element, kind: s.Kind}
		if v := s.shown(c.Before); v != nil {
			check := w.check(c.Attr, *v, s.Pending)
			check.Element = c.Element
			before := s.scriptCheck(check)
			t.Before = append(t.Before, before)
			t.Undone = append(t.Undone, before)
		}
	}
	for _, c := range s.Verify {
		t.After = append(t.After, s.scriptCheck(c))
	}
	return t
}

func (s Step) scriptCheck(c Check) shell.Check {
	return shell.Check{
		What: shell.Comment(fmt.Sprintf("%s %s %s", s.Host, cmp.Or(c.Element, s.Element), c.Attr)), Command: c.Command, Want: bare(c.Want),
	}
}

// shown is the value that the step's own check prints: the database's on AIX,
// the running one of a tunable, unless it is for the next boot, and on Linux.
func (s Step) shown(v Values) *string {
	running := s.Kind == kindNo && !s.Pending || s.Kind == kindSysctl || s.Platform == inventory.Linux
	if running || v.NextBoot == nil {
		return v.Running
	}
	return v.NextBoot
}

// Of gives the steps of one host with their places in the plan, from 1.
func (p *Plan) Of(host string) (steps []Step, places []int) {
	for i, s := range p.Steps {
		if s.Host == host {
			steps, places = append(steps, s), append(places, i+1)
		}
	}
	return steps, places
}
