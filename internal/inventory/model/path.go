package model

import (
	"fmt"
	"slices"
)

// Path is the ordered way from one interface to another. Where it leaves what
// the hosts can see (a hypervisor switch, an Ethernet switch) the hop has no
// Ref but says what is there.
type Path struct {
	From Ref   `json:"from"`
	To   Ref   `json:"to"`
	Hops []Hop `json:"hops"`
	Gaps []Gap `json:"gaps,omitempty"` // joins that could not be proved
}

// Kinds of hops that no host owns.
const (
	HypervisorSwitch = "hypervisor-switch"
	EthernetSwitch   = "ethernet-switch"
)

// Hop is one element of a path.
type Hop struct {
	Ref  *Ref   `json:"ref,omitempty"`
	Kind string `json:"kind"`           // a Kind, or HypervisorSwitch, EthernetSwitch
	Note string `json:"note,omitempty"` // how it was joined: "VLAN 1 on ETHERNET0", "not visible from any host"
}

// Between finds the path from one host's interface to another's. Where a host
// is given without an interface, the pair that shares a subnet is taken.
func (f *Fleet) Between(from, to string) (*Path, error) {
	a, err := f.endpoint(from)
	if err != nil {
		return nil, err
	}
	b, err := f.endpoint(to)
	if err != nil {
		return nil, err
	}
	ra, rb, err := f.pair(a, b)
	if err != nil {
		return nil, err
	}
	if ra == rb {
		return nil, fmt.Errorf("%s: both ends of the path are this interface", ra)
	}
	up, down := f.outward(ra), f.outward(rb)
	p := &Path{From: ra, To: rb}
	p.Gaps = slices.Concat(up.gaps, down.gaps)
	neighbours := shareSubnet(f.Element(ra), f.Element(rb))
	i, j, met := f.meet(up, down)
	join := func(a []Hop, between []Hop, b []Hop) { p.Hops = slices.Concat(a, between, reversed(b)) }
	switch {
	case up.system != "" && up.system == down.system && f.sameVLAN(up, down):
		// Both are on one hypervisor switch: frames never reach an SEA.
		join(up.hops[:up.inside], []Hop{{Kind: HypervisorSwitch, Note: up.vswitch}}, down.hops[:down.inside])
		p.Gaps = nil
	case neighbours && met:
		// An SEA or a bridge carries frames between its own interface and its clients, too.
		join(up.hops[:i+1], nil, down.hops[:j])
		p.Gaps = nil
	default:
		join(up.hops, []Hop{{Kind: EthernetSwitch, Note: "not visible from any host"}}, down.hops)
	}
	return p, nil
}

// meet finds the first SEA that two ways have in common, or the first bridge of a host
// that they reach in one VLAN, as its place in each.
func (f *Fleet) meet(a, b *way) (i, j int, ok bool) {
	vlan := a.tag == b.tag || a.tag != nil && b.tag != nil && *a.tag == *b.tag
	for i, x := range a.hops {
		if x.Ref == nil || x.Kind != string(SEA) && !(vlan && f.Element(*x.Ref).bridges()) {
			continue
		}
		if j := slices.IndexFunc(b.hops, func(y Hop) bool { return y.Ref != nil && *y.Ref == *x.Ref }); j >= 0 {
			return i, j, true
		}
	}
	return 0, 0, false
}

func reversed(hops []Hop) []Hop {
	out := slices.Clone(hops)
	slices.Reverse(out)
	return out
}

// sameVLAN reports whether two virtual adapters reach each other directly.
func (f *Fleet) sameVLAN(a, b *way) bool {
	x, y := f.Element(a.adapter), f.Element(b.adapter)
	if x == nil || y == nil || x.VSwitch != y.VSwitch {
		return false
	}
	v, w := a.vlan(x), b.vlan(y)
	return v != nil && w != nil && *v == *w
}

// vlan is the one a way's frames are in on the hypervisor's switch: their tag, else
// the adapter's port VLAN; nil if neither is known.
func (w *way) vlan(adapter *Element) *int {
	if w.tag != nil {
		return w.tag
	}
	return adapter.PVID
}
