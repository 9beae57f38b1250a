package change

import (
	"cmp"
	"slices"

	"seaworthy/audit"
	"seaworthy/inventory"
)

// SchemaPlan names the format of plan.json.
const SchemaPlan = "seaworthy.plan/1"

// Plan is an ordered list of steps. It is stable to the byte for unchanged
// hosts: nothing in it depends on the time or on map order.
type Plan struct {
	Schema string   `json:"schema"`
	ID     string   `json:"id"` // digest of the content below
	Hosts  []string `json:"hosts"`
	Parts  []Part   `json:"windows,omitempty"` // the steps summed up by when they can be made
	Steps  []Step   `json:"steps"`
	// Facts that the plan stands on; without them it is not begun.
	Conditions []Condition `json:"conditions,omitempty"`
	Refused    []Refusal   `json:"refused,omitempty"` // wanted but not plannable, with the reason
	// What tells the hosts from others that might answer to their names.
	KnownBy []Identity `json:"known_by,omitempty"`
	// Packets that must pass whole when all is done.
	Proofs []Proof `json:"proofs,omitempty"`
	// What can be done only when the hosts have been restarted; nil: nothing.
	Next *Plan `json:"after_restart,omitempty"`
}

// Step changes attributes of one element on one host in one command; or of an
// adapter and its interface, if one bounce of the interface does for both.
type Step struct {
	ID       string             `json:"id"` // stable: lpar1:en0:mtu_bypass
	Host     string             `json:"host"`
	Element  string             `json:"element"`
	Kind     inventory.Kind     `json:"kind"`
	Platform inventory.Platform `json:"platform"`
	User     string             `json:"user,omitempty"`
	Changes  []Change           `json:"changes"`
	Pending  bool               `json:"pending,omitempty"` // ODM only: takes effect at the next boot
	Stage    int                `json:"stage,omitempty"`   // steps of one stage on different hosts do not depend on each other
	Window   Window             `json:"window"`
	Class    string             `json:"class"`
	Outage   string             `json:"outage"`        // the class in words
	Why      []string           `json:"why,omitempty"` // finding ids
	Notes    []string           `json:"notes,omitempty"`
	Needs    []Condition        `json:"needs,omitempty"`  // looked at again right before the step
	Do       []string           `json:"do"`               // exact command lines, in order
	Verify   []Check            `json:"verify"`           // read back after Do
	Undo     []string           `json:"undo"`             // exact command lines, in order
	Ensure   []string           `json:"ensure,omitempty"` // run if Do fails in the middle: the interface comes up again
	// Somebody else's work, without a host and commands; nil: a step of ours.
	ByHand *ByHand `json:"by_hand,omitempty"`
}

// settles says whether step i is the last one to set an attribute, and starts
// whether it is the first.
func (p *Plan) settles(i int, c Change) bool { return !sets(p.Steps[i+1:], p.Steps[i].of(c), c.Attr) }
func (p *Plan) starts(i int, c Change) bool  { return !sets(p.Steps[:i], p.Steps[i].of(c), c.Attr) }

// of is the element that a step changes: its own, or another one that the same
// bounce of an interface serves.
func (s Step) of(c Change) inventory.Ref {
	return inventory.Ref{Host: s.Host, Element: cmp.Or(c.Element, s.Element)}
}

// Sets says whether a step sets an attribute of an element.
func (s Step) Sets(at inventory.Ref, attr string) bool {
	return slices.ContainsFunc(s.Changes, func(c Change) bool { return c.Attr == attr && s.of(c) == at })
}

// touches are the elements that a step changes.
func (s Step) touches() []inventory.Ref {
	refs := []inventory.Ref{{Host: s.Host, Element: s.Element}}
	for _, c := range s.Changes {
		if at := s.of(c); !slices.Contains(refs, at) {
			refs = append(refs, at)
		}
	}
	return refs
}

func sets(steps []Step, at inventory.Ref, attr string) bool {
	return slices.ContainsFunc(steps, func(s Step) bool { return s.Sets(at, attr) })
}

// Change is one attribute of a step. Nil means not known.
type Change struct {
	Element string `json:"element,omitempty"` // if it is not the step's
	Attr    string `json:"attr"`
	Before  Values `json:"before"`
	After   Values `json:"after"`
}

// Name is the attribute's, with its element if that is not the step's.
func (c Change) Name() string {
	if c.Element == "" {
		return c.Attr
	}
	return c.Element + " " + c.Attr
}

// Values of an attribute: what runs now and what the next boot will use.
type Values struct {
	Running  *string `json:"running,omitempty"`
	NextBoot *string `json:"next_boot,omitempty"`
}

// Check reads one value back after a step.
type Check struct {
	Command string `json:"command"`
	Element string `json:"element,omitempty"` // if it is not the step's
	Attr    string `json:"attr"`
	Want    string `json:"want"`
}

// Refusal says why a wanted setting is not in the plan.
type Refusal struct {
	Setting audit.Setting `json:"setting"`
	Why     []string      `json:"why,omitempty"` // finding ids
	Reason  string        `json:"reason"`
}

// Wish is a wanted setting and the finding it came from, if any.
type Wish struct {
	audit.Setting
	Finding string
}

// Wishes takes the remedies out of findings.
func Wishes(findings []audit.Finding) []Wish {
	var ws []Wish
	for _, f := range findings {
		if f.Verdict != audit.Found {
			continue
		}
		for _, s := range f.Remedy {
			ws = append(ws, Wish{Setting: s, Finding: f.ID})
		}
	}
	return ws
}
