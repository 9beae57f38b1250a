package graph

import (
	"cmp"
	"maps"
	"slices"

	"seaworthy/internal/inventory/model"
)

// Segment is a VLAN of a hypervisor switch: who is in it, and who bridges it.
type Segment struct {
	model.Segment
	Clients []string    `json:"clients"` // hosts, also those that only an HMC knows
	Active  []model.Ref `json:"active"`  // SEAs that bridge it now; more than one is a split brain
	Standby []model.Ref `json:"standby"` // SEAs that could
	Unknown []model.Ref `json:"unknown"` // SEAs of which it is not known; then that of no other is
}

// Segments lists the VLANs of all hypervisor switches, by system, switch and VLAN.
func (g *Graph) Segments() []Segment {
	all := map[model.Segment]*Segment{}
	at := func(e *Element, vlan int) *Segment {
		key := model.Segment{System: e.Machine, VSwitch: e.Is.VSwitch, VLAN: vlan}
		if all[key] == nil {
			all[key] = &Segment{Segment: key, Clients: []string{}, Active: []model.Ref{}, Standby: []model.Ref{}, Unknown: []model.Ref{}}
		}
		return all[key]
	}
	for _, e := range g.each() {
		switch {
		case e.Is.Kind == model.SEA:
			for _, x := range trunkVLANs(e) {
				at(x.To, x.VLAN).note(x)
			}
		case e.Is.Kind == model.Virtual && !e.Of.Serves(e.Is):
			for _, vlan := range carried(e) {
				if s := at(e, vlan); !slices.Contains(s.Clients, e.Host) {
					s.Clients = append(s.Clients, e.Host)
				}
			}
		}
	}
	out := make([]Segment, 0, len(all))
	for _, s := range slices.SortedFunc(maps.Values(all), func(a, b *Segment) int {
		return cmp.Or(cmp.Compare(a.System, b.System), cmp.Compare(a.VSwitch, b.VSwitch), a.VLAN-b.VLAN)
	}) {
		slices.SortFunc(s.Clients, model.Natural)
		s.doubt()
		out = append(out, *s)
	}
	return out
}

// each returns all elements of hosts, then the adapters that only an HMC knows.
func (g *Graph) each() []*Element {
	var out []*Element
	for _, h := range g.fleet.Hosts {
		if g.hosts[h.Name] == h {
			out = append(out, g.Of(h.Name)...)
		}
	}
	return append(out, g.known...)
}

// trunkVLANs returns an edge for each VLAN of each trunk adapter of an SEA.
func trunkVLANs(e *Element) []Edge {
	var out []Edge
	added := map[*Element]bool{}
	for _, x := range e.Down(Trunk) {
		if x.To == nil || added[x.To] {
			continue
		}
		added[x.To] = true
		for _, vlan := range carried(x.To) {
			out = append(out, bridgeOver(e, x.To, vlan))
		}
	}
	return out
}

func (s *Segment) note(x Edge) {
	r := x.SEA.Ref()
	list := &s.Standby
	switch {
	case x.State == Unknown || s.System == "": // of which system it is, is not known
		list = &s.Unknown
	case x.State == Active:
		list = &s.Active
	}
	if !slices.Contains(*list, r) {
		*list = append(*list, r)
	}
}

// doubt makes all SEAs unknown where one is: a pair shares its VLANs, so the other may have
// any of them.
func (s *Segment) doubt() {
	if len(s.Unknown) > 0 {
		s.Unknown = slices.Concat(s.Unknown, s.Active, s.Standby)
		s.Active, s.Standby = []model.Ref{}, []model.Ref{}
	}
	for _, list := range [][]model.Ref{s.Active, s.Standby, s.Unknown} {
		slices.SortFunc(list, model.Ref.Compare)
	}
}

// Active returns, for each segment that an SEA can bridge, the SEAs that bridge it
// now, in the order of their names. A segment with an SEA that does not say is
// left out: who is active is not known then.
func (g *Graph) Active() map[model.Segment][]model.Ref {
	out := map[model.Segment][]model.Ref{}
	for _, s := range g.Segments() {
		if len(s.Unknown) == 0 && len(s.Active)+len(s.Standby) > 0 {
			out[s.Segment] = s.Active
		}
	}
	return out
}

// Bridging returns the VLANs that a trunk adapter, or an SEA by all of its, carries now and those
// that it leaves to its partner, sorted. VLANs of which it does not say are in neither.
func (e *Element) Bridging() (now, standby []int) {
	var all []Edge
	if e.Is.Kind == model.SEA {
		all = trunkVLANs(e)
	}
	for _, x := range e.Up(Trunk) {
		for _, b := range trunkVLANs(x.From) {
			if b.To == e {
				all = append(all, b)
			}
		}
	}
	for _, x := range all {
		switch x.State {
		case Active:
			now = append(now, x.VLAN)
		case Standby:
			standby = append(standby, x.VLAN)
		}
	}
	slices.Sort(now)
	slices.Sort(standby)
	return slices.Compact(now), slices.Compact(standby)
}
