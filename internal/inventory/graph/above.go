package graph

import (
	"slices"

	"seaworthy/internal/inventory/model"
)

// Above gives what is directly on top of an element.
func (e *Element) Above() []*Element {
	var out []*Element
	for _, x := range e.Up(On, Real, Trunk, Member, Backup) {
		if !endsIn(out, x.From) {
			out = append(out, x.From)
		}
	}
	return out
}

// Owners gives every SEA and EtherChannel on top of an adapter.
func (e *Element) Owners() []*Element {
	return walkUp(e, func(o *Element) bool { return o.Is.Kind == model.SEA || o.Is.Kind == model.EtherChannel }, true)
}

// SEA gives the SEA that an element is, or is part of: as its real adapter, a member of that, a
// trunk adapter or its control channel; nil without one.
func (e *Element) SEA() *Element {
	next, met := []*Element{e}, map[*Element]bool{e: true}
	for ; len(next) > 0; next = next[1:] {
		x := next[0]
		if x.Is.Kind == model.SEA {
			return x
		}
		for _, owner := range x.Up(Real, Trunk, Control, Member, Backup) {
			if !met[owner.From] {
				met[owner.From] = true
				next = append(next, owner.From)
			}
		}
	}
	return nil
}

// Interfaces gives the IP interfaces on top of an adapter, also through
// EtherChannels, SEAs and VLAN devices.
func (e *Element) Interfaces() []*Element {
	return walkUp(e, func(o *Element) bool { return o.Is.Kind == model.Interface }, false)
}

// walkUp walks up from e and gives what is wanted, each once, nearest first;
// through says whether only what is wanted is walked through.
func walkUp(e *Element, wanted func(*Element) bool, through bool) []*Element {
	var out []*Element
	given := map[*Element]bool{e: true}
	level := []*Element{e}
	walked := map[*Element]bool{e: true}
	for len(level) > 0 {
		var next []*Element
		for _, x := range level {
			for _, o := range x.Above() {
				if wanted(o) && !given[o] {
					given[o], out = true, append(out, o)
				}
				if wanted(o) == through && !walked[o] {
					walked[o], next = true, append(next, o)
				}
			}
		}
		level = next
	}
	return out
}

// Below gives all that an element uses on its host, each once; what its first part uses comes
// before its second part.
func (e *Element) Below() []*Element {
	var out []*Element
	met := map[*Element]bool{e: true}
	var visit func(*Element)
	visit = func(x *Element) {
		for _, lower := range x.Down(On, Real, Trunk, Control, Member, Backup) {
			if lower.To != nil && !met[lower.To] {
				met[lower.To] = true
				out = append(out, lower.To)
				visit(lower.To)
			}
		}
	}
	visit(e)
	return out
}

// Siblings gives the elements of a kind on e's host.
func Siblings(e *Element, kind string) []*Element {
	return slices.DeleteFunc(slices.Clone(e.graph.byHost[e.Host]), func(x *Element) bool { return x.Kind != kind })
}

// Tunables gives the no or sysctl options of e's host.
func Tunables(e *Element) *Element {
	all := e.graph.byHost[e.Host]
	if len(all) == 0 { // it was not read
		return nil
	}
	return all[len(all)-1]
}

// MachinePlatforms gives the platforms of the hosts on e's managed system.
func MachinePlatforms(e *Element) []string { return e.graph.platforms[e.Machine] }

// BridgedBy gives the trunk adapters, of all VIOSes, that carry a virtual
// adapter's VLANs.
func (e *Element) BridgedBy() (trunks []*Element, err error) {
	bridges, gap := e.Bridges()
	if gap != nil {
		return nil, e.Missing("its SEA: "+gap.Why, "")
	}
	return trunksOf(bridges), nil
}

