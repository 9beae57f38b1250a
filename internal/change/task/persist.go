package task

import (
	"fmt"
	"regexp"
	"strings"

	"seaworthy/internal/inventory/model"
	"seaworthy/internal/inventory/netmanager"
	"seaworthy/internal/remote/shellword"
)

// Persist is where a value of a Linux host is kept for its next boot.
type Persist struct {
	By string `json:"by"` // a manager of the table of package netmanager
	// Name is that of model.Persistence; of a manager with sections, behind the section
	// of the device: ethernets/eth0.
	Name   string `json:"name,omitempty"`
	Before string `json:"before,omitempty"` // what is kept there now; empty: nothing
	// OnConfirm: nothing on the host would take it back after a reboot, so a run that
	// waits for a confirmation writes it only then.
	OnConfirm bool `json:"on_confirm,omitempty"`
}

// What a value may be that is written into files: nothing that one of them would
// take for its own syntax. Only lists of sysctls have blanks.
var (
	plain   = regexp.MustCompile(`^[A-Za-z0-9+._:-]+$`)
	numbers = regexp.MustCompile(`^[A-Za-z0-9+._:-]+( [0-9]+)*$`)
)

// Valid says why a value cannot be kept so; nil: it can.
func (p Persist) Valid(kind model.Kind, attr, value string) error {
	form := plain
	if kind == Sysctl {
		form = numbers
	}
	m := netmanager.Find(p.By)
	switch {
	case m == nil || m.Sysctls != (kind == Sysctl) || kind != Sysctl && !m.Keeps(attr):
		return fmt.Errorf("%q has no place for %s", p.By, attr)
	case !m.GivesName(p.Name):
		return fmt.Errorf("%q is not a valid name of %s", p.Name, p.By)
	case value != "" && !form.MatchString(value):
		return fmt.Errorf("%s cannot store the value %q", p.By, value)
	}
	return nil
}

// after and before are what the change's manager has then; empty: nothing of ours.
func (c Change) after() string {
	if c.After.NextBoot == nil {
		return ""
	}
	return *c.After.NextBoot
}

func (c Change) before() string {
	if c.Persist == nil {
		return ""
	}
	return c.Persist.Before
}

// keep writes the lines after which the next boot has the value of the change; back are
// those that undo them.
func (w writer) keep(c Change, back bool) ([]string, error) {
	p := c.Persist
	if p == nil {
		return nil, nil
	}
	value := c.after()
	if back {
		value = c.before()
	}
	if w.Platform != model.Linux {
		return nil, fmt.Errorf("%s is kept by %s, which is Linux's alone", c.Attr, p.By)
	}
	if err := p.Valid(w.kind, c.Attr, value); err != nil {
		return nil, err
	}
	m := netmanager.Find(p.By)
	if strings.Contains(m.Path, "{h}") && ambiguous.MatchString(w.element) {
		return nil, fmt.Errorf("%s: no script of %s can have a name for it alone", w.element, p.By)
	}
	if m.Commands != nil {
		return []string{setProperty(m, p.Name, c.Attr, value)}, nil
	}
	file, err := w.bootFile(c)
	switch {
	case err != nil:
		return nil, err
	case back:
		return []string{file.restore(c.after(), value)}, nil
	case value == "":
		return []string{file.restore("", "")}, nil
	}
	return []string{file.write(value)}, nil
}

func empty(s string) bool { return s == "" }

// pattern is a name in a regular expression of sed.
func pattern(name string) string { return strings.ReplaceAll(name, ".", `\.`) }

// filler puts names and values into a place.
func (w writer) filler(c Change, value string) (func(string) string, error) {
	set := ""
	if w.kind != Sysctl && value != "" {
		lines, err := w.setLinux([]assignment{{attr: c.Attr, value: value}})
		if err != nil {
			return nil, err
		}
		set = strings.Join(lines, " && ")
	}
	section, name := "", c.Persist.Name
	if m := netmanager.Find(c.Persist.By); m.Sections != nil {
		section, name, _ = strings.Cut(name, "/")
	}
	return strings.NewReplacer("{d}", w.element, "{h}", scriptName(w.element), "{a}", c.Attr, "{v}", value, "{s}", set,
		"{n}", name, "{k}", section,
		"{x}", "sys-subsystem-net-devices-"+strings.ReplaceAll(w.element, "-", `\x2d`)+".device").Replace, nil
}

// setProperty is the manager's command that sets the property of an attribute. An empty
// value is the default.
func setProperty(m *netmanager.Manager, name, attr, value string) string {
	p := m.Properties[attr]
	line := m.Commands.Set
	switch {
	case p.Option != "" && value == "":
		line = m.Commands.UnsetOption
	case p.Option != "":
		line = m.Commands.SetOption
	case value == "":
		value = p.None
	}
	return ofProperty(p, name, value).Replace(line)
}

// ofProperty puts a property and its value into a command.
func ofProperty(p netmanager.Property, name, value string) *strings.Replacer {
	return strings.NewReplacer("{n}", name, "{p}", p.Name, "{e}", pattern(p.Name), "{o}", p.Option,
		"{v}", value, "{q}", shellword.Quote(value))
}

// ambiguous are names whose dots and underscores scriptName cannot keep apart.
var ambiguous = regexp.MustCompile(`[._]\.|\._`)

// scriptName is a device's name without dots: run-parts would leave out a script that has
// one. eth0.1 is eth0_1, and eth0_1 is eth0__1.
func scriptName(device string) string {
	return strings.NewReplacer(".", "_", "_", "__").Replace(device)
}

// kept checks what is kept.
func (w writer) kept(c Change, want string) ([]reading, error) {
	p := c.Persist
	if p == nil {
		return nil, nil
	}
	k := reading{element: w.element, attr: c.Attr + " at next boot", want: want}
	if m := netmanager.Find(p.By); m != nil && m.Commands != nil {
		property := m.Properties[c.Attr]
		line := m.Commands.Read
		if property.Option != "" {
			line = m.Commands.ReadOption
		}
		k.step = own(ofProperty(property, p.Name, "").Replace(line))
		return []reading{k}, nil
	}
	file, err := w.bootFile(c)
	if err != nil {
		return nil, err
	}
	k.step = own(file.check())
	return []reading{k}, nil
}
