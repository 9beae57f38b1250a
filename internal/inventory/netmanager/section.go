package netmanager

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"seaworthy/internal/inventory/model"
)

// Sections are the parts of a manager's file in which kinds of devices are defined.
type Sections struct {
	Drivers  map[string]string // the section of the devices of a driver
	Refused  map[string]string // why the manager takes none of a driver
	Kinds    map[model.Kind]string
	Wireless []string
	Ports    string
}

// SectionOf finds the section of the manager's file that a device is defined in; empty: its
// file has none.
func (m *Manager) SectionOf(e *model.Element) (string, error) {
	s := m.Sections
	switch {
	case s == nil:
		return "", nil
	case e == nil:
		return "", errors.New("the device was not read")
	case s.Drivers[e.Driver] != "":
		return s.Drivers[e.Driver], nil
	case s.Refused[e.Driver] != "":
		return "", errors.New(s.Refused[e.Driver])
	case e.Driver == "" && s.Kinds[e.Kind] != "":
		return s.Kinds[e.Kind], nil
	case slices.ContainsFunc(s.Wireless, func(prefix string) bool { return strings.HasPrefix(e.Name, prefix) }):
		return "", fmt.Errorf("%s has the name of a wireless device, which %s defines apart from Ethernet", e.Name, m.Name)
	case slices.Contains([]model.Kind{model.Virtual, model.VNIC, model.Physical}, e.Kind), slices.Contains(model.GuestDrivers, e.Driver):
		return s.Ports, nil
	}
	return "", fmt.Errorf("which kind of device %s has %s as is not known", m.Name, e.Name)
}
