package task

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"

	"seaworthy/internal/inventory/model"
	"seaworthy/internal/remote"
)

// Kinds of elements other than devices.
const (
	No     model.Kind = "no"     // the tunables of AIX no(1)
	Sysctl model.Kind = "sysctl" // those of Linux
	Manual model.Kind = "manual" // what no host can set: a task without commands
)

// Task holds what is to become of one element of one host, or of an adapter and
// its interface if one bounce of the interface does for both.
type Task struct {
	ID      string     `json:"id"` // stable: lpar1:en0:mtu_bypass
	Host    string     `json:"host"`
	Element string     `json:"element"`
	Kind    model.Kind `json:"kind"`
	Login
	Changes []Change `json:"changes"`
	Pending bool     `json:"pending,omitempty"` // ODM only: takes effect at the next boot
	// Interface that is taken down and up around the changes.
	Bounce string    `json:"bounce,omitempty"`
	Keep   *IPConfig `json:"keep,omitempty"` // what that interface must have again afterwards; nil: not known
	// States of the SEA in its pair that are waited for; nil: none.
	Failover *Failover `json:"failover,omitempty"`
	Program
}

// Failover is the state of an SEA in its pair to wait for; empty: none.
type Failover struct {
	Done   string `json:"done,omitempty"`
	Undone string `json:"undone,omitempty"`
}

// Program holds what the carriers run: command lines, exact and in order.
type Program struct {
	Before []Check  `json:"before"`           // read before Do, and again after Undo
	Do     []string `json:"do"`               // each depends on the one before
	Ensure []string `json:"ensure,omitempty"` // after a Do that failed: the interface comes up again
	Verify []Check  `json:"verify"`           // read after Do
	Undo   []string `json:"undo"`             // each runs whatever became of the one before
}

// Check reads one value back.
type Check struct {
	Command string `json:"command"`
	Element string `json:"element"`
	Attr    string `json:"attr"`
	Want    string `json:"want"`
}

// Of is the element that a change is made on: the task's, unless it names one.
func (t Task) Of(c Change) model.Ref {
	if c.Element != "" {
		return model.Ref{Host: t.Host, Element: c.Element}
	}
	return model.Ref{Host: t.Host, Element: t.Element}
}

// Sets says whether the task sets an attribute of an element.
func (t Task) Sets(at model.Ref, attr string) bool {
	return slices.ContainsFunc(t.Changes, func(c Change) bool { return c.Attr == attr && t.Of(c) == at })
}

// Touches are the elements that the task changes.
func (t Task) Touches() []model.Ref {
	refs := []model.Ref{{Host: t.Host, Element: t.Element}}
	for _, c := range t.Changes {
		if at := t.Of(c); !slices.Contains(refs, at) {
			refs = append(refs, at)
		}
	}
	return refs
}

// program is a Program as values: a carrier decides how each step becomes root.
type program struct {
	before, verify   []reading
	do, ensure, undo []remote.Step
}

// reading is a Check as a value.
type reading struct {
	element, attr, want string
	step                remote.Step
}

// text is the program as an administrator types it.
func (p program) text() Program {
	lines := func(steps []remote.Step) []string {
		out := []string{}
		for _, s := range steps {
			out = append(out, s.String())
		}
		return out
	}
	checks := func(list []reading) []Check {
		out := []Check{}
		for _, r := range list {
			out = append(out, Check{Command: r.step.String(), Element: r.element, Attr: r.attr, Want: r.want})
		}
		return out
	}
	x := Program{Before: checks(p.before), Do: lines(p.do), Verify: checks(p.verify), Undo: lines(p.undo)}
	if len(p.ensure) > 0 {
		x.Ensure = lines(p.ensure)
	}
	return x
}

// Write derives the task's program.
func (t *Task) Write() error {
	p, err := t.derive()
	t.Program = p.text()
	return err
}

// Check derives the program again and returns an error that says where the task's own
// differs: the commands of a plan file are never believed.
func (t Task) Check() error {
	derived, err := t.derive()
	if err != nil {
		return err
	}
	p := derived.text()
	for _, x := range []struct {
		what       string
		have, want any
	}{
		{"before", t.Before, p.Before}, {"do", t.Do, p.Do}, {"ensure", t.Ensure, p.Ensure}, {"verify", t.Verify, p.Verify}, {"undo",
			t.Undo, p.Undo},
	} {
		if have, want := fmt.Sprintf("%q", x.have), fmt.Sprintf("%q", x.want); have != want {
			return fmt.Errorf("%q is %s, but what it changes needs %s", x.what, have, want)
		}
	}
	return nil
}

