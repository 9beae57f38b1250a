package inventory

import "fmt"

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
