package inventory

import (
	"net/netip"
	"slices"
	"strings"
)

// Host finds a host by name; nil if it is not in the fleet.
func (f *Fleet) Host(name string) *Host {
	for _, h := range f.Hosts {
		if h.Name == name {
			return h
		}
	}
	return nil
}

// HasRead reports whether something of a host was read: one that was down when
// it was collected has no elements.
func (f *Fleet) HasRead(name string) bool {
	h := f.Host(name)
	return h != nil && len(h.Elements) > 0
}

// Element finds an element; nil if the fleet does not know it.
func (f *Fleet) Element(r Ref) *Element {
	if h := f.Host(r.Host); h != nil {
		return h.Elements[r.Element]
	}
	return nil
}

// Names gives a host's elements of one kind, in the order people count: ent2
// before ent10.
func (h *Host) Names(kind Kind) []string {
	var names []string
	for n, e := range h.Elements {
		if e != nil && e.Kind == kind {
			names = append(names, n)
		}
	}
	slices.SortFunc(names, Natural)
	return names
}

// Route finds the route a host takes to an address: the longest prefix, of
// several the one of the lowest metric; nil if no route is known.
func (h *Host) Route(to netip.Addr) *Route {
	metric := func(r *Route) uint64 {
		if r.Metric == nil {
			return 0
		}
		return *r.Metric
	}
	var best *Route
	for i := range h.Routes {
		r := &h.Routes[i]
		if !r.To.Contains(to) {
			continue
		}
		if best == nil || r.To.Bits() > best.To.Bits() || r.To.Bits() == best.To.Bits() && metric(r) < metric(best) {
			best = r
		}
	}
	return best
}

// Natural compares names with a number at their end by that number.
func Natural(a, b string) int {
	cut := func(s string) (string, string) {
		i := len(s)
		for i > 0 && s[i-1] >= '0' && s[i-1] <= '9' {
			i--
		}
		return s[:i], s[i:]
	}
	pa, na := cut(a)
	pb, nb := cut(b)
	if c := strings.Compare(pa, pb); c != 0 {
		return c
	}
	na, nb = strings.TrimLeft(na, "0"), strings.TrimLeft(nb, "0")
	if len(na) != len(nb) {
		return len(na) - len(nb)
	}
	if c := strings.Compare(na, nb); c != 0 {
		return c
	}
	return strings.Compare(a, b)
}
