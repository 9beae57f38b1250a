package graph

import (
	"slices"
	"strings"

	"seaworthy/inventory"
)

// What HMCs listed of adapters: those of partitions that were not read, and,
// where a list holds every one of a managed system, that there is no other.

// hmcInventory is an HMC's list of all virtual Ethernet adapters of a managed
// system.
type hmcInventory struct {
	command  string
	adapters []*inventory.AdapterProfile
}

// addHMCs indexes what HMCs listed: the clients of each SEA that were not read,
// and whole lists by managed system.
func (g *Graph) addHMCs() {
	for _, u := range g.fleet.Unread() {
		e := &Element{Kind: string(inventory.Virtual), Name: u.Adapter.Name, Host: u.Host.Name, Platform: string(u.Host.Platform),
			Machine: u.Host.MachineID, Of: u.Host, Is: u.Adapter, graph: g}
		bridges, _ := g.bridging.Of(u.Host, u.Adapter)
		for _, b := range bridges {
			if sea := g.At(b.SEA); sea != nil && !slices.Contains(g.unread[sea], e) {
				g.unread[sea] = append(g.unread[sea], e)
				g.source[e] = u.HMC
			}
		}
	}
	for _, c := range g.fleet.HMCs {
		for i := range c.Adapters {
			a := &c.Adapters[i]
			command, whole := c.Whole[a.List]
			if !whole || a.System == "" || a.Kind != inventory.Virtual {
				continue
			}
			all := g.bySystem[a.System]
			if all == nil || all.command != command { // a later list is the newer
				all = &hmcInventory{command: command}
				g.bySystem[a.System] = all
			}
			all.adapters = append(all.adapters, a)
		}
	}
}

// UnreadClients gives the clients of an SEA that only an HMC knows.
func (e *Element) UnreadClients() []*Element { return e.graph.unread[e] }

// Source gives the HMC that knows an unread client.
func (e *Element) Source() string { return e.graph.source[e] }

// listed gives an HMC's list of e's whole managed system; nil if there is none
// that has e too.
func (e *Element) listed() *hmcInventory {
	all := e.graph.bySystem[e.Machine]
	if all == nil || !slices.ContainsFunc(all.adapters, func(a *inventory.AdapterProfile) bool { return a.Is != nil && *a.Is == e.Ref() }) {
		return nil
	}
	return all
}

// inVLAN gives the listed adapters of one VLAN of e's hypervisor switch, other than e.
func (all *hmcInventory) inVLAN(e *Element, vlan int) (found []*inventory.AdapterProfile, err error) {
	for _, a := range all.adapters {
		if a.Is != nil && *a.Is == e.Ref() || a.PVID == nil || *a.PVID != vlan && !slices.Contains(a.VLANs, vlan) {
			continue
		}
		switch {
		case a.VSwitch == e.Is.VSwitch:
			if a.Trunk == nil {
				return nil, e.Missing("whether the adapter of "+a.LPAR+" in its VLAN is a trunk adapter", all.command)
			}
			found = append(found, a)
		case a.VSwitch == "" || e.Is.VSwitch == "":
			return nil, e.Missing("the hypervisor switch of an adapter in its VLAN", "lshwres -r virtualio --rsubtype eth --level lpar")
		}
	}
	return found, nil
}

// Proof is what an HMC's list shows about an adapter's VLANs.
type Proof struct {
	Command string
	Adapter *Element
	VLAN    int
	Others  int // other adapters in the VLAN
}

// InternalOnly says whether nothing but partitions of its own managed system is
// in an interface's VLAN, and at least one other is.
func (e *Element) InternalOnly() (is bool, proofs []Proof, err error) {
	adapters, tag, err := e.leaves()
	if err != nil {
		return false, nil, err
	}
	if trunks, _ := e.Carriers(); len(trunks) > 0 {
		return false, nil, nil
	}
	others := 0
	for _, a := range adapters {
		all := a.listed()
		if tag == nil {
			tag = a.Is.PVID
		}
		if all == nil || tag == nil {
			return false, nil, e.Missing("whether an SEA carries its VLAN",
				"on the HMC: lshwres -r virtualio --rsubtype eth --level lpar -m SYSTEM, or --fact private_vlan")
		}
		found, err := all.inVLAN(a, *tag)
		if err != nil {
			return false, nil, err
		}
		if slices.ContainsFunc(found, func(x *inventory.AdapterProfile) bool { return *x.Trunk }) {
			return false, nil, nil
		}
		others += len(found)
		proofs = append(proofs, Proof{all.command, a, *tag, len(found)})
	}
	return others > 0, proofs, nil
}

// HasNoPeer proves that no other VIOS has a trunk adapter for an SEA's VLANs; an
// error says that this is not known.
func (e *Element) HasNoPeer() (proofs []Proof, err error) {
	trunks, err := e.Trunks()
	if err != nil {
		return nil, err
	}
	unknown := &Missing{"the other SEA of the pair of " + e.Host + " " + e.Name + " is not in this audit"}
	for _, t := range trunks {
		all := t.listed()
		if all == nil || t.Is.PVID == nil {
			return nil, unknown
		}
		for _, v := range append([]int{*t.Is.PVID}, t.Is.VLANs...) {
			found, err := all.inVLAN(t, v)
			if err != nil {
				return nil, err
			}
			for _, x := range found {
				if *x.Trunk && !strings.EqualFold(x.LPAR, e.Of.Partition.Name) && (x.Is == nil || x.Is.Host != e.Host) {
					return nil, &Missing{unknown.Fact + ": " + x.LPAR} // there is one, which was not read
				}
			}
		}
		proofs = append(proofs, Proof{all.command, t, *t.Is.PVID, 0})
	}
	return proofs, nil
}
