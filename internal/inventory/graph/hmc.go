package graph

import (
	"strings"

	"seaworthy/internal/inventory/model"
)

// What HMCs listed of adapters: those of partitions that were not read, and,
// where a list holds every one of a managed system, that there is no other.

// hmcInventory is an HMC's list of all virtual Ethernet adapters of a managed
// system.
type hmcInventory struct {
	command  string
	adapters []*Element
	has      map[*Element]bool
}

// addHMCs indexes what HMCs listed: the clients of each SEA that were not read,
// and whole lists by managed system.
func (g graphBuilder) addHMCs() {
	for _, u := range g.fleet.Unread() {
		e := g.element(u.Host, string(model.Virtual), u.Adapter.Name, u.Adapter)
		e.Source = u.HMC
		g.known = append(g.known, e)
		bridges, _ := e.Bridges()
		for _, x := range bridges {
			addUp(x.To, x)
		}
	}
	named := map[[2]string]*model.Host{} // by managed system, and name in small letters
	for _, h := range g.fleet.Hosts {
		named[[2]string{h.MachineID, strings.ToLower(h.Partition.Name)}] = h
	}
	for _, c := range g.fleet.HMCs {
		for i := range c.Adapters {
			a := &c.Adapters[i]
			command, whole := c.Whole[a.List]
			if !whole || a.System == "" || a.Kind != model.Virtual {
				continue
			}
			all := g.bySystem[a.System]
			if all == nil || all.command != command { // a later list is the newer
				all = &hmcInventory{command: command, has: map[*Element]bool{}}
				g.bySystem[a.System] = all
			}
			e := g.profiled(a, named)
			all.adapters, all.has[e] = append(all.adapters, e), true
		}
	}
}

// profiled gives an adapter that was read, or what an HMC says of one that was not.
func (g graphBuilder) profiled(a *model.AdapterProfile, named map[[2]string]*model.Host) *Element {
	if a.Is != nil && g.At(*a.Is) != nil {
		return g.At(*a.Is)
	}
	h := named[[2]string{a.System, strings.ToLower(a.LPAR)}]
	if h == nil {
		h = &model.Host{Name: a.LPAR, Platform: a.Runs, MachineID: a.System}
	}
	is := a.Element()
	return g.element(h, string(model.Virtual), is.Name, is)
}

// UnreadClients gives the clients of an SEA that only an HMC knows.
func UnreadClients(e *Element) []*Element {
	return clientAdapters(e, func(client *Element) bool { return client.Source != "" })
}

// Listed gives all virtual Ethernet adapters of e's managed system, as a command of
// an HMC listed them.
func Listed(e *Element) (adapters []*Element, command string, err error) {
	all := e.graph.bySystem[e.Machine]
	if all == nil || !all.has[e] {
		return nil, "", e.Missing("whether an SEA carries its VLAN",
			"on the HMC: lshwres -r virtualio --rsubtype eth --level lpar -m SYSTEM, or --fact private_vlan")
	}
	return all.adapters, all.command, nil
}
