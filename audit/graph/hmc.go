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
	adapters []*Element
}

// addHMCs indexes what HMCs listed: the clients of each SEA that were not read,
// and whole lists by managed system.
func (g *Graph) addHMCs() {
	for _, u := range g.fleet.Unread() {
		e := g.unreadAdapter(u.Host, u.Adapter)
		e.Source = u.HMC
		bridges, _ := g.bridging.Of(u.Host, u.Adapter)
		for _, b := range bridges {
			if sea := g.At(b.SEA); sea != nil && !slices.Contains(g.unread[sea], e) {
				g.unread[sea] = append(g.unread[sea], e)
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
			all.adapters = append(all.adapters, g.profiled(a))
		}
	}
}

// profiled gives an adapter that was read, or what an HMC says of one that was not.
func (g *Graph) profiled(a *inventory.AdapterProfile) *Element {
	if a.Is != nil && g.At(*a.Is) != nil {
		return g.At(*a.Is)
	}
	h := &inventory.Host{Name: a.LPAR, Platform: a.Runs, MachineID: a.System}
	for _, x := range g.fleet.Hosts {
		if x.MachineID == a.System && strings.EqualFold(x.Partition.Name, a.LPAR) {
			h = x
		}
	}
	return g.unreadAdapter(h, a.Element())
}

func (g *Graph) unreadAdapter(h *inventory.Host, is *inventory.Element) *Element {
	return &Element{Kind: string(inventory.Virtual), Name: is.Name, Host: h.Name, Platform: string(h.Platform),
		Machine: h.MachineID, Of: h, Is: is, graph: g}
}

// UnreadClients gives the clients of an SEA that only an HMC knows.
func (e *Element) UnreadClients() []*Element { return e.graph.unread[e] }

// Listed gives all virtual Ethernet adapters of e's managed system, as a command of
// an HMC listed them.
func (e *Element) Listed() (adapters []*Element, command string, err error) {
	all := e.graph.bySystem[e.Machine]
	if all == nil || !slices.Contains(all.adapters, e) {
		return nil, "", e.Missing("whether an SEA carries its VLAN",
			"on the HMC: lshwres -r virtualio --rsubtype eth --level lpar -m SYSTEM, or --fact private_vlan")
	}
	return all.adapters, all.command, nil
}
