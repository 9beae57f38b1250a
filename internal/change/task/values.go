package task

import (
	"strings"
	"unicode"

	"seaworthy/internal/inventory/model"
)

// Change is one attribute of a task.
type Change struct {
	Element    string `json:"element,omitempty"` // if it is not the task's
	Attr       string `json:"attr"`
	Before     Values `json:"before"`
	After      Values `json:"after"`
	Restricted bool   `json:"restricted,omitempty"` // no(1) asks before it sets it
	// Linux: where the value is kept for the next boot; nil: nowhere.
	Persist *Persist `json:"persist,omitempty"`
}

// Name is the attribute's, with its element if that is not the task's.
func (c Change) Name() string {
	if c.Element == "" {
		return c.Attr
	}
	return c.Element + " " + c.Attr
}

// Values of an attribute: what runs now and what the next boot will use. Nil
// means not known.
type Values struct {
	Running  *string `json:"running,omitempty"`
	NextBoot *string `json:"next_boot,omitempty"`
}

// String is the change in words, without what it is of: off → on.
func (c Change) String() string { return c.From() + " → " + c.To() }

// From is the value before the change, in words.
func (c Change) From() string {
	if c.hidden() {
		return shown(c.Before.NextBoot)
	}
	return c.Before.String()
}

// To is the value after the change, in words.
func (c Change) To() string {
	switch {
	case c.hidden():
		return shown(c.After.NextBoot)
	case c.waits():
		return shown(c.After.NextBoot) + activeLater
	}
	return c.After.String()
}

const activeLater = ", active after a reboot"

// Becomes is the value after a change of the task, in words, and whether a reboot has to activate it.
func (t Task) Becomes(c Change) (value string, later bool) {
	value, later = strings.CutSuffix(c.To(), activeLater)
	return value, later || t.Pending
}

// Describe is a change of the task in words: mtu_bypass: off → on.
func (t Task) Describe(c Change) string {
	value, later := t.Becomes(c)
	if later {
		value += activeLater
	}
	return c.Name() + ": " + c.From() + " → " + value
}

// hidden says that no command prints what runs.
func (c Change) hidden() bool {
	return c.Before.Running == nil && c.After.Running == nil && c.Before.NextBoot != nil && c.After.NextBoot != nil
}

// waits says whether the change leaves what runs and sets something else for the next boot.
func (c Change) waits() bool {
	before, after := c.Before.Running, c.After.Running
	return before != nil && after != nil && *before == *after && c.After.NextBoot != nil && *c.After.NextBoot != *after
}

// ValuesOf finds an attribute that the task changes on a host as read now.
func (t Task) ValuesOf(c Change, h *model.Host) Values {
	var a *model.Attr
	if t.Kind == No || t.Kind == Sysctl {
		a = h.Tunables[c.Attr]
	} else if el := h.Elements[t.Of(c).Element]; el != nil {
		a = el.Attrs[c.Attr]
	}
	if a == nil {
		return Values{}
	}
	return Values{Running: a.Running, NextBoot: a.NextBoot}
}

// Undone returns what an undo leads to. What a task for the next boot left is taken
// back for the next boot: if the host was rebooted meanwhile, its running
// value waits for another reboot.
func (t Task) Undone(c Change) Values {
	if t.Pending {
		return Values{NextBoot: c.Before.NextBoot}
	}
	return c.Before
}

// Match compares what both sides know. A value that was known and is not any
// more is a difference: unknown proves nothing.
func (v Values) Match(now Values) bool {
	one := func(w, n *string) bool { return w == nil || n != nil && *w == *n }
	return one(v.Running, now.Running) && one(v.NextBoot, now.NextBoot)
}

// InForce says that nothing shows otherwise: no command prints what runs of
// some attributes.
func (v Values) InForce() bool {
	return v.Running == nil || v.NextBoot == nil || *v.Running == *v.NextBoot
}

// shown is a value in words.
func shown(value *string) string {
	switch {
	case value == nil:
		return "not known"
	case *value == "":
		return "unset"
	}
	return *value
}

func (v Values) String() string {
	if v.Running != nil && v.NextBoot != nil && *v.Running == *v.NextBoot {
		return shown(v.Running)
	}
	if v.Running == nil && v.NextBoot != nil {
		return shown(v.NextBoot) + " at next boot (what runs now is not shown)"
	}
	return shown(v.Running) + " running, " + shown(v.NextBoot) + " at next boot"
}

// Printed takes the value out of a check's output: "on", "sb_max = 1048576", or
// the "value" heading of VIOS with the value below it.
func Printed(out string) string {
	last := ""
	for l := range strings.Lines(out) {
		l = strings.TrimSpace(l)
		if l != "" {
			last = l
		}
	}
	if _, v, ok := strings.Cut(last, " = "); ok {
		return strings.TrimSpace(v)
	}
	if last == "value" {
		return ""
	}
	return last
}

// Comment makes a string fit for one line of a comment or of a message: what
// is not printable, line ends first of all, becomes a question mark.
func Comment(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsPrint(r) && r != unicode.ReplacementChar {
			return r
		}
		return '?'
	}, s)
}
