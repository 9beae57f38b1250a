package plan

import (
	"net/netip"
	"slices"
	"sort"

	"seaworthy/internal/audit/finding"
	"seaworthy/internal/inventory/graph"
	"seaworthy/internal/inventory/model"
)

// index finds in a fleet what planning asks for at every step.
type index struct {
	fleet    *model.Fleet
	graph    *graph.Graph
	ipLayers map[*model.Host]*ipLayer

	inSubnet map[netip.Prefix][]addressed // IPv4, of all lengths that are used, in the order of hosts and names
	last     map[*model.Host]int          // place of its last element
}

func newIndex(f *model.Fleet, g *graph.Graph) *index {
	x := &index{
		fleet: f, graph: g, ipLayers: map[*model.Host]*ipLayer{}, inSubnet: map[netip.Prefix][]addressed{}, last: map[*model.Host]int{},
	}
	place, lengths := 0, map[int]bool{}
	for _, h := range f.Hosts {
		for _, name := range h.Interfaces() {
			for _, p := range networks(h.Elements[name]) {
				lengths[p.Bits()] = true
			}
		}
	}
	for _, h := range f.Hosts {
		for _, name := range h.Interfaces() {
			place++
			one := addressed{h, h.Elements[name], place}
			for _, a := range one.el.Addrs {
				for bits := range lengths {
					p := netip.PrefixFrom(a.Addr(), bits).Masked() // another host's may be of another length
					if all := x.inSubnet[p]; a.Addr().Is4() && (len(all) == 0 || all[len(all)-1] != one) {
						x.inSubnet[p] = append(all, one)
					}
				}
			}
		}
		x.last[h] = place
	}
	return x
}

// at finds an element of a host; nil: it was not read.
func (x *index) at(h *model.Host, element string) *graph.Element {
	if h == nil {
		return nil
	}
	return x.graph.At(model.Ref{Host: h.Name, Element: element})
}

// interfaceOn is the configured interface that holds an adapter busy; empty: none.
func (x *index) interfaceOn(h *model.Host, adapter string) string {
	e := x.at(h, adapter)
	if e == nil {
		return ""
	}
	for _, over := range e.Up(graph.On) {
		if is := over.From.Is; is.Kind == model.Interface && len(is.Addrs) > 0 {
			return is.Name
		}
	}
	return ""
}

func (x *index) ipLayer(h *model.Host) *ipLayer {
	c := x.ipLayers[h]
	if c == nil {
		c = newIPLayer(h)
		x.ipLayers[h] = c
	}
	return c
}

// target is an attribute of an element.
type target struct {
	model.Ref
	attr string
}

func targetOf(s finding.Setting) target { return target{s.Ref, s.Attr} }

// addressed is an interface of a network.
type addressed struct {
	host  *model.Host
	el    *model.Element
	place int // of the element, in the order of hosts and names
}

// networks are the IPv4 networks of an interface.
func networks(el *model.Element) (all []netip.Prefix) {
	for _, p := range el.Addrs {
		p = p.Masked()
		if p.Addr().Is4() && !slices.Contains(all, p) {
			all = append(all, p)
		}
	}
	return all
}

// neighbours are the interfaces with an address in the networks of this one, and it itself, each
// once, in the order of hosts and names.
func (x *index) neighbours(el *model.Element) (all []addressed) {
	own := networks(el)
	if len(own) == 1 {
		return x.inSubnet[own[0]]
	}
	for _, p := range own {
		all = append(all, x.inSubnet[p]...)
	}
	slices.SortFunc(all, func(a, b addressed) int { return a.place - b.place })
	return slices.CompactFunc(all, func(a, b addressed) bool { return a.place == b.place })
}

// countOfHost is how many of the next are of the same host.
func (x *index) countOfHost(next []addressed, h *model.Host) int {
	return sort.Search(len(next), func(i int) bool { return next[i].place > x.last[h] })
}
