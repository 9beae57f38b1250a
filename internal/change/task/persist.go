package task

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"seaworthy/internal/inventory/model"
	"seaworthy/internal/remote/shellword"
)

// Persist is where a value of a Linux host is kept for its next boot.
type Persist struct {
	By model.Keeper `json:"by"`
	// Name is that of inventory.Persistence; for netplan with the kind of the
	// device before it: ethernets/eth0.
	Name   string `json:"name,omitempty"`
	Before string `json:"before,omitempty"` // what is kept there now; empty: nothing
	// OnConfirm: nothing on the host would take it back after a restart, so a run that
	// waits for a confirmation writes it only then.
	OnConfirm bool `json:"on_confirm,omitempty"`
}

// Keeps says whether a keeper has a place for an attribute of a device.
func Keeps(by model.Keeper, attr string) bool {
	if by == model.NetworkManager {
		_, ok := model.Properties[attr]
		return ok
	}
	at, ok := linux().Places[by]
	return ok && (attr == "mtu" || at.Commands) && slices.Contains(model.Persistent, attr)
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
	at, known := linux().Places[p.By]
	named, _ := regexp.MatchString("^("+at.Name+")$", p.Name) // the pattern is part of the program
	switch {
	case !known || (kind == Sysctl) != (p.By == model.SysctlD) || kind != Sysctl && !Keeps(p.By, attr):
		return fmt.Errorf("%q has no place for %s", p.By, attr)
	case !named:
		return fmt.Errorf("%q is no name that %s gives", p.Name, p.By)
	case value != "" && !form.MatchString(value):
		return fmt.Errorf("%q is no value that %s takes in a file", value, p.By)
	}
	return nil
}

// after and before are what the change's keeper has then; empty: nothing of ours.
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
	if p.By == model.Ifupdown && ambiguous.MatchString(w.element) {
		return nil, fmt.Errorf("%s: no script of ifupdown can have a name for it alone", w.element)
	}
	if p.By == model.NetworkManager {
		return []string{w.modify(p.Name, c.Attr, value)}, nil
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
	kind, id, _ := strings.Cut(c.Persist.Name, "/")
	return strings.NewReplacer("{d}", w.element, "{h}", scriptName(w.element), "{a}", c.Attr, "{v}", value, "{s}", set,
		"{n}", c.Persist.Name, "{k}", kind, "{i}", id,
		"{u}", "sys-subsystem-net-devices-"+strings.ReplaceAll(w.element, "-", `\x2d`)+".device").Replace, nil
}

// modify sets a property of a connection. An empty one is the default.
func (w writer) modify(uuid, attr, value string) string {
	of, option, inside := strings.Cut(model.Properties[attr].Name, " ")
	line := "nmcli connection modify uuid " + uuid + " "
	switch {
	case inside && value == "":
		return line + "-" + of + " " + option
	case inside:
		return line + "+" + of + " " + option + "=" + value
	case value == "" && attr == "mtu":
		value = "0" // nmcli's auto
	}
	return line + of + " " + shellword.Quote(value)
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
	if p.By != model.NetworkManager {
		file, err := w.bootFile(c)
		if err != nil {
			return nil, err
		}
		k.step = own(file.check(p.By))
		return []reading{k}, nil
	}
	of, option, inside := strings.Cut(model.Properties[c.Attr].Name, " ")
	line := "nmcli -t connection show uuid " + p.Name + " | sed -n 's/^" + pattern(of) + ":"
	if inside {
		line += "//p' | tr , '\\n' | sed -n 's/^" + option + "=//p'"
	} else {
		line += `\(auto$\)*//p'`
	}
	k.step = own(line)
	return []reading{k}, nil
}
