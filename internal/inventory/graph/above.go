package graph

import (
	"slices"

	"seaworthy/internal/inventory/model"
)

// Owners gives every SEA and EtherChannel on top of an adapter.
func (e *Element) Owners() []*Element {
	return e.above(func(o *Element) bool { return o.Is.Kind == model.SEA || o.Is.Kind == model.EtherChannel }, true)
}

// Interfaces gives the IP interfaces on top of an adapter, also through
// EtherChannels, SEAs and VLAN devices.
func (e *Element) Interfaces() []*Element {
	return e.above(func(o *Element) bool { return o.Is.Kind == model.Interface }, false)
}

// above walks up from e and gives what is wanted, each once, nearest first;
// through says whether only what is wanted is walked through.
func (e *Element) above(wanted func(*Element) bool, through bool) []*Element {
	var out []*Element
	given := map[*Element]bool{e: true}
	level := []*Element{e}
	for depth := 0; depth < maxDepth && len(level) > 0; depth++ {
		var next []*Element
		walked := map[*Element]bool{}
		for _, x := range level {
			for _, o := range x.Above {
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

// Siblings gives the elements of a kind on e's host.
func (e *Element) Siblings(kind string) []*Element {
	return slices.DeleteFunc(slices.Clone(e.graph.byHost[e.Host]), func(x *Element) bool { return x.Kind != kind })
}

// Tunables gives the no or sysctl options of e's host.
func (e *Element) Tunables() *Element {
	all := e.graph.byHost[e.Host]
	if len(all) == 0 { // it was not read
		return nil
	}
	return all[len(all)-1]
}

// MachinePlatforms gives the platforms of the hosts on e's managed system.
func (e *Element) MachinePlatforms() []string { return e.graph.platforms[e.Machine] }

// Carriers gives the trunk adapters that carry an element's frames: of an
// interface those of its own VLAN, of an adapter those of all its VLANs. The
// error says why none was found.
func (e *Element) Carriers() (trunks []*Element, err error) {
	adapters, tag, err := e.leaves()
	if err != nil {
		return nil, err
	}
	var gap error
	for _, a := range adapters {
		bridges, g := e.graph.bridging.On(a.Of, a.Is, tag)
		if a == e && !e.Linux() {
			bridges, g = e.graph.bridging.Of(a.Of, a.Is)
		}
		if g != nil && gap == nil {
			gap = e.Missing("its SEA: "+g.Why, "")
		}
		trunks = e.graph.add(trunks, bridges)
	}
	if len(trunks) == 0 {
		return nil, gap
	}
	return trunks, nil
}

// seasOf gives the SEAs on top of trunk adapters, each once.
func seasOf(trunks []*Element) []*Element {
	var out []*Element
	for _, t := range trunks {
		for _, o := range t.Above {
			if o.Is.Kind == model.SEA && !slices.Contains(out, o) {
				out = append(out, o)
			}
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
	for _, a := range e.graph.clients[e] {
		interfaces := a.Interfaces()
		if len(interfaces) == 0 {
			interfaces = []*Element{a} // on Linux adapter and interface are one
		}
		if len(a.Is.VLANs) > 0 { // each of its interfaces has its own VLAN
			interfaces = slices.DeleteFunc(interfaces, func(i *Element) bool {
				trunks, err := i.Carriers()
				return err == nil && !slices.ContainsFunc(trunks, func(t *Element) bool { return t == e || slices.Contains(t.Above, e) })
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

// UnmatchedClients gives client adapters that may belong to an SEA but lack what
// a join needs: their managed system, VLAN or SEA was not read.
func (e *Element) UnmatchedClients() []*Element {
	out := slices.Clone(e.graph.unmatched[""])
	if e.Machine != "" {
		out = append(out, e.graph.unmatched[e.Machine]...)
	}
	return out
}

// Partners gives the SEAs of other VIOSes on the same managed system that have a
// trunk adapter for the same switch and VLAN: the other half of a pair.
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
		if _, err := t.VLANs(); err != nil {
			return nil, err
		}
		same, _ := t.BridgedBy() // its own SEA at least
		for _, o := range seasOf(same) {
			if o.Host != e.Host && !slices.Contains(out, o) {
				out = append(out, o)
			}
		}
	}
	return out, nil
}
