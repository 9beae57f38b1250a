package plan

import (
	"errors"
	"fmt"
	"iter"
	"slices"
	"strings"

	"seaworthy/internal/audit/finding"
	"seaworthy/internal/base/decode"
	"seaworthy/internal/change/task"
	"seaworthy/internal/inventory/model"
	"seaworthy/internal/knowledge"
)

// Schema names the format of plan.json.
const Schema = "seaworthy.plan/2"

// Plan is an ordered list of steps. It is stable to the byte for unchanged
// hosts: nothing in it depends on the time or on map order.
type Plan struct {
	Schema string   `json:"schema"`
	ID     ID       `json:"id"` // digest of the content below
	Hosts  []string `json:"hosts"`
	Parts  []Part   `json:"windows,omitempty"` // the steps summed up by when they can be made
	Steps  []Step   `json:"steps"`
	// Facts that the plan depends on; without them it does not start.
	Conditions []Condition `json:"conditions,omitempty"`
	Refused    []Refusal   `json:"refused,omitempty"` // wanted but not plannable, with the reason
	// What distinguishes the hosts from others that might answer to their names.
	KnownBy []Identity `json:"known_by,omitempty"`
	// Packets that must pass whole when all is done.
	Proofs []Proof `json:"proofs,omitempty"`
	// What can be done only when the hosts have been rebooted; nil: nothing.
	Next *Plan `json:"after_reboot,omitempty"`
}

// Step is a task with its place in the plan.
type Step struct {
	task.Task
	Stage  int      `json:"stage,omitempty"` // steps of one stage on different hosts do not depend on each other
	Window Window   `json:"window"`
	Class  string   `json:"class"`
	Outage string   `json:"outage"`        // the class in words
	Why    []string `json:"why,omitempty"` // finding ids
	// What the rules that ask for the step's values warn of, for anyone who decides on it.
	Cautions []string    `json:"cautions,omitempty"`
	Notes    []string    `json:"notes,omitempty"`
	Needs    []Condition `json:"needs,omitempty"` // looked at again right before the step
	// Somebody else's work, without a host and commands; nil: a step of ours.
	Manual *ManualStep `json:"manual,omitempty"`
}

// Values are those that the plan sets, in words: lpar1:en0 mtu_bypass: off → on.
func (p *Plan) Values() []string {
	var out []string
	for _, host := range p.Hosts {
		for s, c := range p.Last(host) {
			out = append(out, fmt.Sprintf("%s %s: %s", s.Of(c), c.Attr, c))
		}
	}
	if p.Next != nil {
		out = append(out, p.Next.Values()...)
	}
	return out
}

// First are a host's changes that are the first to set their attribute, with
// their steps: what they find is what the plan was made against.
func (p *Plan) First(host string) iter.Seq2[Step, task.Change] { return p.changes(host, false) }

// Last are a host's changes that no later step makes again: what they leave is
// what the plan leaves.
func (p *Plan) Last(host string) iter.Seq2[Step, task.Change] { return p.changes(host, true) }

// changes are one of each attribute, in the order of steps: the last or the first.
func (p *Plan) changes(host string, last bool) iter.Seq2[Step, task.Change] {
	return func(yield func(Step, task.Change) bool) {
		by := map[target]int{} // the step whose change counts
		for _, find := range []bool{true, false} {
			for i, s := range p.Steps {
				if s.Host != host {
					continue
				}
				for _, c := range s.Changes {
					at := target{s.Of(c), c.Attr}
					if _, seen := by[at]; find && (last || !seen) {
						by[at] = i
					} else if !find && by[at] == i && !yield(s, c) {
						return
					}
				}
			}
		}
	}
}

// Refusal says why a wanted setting is not in the plan.
type Refusal struct {
	Setting finding.Setting `json:"setting"`
	Why     []string        `json:"why,omitempty"` // finding ids
	Reason  string          `json:"reason"`
}

// String is the value that was refused, and why.
func (r Refusal) String() string {
	return fmt.Sprintf("%s %s=%s: %s", r.Setting.Ref, r.Setting.Attr, r.Setting.Value, r.Reason)
}

// DesiredSetting is a wanted setting and the finding it came from, if any.
type DesiredSetting struct {
	finding.Setting
	Finding string
}

// FromFindings takes the remedies out of findings.
func FromFindings(findings []finding.Finding) []DesiredSetting {
	var ws []DesiredSetting
	for _, f := range findings {
		if f.Verdict != finding.Found {
			continue
		}
		for _, s := range f.Remedy {
			ws = append(ws, DesiredSetting{Setting: s, Finding: f.ID})
		}
	}
	return ws
}

// describe puts a class into words for the reader of a plan.
func describe(c knowledge.Class, pending bool) string {
	if pending {
		return "none now; takes effect at the next reboot of this partition"
	}
	if words := c.Outage(); words != "" {
		return words
	}
	return strings.TrimSpace("not known " + string(c))
}

