package expr

import (
	"fmt"
	"slices"
	"strings"

	"seaworthy/audit/graph"
	"seaworthy/inventory"
)

// shown gives what a command printed of an element and notes it as evidence, or
// says that it was not read.
func shown[T any](s *Session, e *graph.Element, v *T, what, command string, text func(T) string) (T, error) {
	if v == nil {
		return *new(T), e.Missing(what, command)
	}
	s.saw(e, command, "%s %s", e.Name, text(*v))
	return *v, nil
}

// either words a yes or no.
func either(yes, no string) func(bool) string {
	return func(v bool) string { return map[bool]string{true: yes, false: no}[v] }
}

func worded[T any](format string) func(T) string {
	return func(v T) string { return fmt.Sprintf(format, v) }
}

func entstat(e *graph.Element) string { return "entstat -d " + e.Name }

// optional makes a pointer of a text; an empty one was not read.
func optional(v string) *string {
	if v == "" {
		return nil
	}
	return &v
}

func (s *Session) up(e *graph.Element) (bool, error) {
	return shown(s, e, e.Is.Up, "whether it is up", "ifconfig "+e.Name, either("is up", "is down"))
}

func (s *Session) linkUp(e *graph.Element) (bool, error) {
	if e.Is.LinkUp == nil {
		return false, e.Missing("link state", entstat(e))
	}
	return shown(s, e, e.Is.LinkUp, "link state", countedBy(e), either("link: up", "link: down"))
}

func (s *Session) speed(e *graph.Element) (int, error) {
	v, err := shown(s, e, e.Is.SpeedMb, "link speed", entstat(e), worded[int64]("speed %d Mbit/s"))
	return int(v), err
}

func (s *Session) trunk(e *graph.Element) (bool, error) {
	if e.Is.Trunk == nil {
		return false, e.Missing("whether it is a trunk adapter", entstat(e))
	}
	return *e.Is.Trunk, nil
}

// active says whether a trunk adapter bridges now.
func (s *Session) active(e *graph.Element) (bool, error) {
	return shown(s, e, e.Is.Bridges, "whether the trunk adapter is active", entstat(e), worded[bool]("Active: %t"))
}

// priority gives a trunk adapter's number: of several for one VLAN the lowest
// bridges.
func (s *Session) priority(e *graph.Element) (int, error) {
	if sea := e.Of.Elements[e.Is.MemberOf]; e.Is.Priority == nil && sea != nil && sea.Priority != nil {
		// It is printed once for all trunk adapters of an SEA.
		s.saw(e, "entstat -d "+sea.Name, "%s Priority: %d", sea.Name, *sea.Priority)
		return *sea.Priority, nil
	}
	return shown(s, e, e.Is.Priority, "trunk priority", entstat(e), worded[int]("Priority: %d"))
}

func (s *Session) pvid(e *graph.Element) (int, error) {
	return shown(s, e, e.Is.PVID, "port VLAN id", entstat(e), worded[int]("Port VLAN ID: %d"))
}

// vswitch gives the hypervisor switch of a virtual adapter.
func (s *Session) vswitch(e *graph.Element) (string, error) {
	if e.Is.VSwitch == "" {
		return "", e.Missing("hypervisor switch", entstat(e))
	}
	return e.Is.VSwitch, nil
}

// tag gives the VLAN of a VLAN device.
func (s *Session) tag(e *graph.Element) (int, error) {
	if len(e.Is.VLANs) != 1 {
		return 0, e.Missing("VLAN tag", "lsattr -El "+e.Name+" -a vlan_tag_id")
	}
	return shown(s, e, &e.Is.VLANs[0], "VLAN tag", "lsattr -El "+e.Name, worded[int]("has the tag %d"))
}

func (s *Session) haState(e *graph.Element) (string, error) {
	return shown(s, e, optional(e.Is.HAState), "high availability state", entstat(e), worded[string]("State: %s"))
}

// bridgeMode says what an SEA bridges: all, partial or none; "" if it prints none
// of these.
func (s *Session) bridgeMode(e *graph.Element) string {
	mode := strings.ToLower(e.Is.BridgeMode)
	if mode != "all" && mode != "partial" && mode != "none" {
		return ""
	}
	s.saw(e, entstat(e), "%s Bridge Mode: %s", e.Name, e.Is.BridgeMode)
	return mode
}

// sharedVLANs gives the VLANs that an SEA which shares says it bridges (VID
// shared); none on levels that do not print it.
func (s *Session) sharedVLANs(e *graph.Element) []int {
	if len(e.Is.Shared) > 0 {
		s.saw(e, entstat(e), "%s VID shared: %s", e.Name, strings.Trim(fmt.Sprint(e.Is.Shared), "[]"))
	}
	return e.Is.Shared
}

// flowControl says whether a port and its switch use pause frames: on or off; ""
// if the driver does not print it.
func (s *Session) flowControl(e *graph.Element) string {
	if e.Is.FlowControl == nil {
		return ""
	}
	on, _ := shown(s, e, e.Is.FlowControl, "", entstat(e), either("flow control status: enabled", "flow control status: disabled"))
	return either("on", "off")(on)
}

// flag says whether an interface or driver flag is set. Of a damaged list a flag
// that is not in it is not known.
func (s *Session) flag(e *graph.Element, name string) (bool, error) {
	has := flagged(e.Is.Flags, name)
	command := entstat(e)
	if e.Is.Kind == inventory.Interface {
		command = "ifconfig " + e.Name
	}
	switch {
	case len(e.Is.Flags) == 0:
		return false, e.Missing("flags", command)
	case e.Is.FlagsCut && !has:
		return false, e.Missing("whether "+name+" is set: the list of flags is damaged", command)
	}
	s.saw(e, command, "%s flags: %s", e.Name, strings.Join(e.Is.Flags, ","))
	return has, nil
}

// flagged looks for a flag, also for one that a narrow terminal broke in two.
func flagged(flags []string, name string) bool {
	for i, f := range flags {
		if strings.EqualFold(f, name) || i > 0 && strings.EqualFold(flags[i-1]+f, name) {
			return true
		}
	}
	return false
}

// ifconfigRead says whether the interface's flags, which only ifconfig prints,
// were read.
func ifconfigRead(e *graph.Element) bool {
	return slices.ContainsFunc(e.Is.Flags, func(f string) bool { return strings.EqualFold(f, "UP") || strings.EqualFold(f, "BROADCAST") })
}

// entitled gives the processor capacity that the host's partition is entitled to.
func entitled(e *graph.Element) (float64, error) {
	if v := e.Of.Partition.Entitled; v != nil {
		return *v, nil
	}
	return 0, &graph.Missing{Fact: e.Host + ": entitled (lparstat -i)"}
}

func virtualCPUs(e *graph.Element) (int, error) {
	if v := e.Of.Partition.VirtualCPUs; v != nil {
		return *v, nil
	}
	return 0, &graph.Missing{Fact: e.Host + ": virtual cpus (lparstat -i)"}
}
