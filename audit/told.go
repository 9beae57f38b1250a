package audit

import (
	"fmt"
	"slices"
	"strings"

	"seaworthy/inventory"
)

// What an HMC told of adapters: those of partitions that were not read, and,
// where it listed every one of a managed system, that there is no other.

// census is an HMC's list of all virtual Ethernet adapters of a managed system.
type census struct {
	command  string
	adapters []*inventory.AdapterProfile
}

// addConsoles indexes what HMCs told: the clients of each SEA that were not read,
// and whole lists by managed system.
func (j *joins) addConsoles() {
	for _, u := range j.fleet.Unread() {
		e := &element{Kind: string(inventory.Virtual), Name: u.Adapter.Name, Host: u.Host.Name, Platform: string(u.Host.Platform),
			Machine: u.Host.MachineID, of: u.Host, is: u.Adapter, join: j}
		bridges, _ := j.bridging.Of(u.Host, u.Adapter)
		for _, b := range bridges {
			if sea := j.at(b.SEA); sea != nil && !slices.Contains(j.unread[sea], e) {
				j.unread[sea] = append(j.unread[sea], e)
				j.teller[e] = u.HMC
			}
		}
	}
	for _, c := range j.fleet.HMCs {
		for i := range c.Adapters {
			a := &c.Adapters[i]
			command, whole := c.Whole[a.List]
			if !whole || a.System == "" || a.Kind != inventory.Virtual {
				continue
			}
			all := j.told[a.System]
			if all == nil || all.command != command { // a later list is the newer
				all = &census{command: command}
				j.told[a.System] = all
			}
			all.adapters = append(all.adapters, a)
		}
	}
}

// unreadClients gives the clients of an SEA that only an HMC knows.
func (s *session) unreadClients(sea *element) []*element {
	list := s.joins.unread[sea]
	for _, e := range list {
		if e.Platform != "" {
			s.seen.add(Evidence{Host: sea.Host, Text: fmt.Sprintf("%s %s, by its VLAN a client: %s says that it runs %s", e.Host, e.Name, s.joins.teller[e], e.Platform)})
		}
	}
	return list
}

// lists says whether an HMC listed a whole managed system, an adapter of a host
// that was read among the others.
func (j *joins) lists(e *element) *census {
	all := j.told[e.Machine]
	if all == nil || !slices.ContainsFunc(all.adapters, func(a *inventory.AdapterProfile) bool { return a.Is != nil && *a.Is == e.ref() }) {
		return nil
	}
	return all
}

// inVLAN gives the listed adapters of one VLAN of e's hypervisor switch, beside e.
func (c *census) inVLAN(e *element, vlan int) (found []*inventory.AdapterProfile, err error) {
	for _, a := range c.adapters {
		if a.Is != nil && *a.Is == e.ref() || a.PVID == nil || *a.PVID != vlan && !slices.Contains(a.VLANs, vlan) {
			continue
		}
		switch {
		case a.VSwitch == e.is.VSwitch:
			if a.Trunk == nil {
				return nil, missing(describe(e, "whether the adapter of "+a.LPAR+" in its VLAN is a trunk adapter", c.command))
			}
			found = append(found, a)
		case a.VSwitch == "" || e.is.VSwitch == "":
			return nil, missing(describe(e, "the hypervisor switch of an adapter in its VLAN", "lshwres -r virtualio --rsubtype eth --level lpar"))
		}
	}
	return found, nil
}

// internalOnly says whether nothing but partitions of its own managed system is in an
// interface's VLAN, and at least one other is.
func (s *session) internalOnly(e *element) (bool, error) {
	adapters, tag, err := s.joins.under(e)
	if err != nil {
		return false, err
	}
	if trunks, _ := s.joins.ways(e); len(trunks) > 0 {
		return false, nil
	}
	others := 0
	for _, a := range adapters {
		all := s.joins.lists(a)
		if tag == nil {
			tag = a.is.PVID
		}
		if all == nil || tag == nil {
			return false, missing(describe(e, "whether an SEA carries its VLAN", "on the HMC: lshwres -r virtualio --rsubtype eth --level lpar -m SYSTEM, or --fact private_vlan"))
		}
		found, err := all.inVLAN(a, *tag)
		if err != nil {
			return false, err
		}
		for _, x := range found {
			if *x.Trunk {
				return false, nil
			}
		}
		others += len(found)
		s.seen.add(Evidence{Host: e.Host, Command: all.command, Text: fmt.Sprintf("no trunk adapter is in VLAN %d of %s; %s of partitions are besides %s", *tag, e.Machine, counted(len(found), "adapter"), a.Name)})
	}
	return others > 0, nil
}

// hasNoPeer says whether no other VIOS has a trunk adapter for an SEA's VLANs.
func (s *session) hasNoPeer(e *element) (bool, error) {
	trunks, err := s.joins.list(e, e.is.Trunks, "trunk adapters")
	if err != nil {
		return false, err
	}
	for _, t := range trunks {
		all := s.joins.lists(t)
		if all == nil || t.is.PVID == nil {
			return false, missing("the other SEA of the pair of " + e.Host + " " + e.Name + " is not in this audit")
		}
		for _, v := range append([]int{*t.is.PVID}, t.is.VLANs...) {
			found, err := all.inVLAN(t, v)
			if err != nil {
				return false, err
			}
			for _, x := range found {
				if *x.Trunk && !strings.EqualFold(x.LPAR, e.of.Partition.Name) && (x.Is == nil || x.Is.Host != e.Host) {
					// There is one, which was not read.
					return false, missing("the other SEA of the pair of " + e.Host + " " + e.Name + " is not in this audit: " + x.LPAR)
				}
			}
		}
		s.seen.add(Evidence{Host: e.Host, Command: all.command, Text: fmt.Sprintf("no other partition of %s has a trunk adapter for the VLANs of %s", e.Machine, t.Name)})
	}
	return true, nil
}
