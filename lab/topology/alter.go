package topology

import (
	"fmt"
	"slices"
)

// A running lab's topology changes by making a new one: a reader of the old
// one goes on undisturbed.

// WithVLAN is the topology with one more VLAN pseudo device on a node, with a tag of 1
// to 4094, and the name of that device: the first entN that is free. The error says
// why the adapter cannot be its base.
func (t *Topology) WithVLAN(node, base string, tag int) (next *Topology, name string, err error) {
	next, n := t.copyFor(node)
	below := n.Adapter(base)
	switch {
	case below == nil:
		return nil, "", fmt.Errorf("%s is not an adapter of %s", base, node)
	case below.Kind == VLAN:
		return nil, "", fmt.Errorf("%s is a VLAN device itself", base)
	}
	for _, o := range n.Adapters {
		if slices.Contains(o.Holds(), base) {
			return nil, "", fmt.Errorf("%s belongs to %s: create the VLAN device on that", base, o.Name)
		}
		if o.Kind == VLAN && o.Base == base && o.Tag == tag {
			return nil, "", fmt.Errorf("VLAN %d of %s belongs to %s already", tag, base, o.Name)
		}
	}
	for i := 0; name == "" || n.Adapter(name) != nil; i++ {
		name = fmt.Sprintf("ent%d", i)
	}
	n.Adapters = append(n.Adapters, Adapter{Name: name, Kind: VLAN, Base: base, Tag: tag, MAC: below.MAC})
	slices.SortStableFunc(n.Adapters, func(a, b Adapter) int { return byNumber(a.Name, b.Name) })
	return next, name, nil
}

// WithoutVLAN is the topology without a VLAN pseudo device of a node.
func (t *Topology) WithoutVLAN(node, adapter string) *Topology {
	next, n := t.copyFor(node)
	n.Adapters = slices.DeleteFunc(n.Adapters, func(a Adapter) bool { return a.Name == adapter })
	on := "en" + adapter[len("ent"):]
	n.Interfaces = slices.DeleteFunc(slices.Clone(n.Interfaces), func(i Interface) bool { return i.Name == on })
	return next
}

// copyFor copies what leads to a node with AIX or VIOS, and its adapters.
func (t *Topology) copyFor(node string) (*Topology, *Node) {
	next := *t
	next.Systems = slices.Clone(t.Systems)
	for i := range next.Systems {
		s := &next.Systems[i]
		if j := slices.IndexFunc(s.Nodes, func(n Node) bool { return n.Name == node }); j >= 0 {
			s.Nodes = slices.Clone(s.Nodes)
			n := &s.Nodes[j]
			n.Adapters = slices.Clone(n.Adapters)
			return &next, n
		}
	}
	return nil, nil
}