func same(a, b *string) bool { return a == nil || b == nil || *a == *b }

// Attributes is the part of the catalogue that planning needs.
type Attributes interface {
	// Attribute finds an attribute by layer and name.
	Attribute(layer, name string) (*knowledge.Attribute, bool)
}

// MaxPlan is the size of the largest plan file that is read, in bytes.
const MaxPlan = 64 << 20

// Parse reads a plan file. It derives the commands again from what the steps change, and
// refuses a file whose commands differ. name is the file for messages.
func Parse(name string, text []byte) (*Plan, error) {
	p := new(Plan)
	if err := decode.JSON(name, text, p); err != nil {
		return nil, fmt.Errorf("not a plan of this version: %w (make a new plan)", err)
	}
	if err := p.Check(); err != nil {
		return nil, err
	}
	return p, nil
}

// ParseEdited reads a plan file that somebody changed after it was made, to try it where no real host is reached: the
// order of its steps and their commands are as they stand in the file. Edits say what differs from the plan as it was
// made; none: it was not edited. The plan has the identity of what it says now.
func ParseEdited(name string, text []byte) (p *Plan, edits []string, err error) {
	p = new(Plan)
	err = decode.JSON(name, text, p)
	if err != nil {
		return nil, nil, fmt.Errorf("not a plan of this version: %w", err)
	}
	for q := p; q != nil; q = q.Next {
		if q.Schema != Schema {
			return nil, nil, fmt.Errorf("not a plan of this version: its schema is %q, not %q", q.Schema, Schema)
		}
		err = q.consistent()
		if err != nil {
			return nil, nil, fmt.Errorf("plan %s: %w", q.ID, err)
		}
		for _, s := range q.Steps {
			err := s.Task.Check()
			if err != nil {
				edits = append(edits, fmt.Sprintf("step %s: %v", s.ID, err))
			}
		}
	}
	changed, err := p.identify()
	if err != nil {
		return nil, nil, err
	}
	if changed && len(edits) == 0 {
		edits = append(edits, "the steps, their order, or what is said of them")
	}
	return p, edits, nil
}

// With is the plan with other steps, and the identity of what it says then.
func (p *Plan) With(steps []Step) (*Plan, error) {
	q := *p
	q.Steps = steps
	_, err := q.identify()
	return &q, err
}

// identify gives a plan, and what follows it, the identities of what they say; changed: one had another.
func (p *Plan) identify() (changed bool, err error) {
	if p.Next != nil {
		changed, err = p.Next.identify()
		if err != nil {
			return false, err
		}
	}
	id, err := p.digest()
	if err != nil {
		return false, err
	}
	changed = changed || id != p.ID
	p.ID = id
	return changed, nil
}

// ErrEdited is the error of a plan that is not as it was made.
var ErrEdited = errors.New("it was edited after it was made (make a new plan)")

// Check holds a plan against its own identity, and its commands against what its
// steps change: those that run are those that were reviewed.
func (p *Plan) Check() error {
	for q := p; q != nil; q = q.Next {
		err := decode.Format(q.Schema, Schema, "make a new plan")
		if err != nil {
			return fmt.Errorf("not a plan of this version: %w", err)
		}
		id, err := q.digest()
		if err != nil {
			return err
		}
		if id != q.ID {
			return fmt.Errorf("plan %s: its content has the id %s: %w", q.ID, id, ErrEdited)
		}
		if err := q.derived(); err != nil {
			return fmt.Errorf("plan %s: %w: its commands are not run (make a new plan)", q.ID, err)
		}
	}
	return nil
}

// derived says what in a plan does not follow from what it changes.
func (p *Plan) derived() error {
	err := p.consistent()
	if err != nil {
		return err
	}
	for _, s := range p.Steps {
		err := s.Task.Check()
		if err != nil {
			return fmt.Errorf("step %s: %w", s.ID, err)
		}
	}
	return nil
}

// consistent says what in a plan contradicts the rest of it, or names this machine.
func (p *Plan) consistent() error {
	for _, name := range p.Senders() {
		if model.MeansThisMachine(name) {
			return errors.New(ownName(name))
		}
	}
	ids := map[string]bool{}
	for _, s := range p.Steps {
		if ids[s.ID] {
			return fmt.Errorf("step %s is in it twice", s.ID)
		}
		ids[s.ID] = true
		if s.Manual == nil && !slices.Contains(p.Hosts, s.Host) {
			return fmt.Errorf("step %s: its host %q is not in the list of hosts", s.ID, s.Host)
		}
	}
	for _, x := range p.probes() {
		if want := x.ping().String(); x.Command != want {
			return fmt.Errorf("the proof of %s:%s sends %q, not %q", x.Host, x.Element, x.Command, want)
		}
	}
	return nil
}
