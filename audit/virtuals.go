package audit

import (
	"fmt"
	"slices"
	"strings"

	"seaworthy/inventory"
)

// under gives the virtual adapters by which an element's frames leave its host:
// the one below an interface, also through a VLAN device, or both of a Network
// Interface Backup. None if it stands on ports. The tag is a VLAN device's; nil
// without one.
func (j *joins) under(e *element) (adapters []*element, tag *int, err error) {
	for range maxDepth {
		switch e.is.Kind {
		case inventory.Virtual:
			return []*element{e}, tag, nil
		case inventory.EtherChannel:
			names := e.is.Members
			if b := e.is.Backup(); b != "" {
				names = append(slices.Clone(names), b)
			}
			for _, n := range names {
				m, err := j.named(e, n)
				if err != nil {
					return nil, nil, err
				}
				if m.is.Kind != inventory.Virtual {
					return nil, nil, nil
				}
				adapters = append(adapters, m)
			}
			return adapters, tag, nil
		case inventory.Interface, inventory.VLANDevice:
			if e.is.Kind == inventory.VLANDevice && len(e.is.VLANs) == 1 {
				tag = &e.is.VLANs[0]
			}
			if e.of.Platform == inventory.Linux && e.is.On == "" {
				if strings.Contains(e.is.Driver, "ibmveth") {
					return []*element{e}, tag, nil
				}
				return nil, nil, nil
			}
			next, err := j.named(e, e.is.On)
			if err != nil {
				return nil, nil, err
			}
			e = next
		case inventory.Adapter:
			_, err := j.adapterOf(e)
			return nil, nil, err
		default:
			return nil, nil, nil
		}
	}
	return nil, nil, missing(describe(e, "the adapter below it: the chain of devices does not end", ""))
}

// ways gives the trunk adapters that carry an element's frames: of an interface
// those of its own VLAN, of an adapter those of all its VLANs. A gap is told where
// none is found.
func (j *joins) ways(e *element) (trunks []*element, err error) {
	adapters, tag, err := j.under(e)
	if err != nil {
		return nil, err
	}
	gap := ""
	for _, a := range adapters {
		bridges, g := j.bridging.On(a.of, a.is, tag)
		if a == e && e.of.Platform != inventory.Linux {
			bridges, g = j.bridging.Of(a.of, a.is)
		}
		if g != nil && gap == "" {
			gap = describe(e, "its SEA: "+g.Why, "")
		}
		for _, b := range bridges {
			if t := j.at(inventory.Ref{Host: b.SEA.Host, Element: b.Trunk}); t != nil && !slices.Contains(trunks, t) {
				trunks = append(trunks, t)
			}
		}
	}
	if len(trunks) == 0 && gap != "" {
		return nil, missing(gap)
	}
	return trunks, nil
}

// virtual says whether an element's frames leave its host by virtual adapters.
func (s *session) virtual(e *element) (bool, error) {
	list, _, err := s.joins.under(e)
	return len(list) > 0, err
}

// virtualAdapters gives these adapters.
func (s *session) virtualAdapters(e *element) ([]*element, error) {
	list, _, err := s.joins.under(e)
	return list, err
}

// priority gives a trunk adapter's number: of several for one VLAN the lowest
// bridges.
func (s *session) priority(e *element) (int, error) {
	of := e.is
	if sea := e.of.Elements[e.is.MemberOf]; of.Priority == nil && sea != nil {
		of = sea // prints it for all its trunk adapters
	}
	if of.Priority == nil {
		return 0, missing(describe(e, "trunk priority", "entstat -d "+e.Name))
	}
	s.seen.add(Evidence{Host: e.Host, Command: "entstat -d " + of.Name, Text: fmt.Sprintf("%s Priority: %d", of.Name, *of.Priority)})
	return *of.Priority, nil
}

// active says whether a trunk adapter bridges now.
func (s *session) active(e *element) (bool, error) {
	if e.is.Bridges == nil {
		return false, missing(describe(e, "whether the trunk adapter is active", "entstat -d "+e.Name))
	}
	s.seen.add(Evidence{Host: e.Host, Command: "entstat -d " + e.Name, Text: fmt.Sprintf("%s Active: %t", e.Name, *e.is.Bridges)})
	return *e.is.Bridges, nil
}

// splitBrain says whether a trunk adapter's VLANs are bridged by both VIOSes of a pair,
// or by neither; false where only one of the pair was read.
func (s *session) splitBrain(t *element) (bool, error) {
	own, err := s.active(t)
	if err != nil {
		return false, err
	}
	trunks, gap := s.joins.carriers(t)
	if gap != "" {
		return false, missing(gap)
	}
	others := 0
	for _, x := range trunks {
		if x.Host == t.Host {
			continue
		}
		other, err := s.active(x)
		if err != nil {
			return false, err
		}
		if others++; other && own {
			return true, nil
		}
		own = own || other
	}
	return others > 0 && !own, nil
}

// vswitch gives the hypervisor switch of a virtual adapter.
func (s *session) vswitch(e *element) (string, error) {
	if e.is.VSwitch == "" {
		return "", missing(describe(e, "hypervisor switch", "entstat -d "+e.Name))
	}
	return e.is.VSwitch, nil
}

// tag gives the VLAN of a VLAN device.
func (s *session) tag(e *element) (int, error) {
	if len(e.is.VLANs) != 1 {
		return 0, missing(describe(e, "VLAN tag", "lsattr -El "+e.Name+" -a vlan_tag_id"))
	}
	s.seen.add(Evidence{Host: e.Host, Command: "lsattr -El " + e.Name, Text: fmt.Sprintf("%s has the tag %d", e.Name, e.is.VLANs[0])})
	return e.is.VLANs[0], nil
}
