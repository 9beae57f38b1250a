package inventory

import "slices"

// unread is the gap of an element that did not say what it is built on.
func (f *Fleet) unread(r Ref, what string) Gap {
	by := "lsattr -El " + r.Element
	if h := f.Host(r.Host); h != nil && h.Platform == Linux {
		by = "ip -d link"
	}
	return Gap{What: r.String(), Why: what + " was not read (" + by + ")"}
}

// Uplinks are the ports by which the frames of an element can leave for the
// Ethernet switch: of an EtherChannel all members, of a virtual adapter those
// of every SEA that carries it or is on standby for it. A gap says what was not
// read on the way.
func (f *Fleet) Uplinks(of Ref) (ports []Ref, gaps []Gap) {
	var seen []Ref
	var follow func(r Ref)
	follow = func(r Ref) {
		if slices.Contains(seen, r) {
			return
		}
		seen = append(seen, r)
		el := f.Element(r)
		if el == nil {
			gaps = append(gaps, Gap{What: r.String(), Why: "named by another element but not read itself"})
			return
		}
		at := func(name string) {
			if name != "" {
				follow(Ref{r.Host, name})
			}
		}
		switch el.Kind {
		case Physical:
			ports = append(ports, r)
		case Interface, VLANDevice:
			if el.On == "" && len(el.Members) == 0 {
				gaps = append(gaps, Gap{What: r.String(), Why: "its adapter is not known"})
			}
			at(el.On)
			for _, m := range el.Members {
				if e := f.Element(Ref{r.Host, m}); e != nil && e.Kind != Interface {
					at(m)
				}
			}
		case SEA:
			if el.Real == "" {
				gaps = append(gaps, f.unread(r, "its real adapter"))
			}
			at(el.Real)
		case EtherChannel:
			if len(el.Members) == 0 {
				gaps = append(gaps, f.unread(r, "what its members are"))
			}
			for _, m := range el.Members {
				at(m)
			}
			at(el.Backup())
		case Virtual:
			bridges, gap := f.Bridges(r)
			if gap != nil {
				gaps = append(gaps, *gap)
			}
			for _, b := range bridges {
				follow(b.SEA)
			}
		case VNIC:
			n := len(ports)
			for _, b := range el.Backing {
				if b.Host != "" {
					follow(Ref{b.Host, b.Device})
				}
			}
			if len(ports) == n {
				gaps = append(gaps, Gap{What: r.String(), Why: "the ports of the VIOSes that carry this vNIC were not read"})
			}
		}
	}
	follow(of)
	slices.SortFunc(ports, func(a, b Ref) int {
		if a.Host != b.Host {
			return Natural(a.Host, b.Host)
		}
		return Natural(a.Element, b.Element)
	})
	return ports, gaps
}