// Names of elements and attributes as commands can take them.
var (
	ElementName   = regexp.MustCompile(`^[A-Za-z0-9._-]+$`)
	AttributeName = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9_.-]*$`)
)

// state is the attribute that takes an interface up and down.
const state = "state"

func (t Task) valid() error {
	if !slices.Contains([]model.Platform{model.AIX, model.VIOS, model.Linux}, t.Platform) {
		return fmt.Errorf("platform %q: none that commands are known for", t.Platform)
	}
	if t.Bounce != "" && !ElementName.MatchString(t.Bounce) {
		return fmt.Errorf("%q: not a name of an interface", t.Bounce)
	}
	if err := t.Keep.valid(); err != nil {
		return err
	}
	for _, c := range t.Changes {
		if !ElementName.MatchString(t.Of(c).Element) || !AttributeName.MatchString(c.Attr) {
			return fmt.Errorf("%q %q: not a name of an element and an attribute", t.Of(c).Element, c.Attr)
		}
	}
	if f := t.Failover; f != nil {
		for _, s := range []string{f.Done, f.Undone} {
			if s != "" && s != "PRIMARY" && s != "BACKUP" {
				return fmt.Errorf("%q: not a state of an SEA in its pair", s)
			}
		}
	}
	return nil
}

// derive writes the program: a command for each element, the last one undone
// first.
func (t Task) derive() (program, error) {
	var p program
	if t.Kind == Manual {
		return p, nil
	}
	if err := t.valid(); err != nil {
		return p, err
	}
	for from := 0; from < len(t.Changes); {
		w := writer{Login: t.Login, element: t.Of(t.Changes[from]).Element, kind: t.Kind}
		to := from
		for ; to < len(t.Changes) && t.Of(t.Changes[to]).Element == w.element; to++ {
			c := t.Changes[to]
			p.before = append(p.before, w.checks(c.Attr, t.shown(c.Before), t.Pending)...)
			p.verify = append(p.verify, w.checks(c.Attr, t.shown(c.After), t.Pending)...)
			before, err := w.kept(c, c.before())
			if err != nil {
				return p, err
			}
			after, err := w.kept(c, c.after())
			if err != nil {
				return p, err
			}
			p.before, p.verify = append(p.before, before...), append(p.verify, after...)
		}
		do, err := w.bring(t.Changes[from:to], t.Pending, false)
		undo, err2 := w.bring(t.Changes[from:to], t.Pending, true)
		if err := cmp.Or(err, err2); err != nil {
			return p, err
		}
		p.do, p.undo = append(p.do, do...), append(undo, p.undo...)
		from = to
	}
	if t.Bounce != "" {
		again, kept := t.again(t.Bounce, t.Keep), t.kept(t.Bounce, t.Keep)
		p.ensure = append(t.up(t.Bounce), again...)
		p.do, p.undo = append(t.bounced(t.Bounce, p.do), again...), append(t.bounced(t.Bounce, p.undo), again...)
		p.before, p.verify = append(p.before, kept...), append(p.verify, kept...)
	}
	if t.Platform != model.Linux && slices.ContainsFunc(t.Changes, func(c Change) bool {
		return c.Attr == state && c.After.NextBoot != nil && *c.After.NextBoot == "up"
	}) {
		p.do = append(p.do, t.root("mkdev -l inet0")) // the static routes that left with it
	}
	if f := t.Failover; f != nil {
		p.do = append(p.do, t.reaches(t.Element, f.Done)...)
		p.undo = append(p.undo, t.reaches(t.Element, f.Undone)...)
		if f.Done != "" {
			p.verify = append(p.verify, reading{t.Element, "state", f.Done, t.root(haState(t.Element))})
		}
	}
	return p, nil
}

// shown is the value that the task's own check prints: the database's on AIX,
// the running one of a tunable, unless it is for the next boot, and on Linux.
func (t Task) shown(v Values) *string {
	running := t.Kind == No && !t.Pending || t.Kind == Sysctl || t.Platform == model.Linux
	if running || v.NextBoot == nil {
		return v.Running
	}
	return v.NextBoot
}
