package model

import (
	"cmp"
	"slices"
	"strings"
)

// Host finds a host by name; nil if it is not in the fleet.
func (f *Fleet) Host(name string) *Host {
	if at := slices.IndexFunc(f.Hosts, func(h *Host) bool { return h.Name == name }); at >= 0 {
		return f.Hosts[at]
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

// Natural compares names with a number at their end by that number.
func Natural(a, b string) int {
	cut := func(s string) (string, string) {
		front := strings.TrimRight(s, "0123456789")
		return front, strings.TrimLeft(s[len(front):], "0")
	}
	pa, na := cut(a)
	pb, nb := cut(b)
	return cmp.Or(strings.Compare(pa, pb), len(na)-len(nb), strings.Compare(na, nb), strings.Compare(a, b))
}

// Ref names an element in a fleet.
type Ref struct {
	Host    string `json:"host"`
	Element string `json:"element"`
}

func (r Ref) String() string { return r.Host + ":" + r.Element }

// Compare orders elements by host, then by name, as people count.
func (r Ref) Compare(other Ref) int {
	return cmp.Or(Natural(r.Host, other.Host), Natural(r.Element, other.Element))
}

// Fleet is a set of hosts taken together.
type Fleet struct {
	Hosts []*Host `json:"hosts"`
	HMCs  []*HMC  `json:"hmcs,omitempty"`
}
