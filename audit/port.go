package audit

import (
	"fmt"
	"slices"
)

// up says whether an interface is up, which a host that printed neither
// ifconfig nor netstat -in did not say.
func (s *session) up(e *element) (bool, error) {
	if e.is.Up == nil {
		return false, missing(describe(e, "whether it is up", "ifconfig "+e.Name))
	}
	s.seen.add(Evidence{Host: e.Host, Command: "ifconfig " + e.Name, Text: e.Name + map[bool]string{true: " is up", false: " is down"}[*e.is.Up]})
	return *e.is.Up, nil
}

func (s *session) linkUp(e *element) (bool, error) {
	if e.is.LinkUp == nil {
		return false, missing(describe(e, "link state", "entstat -d "+e.Name))
	}
	s.seen.add(Evidence{Host: e.Host, Command: countedBy(e), Text: e.Name + " link: " + map[bool]string{true: "up", false: "down"}[*e.is.LinkUp]})
	return *e.is.LinkUp, nil
}

func (s *session) speed(e *element) (int, error) {
	if e.is.SpeedMb == nil {
		return 0, missing(describe(e, "link speed", "entstat -d "+e.Name))
	}
	s.seen.add(Evidence{Host: e.Host, Command: "entstat -d " + e.Name, Text: fmt.Sprintf("%s speed %d Mbit/s", e.Name, *e.is.SpeedMb)})
	return int(*e.is.SpeedMb), nil
}

func (s *session) trunk(e *element) (bool, error) {
	if e.is.Trunk == nil {
		return false, missing(describe(e, "whether it is a trunk adapter", "entstat -d "+e.Name))
	}
	return *e.is.Trunk, nil
}

func (s *session) haState(e *element) (string, error) {
	if e.is.HAState == "" {
		return "", missing(describe(e, "high availability state", "entstat -d "+e.Name))
	}
	s.seen.add(Evidence{Host: e.Host, Command: "entstat -d " + e.Name, Text: e.Name + " State: " + e.is.HAState})
	return e.is.HAState, nil
}

// vlans gives the PVID and the tagged VLANs of a virtual adapter, sorted.
func (s *session) vlans(e *element) ([]int, error) {
	if e.is.PVID == nil {
		return nil, missing(describe(e, "port VLAN id", "entstat -d "+e.Name))
	}
	out := append([]int{*e.is.PVID}, e.is.VLANs...)
	slices.Sort(out)
	return slices.Compact(out), nil
}

func (s *session) pvid(e *element) (int, error) {
	if e.is.PVID == nil {
		return 0, missing(describe(e, "port VLAN id", "entstat -d "+e.Name))
	}
	s.seen.add(Evidence{Host: e.Host, Command: "entstat -d " + e.Name, Text: fmt.Sprintf("%s Port VLAN ID: %d", e.Name, *e.is.PVID)})
	return *e.is.PVID, nil
}
