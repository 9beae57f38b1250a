package plan

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"reflect"
	"slices"
)

// MaxPlan is the size of the largest plan file that is read, in bytes.
const MaxPlan = 64 << 20

// Parse reads a plan file and believes none of its commands: they are derived
// anew from what the steps change, and a file that differs is refused. So is one
// with keys that this version does not write, or writes once.
func Parse(r io.Reader) (*Plan, error) {
	text, err := io.ReadAll(io.LimitReader(r, MaxPlan+1))
	if err != nil {
		return nil, err
	}
	if len(text) > MaxPlan {
		return nil, fmt.Errorf("not a plan: larger than %d MiB", MaxPlan>>20)
	}
	p := new(Plan)
	if err := json.Unmarshal(text, p); err != nil {
		return nil, fmt.Errorf("not a plan: %w", err)
	}
	if err := p.Check(); err != nil {
		return nil, err
	}
	own, err := json.Marshal(p)
	if err != nil {
		return nil, err
	}
	if err := sameTokens(text, own); err != nil {
		return nil, fmt.Errorf("plan %s: %w", p.ID, err)
	}
	return p, nil
}

// sameTokens finds keys that are unknown, repeated or in another case: each
// makes the text differ from what the plan that it was read as is written as.
func sameTokens(text, own []byte) error {
	a, b := json.NewDecoder(bytes.NewReader(text)), json.NewDecoder(bytes.NewReader(own))
	a.UseNumber()
	b.UseNumber()
	for {
		x, errx := a.Token()
		y, erry := b.Token()
		switch {
		case errors.Is(errx, io.EOF) && errors.Is(erry, io.EOF):
			return nil
		case errx != nil && !errors.Is(errx, io.EOF):
			return errx
		case !reflect.DeepEqual(x, y):
			return fmt.Errorf("at byte %d the file has %q where this version writes %q (an edited file, or one of another version: make a new plan)",
				a.InputOffset(), fmt.Sprint(x), fmt.Sprint(y))
		}
	}
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
