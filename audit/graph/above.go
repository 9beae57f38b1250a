package graph

import "seaworthy/inventory"

// Owners gives every SEA and EtherChannel on top of an adapter.
func (e *Element) Owners() []*Element {
	return e.above(func(o *Element) bool { return o.Is.Kind == inventory.SEA || o.Is.Kind == inventory.EtherChannel }, true)
}

// Interfaces gives the IP interfaces on top of an adapter, also through
// EtherChannels, SEAs and VLAN devices.
func (e *Element) Interfaces() []*Element {
	return e.above(func(o *Element) bool { return o.Is.Kind == inventory.Interface }, false)
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
	var out []*Element
	for _, x := range e.graph.byHost[e.Host] {
		if x.Kind == kind {
			out = append(out, x)
		}
	}
	return out
}

// Tunables gives the no or sysctl options of e's host.
func (e *Element) Tunables() *Element {
	for _, name := range []string{"no", "sysctl"} {
		if x := e.graph.At(inventory.Ref{Host: e.Host, Element: name}); x != nil && x.Kind == KindTunables {
			return x
		}
	}
	return nil
}

// MachinePlatforms gives the platforms of the hosts on e's managed system.
func (e *Element) MachinePlatforms() []string { return e.graph.platforms[e.Machine] }
