package inventory

import (
	"cmp"
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
