// Package netmanager lists what sets a Linux host up when it boots: network managers such as
// netplan, a systemd unit of ours for what they have no place for, and sysctl.d. The table,
// managers.yaml, says how a host shows that a device is a manager's, and how the manager keeps
// a value for the next boot. Nothing else in the program names one of them.
package netmanager

import (
	_ "embed"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"

	"seaworthy/internal/base/decode"
)

//go:embed managers.yaml
var text []byte

// Manager is a row of the table: managers.yaml says what its fields mean.
type Manager struct {
	Name     string `yaml:"manager"`
	Evidence []Evidence
	Label    string
	MTU      MTU
	Fallback bool
	Sysctls  bool

	NameForm string `yaml:"name"`
	Kept     string

	Path, Mode, Text, Format, Judge, After, Before, Gone string

	NewFolder    bool `yaml:"new_folder"`
	AnyAttribute bool `yaml:"any_attribute"`

	Properties map[string]Property
	Commands   *Commands
	Sections   *Sections
}

// Evidence shows that a device is a manager's.
type Evidence struct {
	Files                     []string
	Section, Line, Unless     string
	Connection                string
	Name                      string
	section, unless, compiled *regexp.Regexp // compiled: of Line or Connection; nil: it names the device
}

// MTU is where a manager's configuration has the MTU of a device.
type MTU struct {
	Key       string
	Files     []string
	DropIns   string   `yaml:"drop_ins"`
	OneDevice []string `yaml:"one_device"`
}

// Property is a setting of a manager that is changed by commands.
type Property struct {
	Name   string `yaml:"property"`
	Option string // within the property, which holds several; empty: the property itself
	Since  string // the first version that has it, 1.14; empty: all
	None   string // the value that stands for none
}

// Commands set and read properties.
type Commands struct {
	Set, Read   string
	SetOption   string `yaml:"set_option"`
	UnsetOption string `yaml:"unset_option"`
	ReadOption  string `yaml:"read_option"`
}

// table holds what managers.yaml holds.
type table struct {
	Attributes []string
	Managers   []*Manager
}

var loaded = sync.OnceValue(func() table {
	var t table
	if err := decode.YAML("managers.yaml", text, &t); err != nil {
		panic(err) // it is part of the program
	}
	for _, m := range t.Managers {
		for i := range m.Evidence {
			m.Evidence[i].compile()
		}
	}
	return t
})

// All lists the managers in the order in which their evidence counts.
func All() []*Manager { return loaded().Managers }

// Attributes lists the attributes of devices that can be kept for the next boot.
func Attributes() []string { return loaded().Attributes }

// Find looks a manager up by its name; nil: there is none.
func Find(name string) *Manager {
	return find(func(m *Manager) bool { return m.Name == name })
}

// Unit is the manager for what the one of a device has no place for, where systemd runs the host.
func Unit() *Manager { return find(func(m *Manager) bool { return m.Fallback }) }

// SysctlFile is the manager of a host's sysctls.
func SysctlFile() *Manager { return find(func(m *Manager) bool { return m.Sysctls }) }

func find(is func(*Manager) bool) *Manager {
	i := slices.IndexFunc(All(), is)
	if i < 0 {
		return nil
	}
	return All()[i]
}

// OfDevices names the managers that devices can have, for messages: a, b or c.
func OfDevices() string {
	var names []string
	for _, m := range All() {
		if len(m.Evidence) > 0 {
			names = append(names, m.Name)
		}
	}
	last := len(names) - 1
	return strings.Join(names[:last], ", ") + " or " + names[last]
}

// Keeps reports whether the manager has a place for an attribute of a device.
func (m *Manager) Keeps(attr string) bool {
	switch {
	case m == nil || m.Sysctls:
		return false
	case m.Commands != nil:
		_, ok := m.Properties[attr]
		return ok
	}
	return (attr == "mtu" || m.AnyAttribute) && slices.Contains(Attributes(), attr)
}

// GivesName reports whether a name has the form of the manager's. Those of a manager without
// names of its own are not used.
func (m *Manager) GivesName(name string) bool {
	if m.NameForm == "" {
		return true
	}
	ok, _ := regexp.MatchString("^("+m.NameForm+")$", name) // the pattern is part of the program
	return ok
}

// Has reports whether a version of the manager has the property.
func (p Property) Has(version string) bool {
	if p.Since == "" {
		return true
	}
	var major, minor, sinceMajor, sinceMinor int
	if _, err := fmt.Sscanf(p.Since, "%d.%d", &sinceMajor, &sinceMinor); err != nil {
		return false
	}
	if _, err := fmt.Sscanf(version, "%d.%d", &major, &minor); err != nil {
		return false
	}
	return major > sinceMajor || major == sinceMajor && minor >= sinceMinor
}