// Carriers gives the trunk adapters that carry an element's frames: of an
// interface those of its own VLAN, of an adapter those of all its VLANs. The
// error says why none was found.
func (e *Element) Carriers() (trunks []*Element, err error) {
	adapters, tag, err := leavesBy(e)
	if err != nil {
		return nil, err
	}
	var missing error
	var all []Edge
	for _, a := range adapters {
		bridges, gap := a.BridgesOf(tag)
		if a == e && !e.Linux() {
			bridges, gap = a.Bridges()
		}
		if gap != nil && missing == nil {
			missing = e.Missing("its SEA: "+gap.Why, "")
		}
		all = append(all, bridges...)
	}
	if len(all) == 0 {
		return nil, missing
	}
	return trunksOf(all), nil
}

// trunksOf gives the trunk adapters of BridgedBy edges, each once.
func trunksOf(bridges []Edge) []*Element {
	var out []*Element
	has := make(map[*Element]bool, len(bridges))
	for _, x := range bridges {
		if !has[x.To] {
			has[x.To] = true
			out = append(out, x.To)
		}
	}
	return out
}

// Clients gives the interfaces of the LPARs that an SEA, or one trunk adapter
// of it, carries, as far as they are in the audit.
func (e *Element) Clients() ([]*Element, error) {
	if e.Machine == "" {
		return nil, e.Missing("its clients: the managed system of "+e.Host+" is not known", "")
	}
	var out []*Element
	for _, a := range clientAdapters(e, func(client *Element) bool { return client.Source == "" }) {
		interfaces := a.Interfaces()
		if len(interfaces) == 0 {
			interfaces = []*Element{a} // on Linux adapter and interface are one
		}
		if len(a.Is.VLANs) > 0 { // each of its interfaces has its own VLAN
			interfaces = slices.DeleteFunc(interfaces, func(i *Element) bool {
				trunks, err := i.Carriers()
				return err == nil && !slices.ContainsFunc(trunks, func(t *Element) bool { return t == e || slices.Contains(t.Above(), e) })
			})
		}
		out = append(out, interfaces...)
	}
	if len(out) == 0 {
		return nil, e.Missing("its clients: none is in this audit", "")
	}
	slices.SortFunc(out, byRef)
	return slices.Compact(out), nil
}

// clientAdapters gives the wanted adapters that a trunk adapter, or those of an SEA, carry, each once.
func clientAdapters(e *Element, wanted func(client *Element) bool) []*Element {
	edges := e.Up(BridgedBy)
	for _, x := range e.Down(Trunk) {
		if x.To != nil {
			edges = append(edges, x.To.Up(BridgedBy)...)
		}
	}
	var out []*Element
	has := map[*Element]bool{}
	for _, x := range edges {
		if !has[x.From] && wanted(x.From) {
			has[x.From] = true
			out = append(out, x.From)
		}
	}
	return out
}

// UnmatchedClients gives client adapters that may belong to an SEA but lack what
// a join needs: their managed system, VLAN or SEA was not read.
func UnmatchedClients(e *Element) []*Element {
	out := slices.Clone(e.graph.unmatched[""])
	if e.Machine != "" {
		out = append(out, e.graph.unmatched[e.Machine]...)
	}
	return out
}

// Partners gives the SEAs of other VIOSes on the same managed system that have a
// trunk adapter for the same switch and VLAN: the other half of a pair. With an error,
// those that are known all the same.
func (e *Element) Partners() ([]*Element, error) {
	trunks, err := e.Trunks()
	if err != nil {
		return nil, err
	}
	if e.Machine == "" {
		return nil, e.Missing("its partner: the managed system of "+e.Host+" is not known", "")
	}
	var out []*Element
	for _, t := range trunks {
		if _, missing := t.VLANs(); missing != nil && err == nil {
			err = missing
		}
		same, _ := t.Bridges() // its own SEA at least
		for _, x := range same {
			if x.SEA.Host != e.Host && !slices.Contains(out, x.SEA) {
				out = append(out, x.SEA)
			}
		}
	}
	return out, err
}
