package plan

import (
	"fmt"
	"slices"

	"seaworthy/document"
)

// MaxPlan is the size of the largest plan file that is read, in bytes.
const MaxPlan = 64 << 20

// Parse reads a plan file and believes none of its commands: they are derived
// anew from what the steps change, and a file that differs is refused. name is
// the file for messages.
func Parse(name string, text []byte) (*Plan, error) {
	p := new(Plan)
	if err := document.JSON(name, text, p); err != nil {
		return nil, fmt.Errorf("not a plan of this version: %w (make a new plan)", err)
	}
	if err := p.Check(); err != nil {
		return nil, err
	}
	return p, nil
}

// Check holds a plan against its own identity, and its commands against what its
// steps change: those that run are those that were reviewed.
func (p *Plan) Check() error {
	for q := p; q != nil; q = q.Next {
		if q.Schema != Schema {
			return fmt.Errorf("not a plan of this version: its schema is %q, not %q (make a new plan)", q.Schema, Schema)
		}
		id, err := q.digest()
		if err != nil {
			return err
		}
		if id != q.ID {
			return fmt.Errorf("plan %s: its content has the id %s: it was edited after it was made (make a new plan)", q.ID, id)
		}
		if err := q.derived(); err != nil {
			return fmt.Errorf("plan %s: %w: its commands are not run (make a new plan)", q.ID, err)
		}
	}
	return nil
}

// derived says what in a plan does not follow from what it changes.
func (p *Plan) derived() error {
	ids := map[string]bool{}
	for _, s := range p.Steps {
		if ids[s.ID] {
			return fmt.Errorf("step %s is in it twice", s.ID)
		}
		ids[s.ID] = true
		if s.Manual == nil && !slices.Contains(p.Hosts, s.Host) {
			return fmt.Errorf("step %s: its host %q is not in the list of hosts", s.ID, s.Host)
		}
		if err := s.Task.Check(); err != nil {
			return fmt.Errorf("step %s: %w", s.ID, err)
		}
	}
	for _, x := range p.probes() {
		if want := x.ping(); x.Command != want {
			return fmt.Errorf("the proof of %s:%s sends %q, not %q", x.Host, x.Element, x.Command, want)
		}
	}
	return nil
}
