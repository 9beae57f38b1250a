package inventory

import (
	"fmt"
	"net/netip"
)

// Target is the address of a path's far end: the one in the near end's subnet
// if there is one.
func (f *Fleet) Target(p *Path) (string, error) {
	from, to := f.Element(p.From), f.Element(p.To)
	if to == nil || len(to.Addrs) == 0 {
		return "", fmt.Errorf("%s has no address", p.To)
	}
	if from != nil {
		for _, a := range to.Addrs {
			for _, b := range from.Addrs {
				if b.Masked().Contains(a.Addr()) {
					return a.Addr().String(), nil
				}
			}
		}
	}
	return to.Addrs[0].Addr().String(), nil
}

// Neighbour is an IPv4 address of another element in a subnet of this one.
func (e *Element) Neighbour(other *Element) (netip.Addr, bool) {
	for _, a := range e.Addrs {
		for _, b := range other.Addrs {
			if b.Addr().Is4() && a.Addr() != b.Addr() && a.Masked().Contains(b.Addr()) {
				return b.Addr(), true
			}
		}
	}
	return netip.Addr{}, false
}
