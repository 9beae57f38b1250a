package model

import "slices"

// unread is the gap of an element that did not say what it is built on.
func unread(h *Host, r Ref, what string) Gap {
	by := "lsattr -El " + r.Element
	if h != nil && h.Platform == Linux {
		by = "ip -d link"
	}
	return Gap{What: r.String(), Why: what + " was not read (" + by + ")"}
}

// Uplinks are the ports by which the frames of an element can leave for the
// Ethernet switch: of an EtherChannel all members, of a virtual adapter those
// of every SEA that carries it or is on standby for it. A gap says what was not
// read on the way.
func (b *Bridging) Uplinks(of Ref) (ports []Ref, gaps []Gap) {
	seen := map[Ref]bool{}
	var follow func(r Ref)
	follow = func(r Ref) {
		if seen[r] {
			return
		}
		seen[r] = true
		h := b.hosts[r.Host]
		var el *Element
		if h != nil {
			el = h.Elements[r.Element]
		}
		if el == nil {
			gaps = append(gaps, Gap{What: r.String(), Why: "named by another element but not read itself"})
			return
		}
		at := func(name string) {
			if name != "" {
				follow(Ref{r.Host, name})
			}
		}
		if el.Tap != nil {
			follow(*el.Tap)
			return
		}
		switch el.Kind {
		case Physical:
			ports = append(ports, r)
		case Interface, VLANDevice, Patch, TunnelPort:
			if el.On == "" && el.Peer == "" && len(el.Members) == 0 && !(el.inward() && el.MemberOf != "") {
				gaps = append(gaps, Gap{What: r.String(), Why: "its adapter is not known"})
			}
			at(el.On)
			at(el.Peer)
			if el.inward() {
				at(el.MemberOf)
			}
			for _, m := range el.Members {
				if e := h.Elements[m]; e != nil && (e.outward() || e.joins()) {
					at(m)
				}
			}
		case SEA:
			if el.Real == "" {
				gaps = append(gaps, unread(h, r, "its real adapter"))
			}
			at(el.Real)
		case EtherChannel:
			if len(el.Members) == 0 {
				gaps = append(gaps, unread(h, r, "what its members are"))
			}
			for _, m := range el.Members {
				at(m)
			}
			at(el.Backup())
		case Virtual:
			bridges, gap := b.Of(h, el)
			if gap != nil {
				gaps = append(gaps, *gap)
			}
			for _, x := range bridges {
				follow(x.SEA)
			}
		case VNIC:
			n := len(ports)
			for _, x := range el.Backing {
				if x.Host != "" {
					follow(Ref{x.Host, x.Device})
				}
			}
			if len(ports) == n {
				gaps = append(gaps, Gap{What: r.String(), Why: "the ports of the VIOSes that carry this vNIC were not read"})
			}
		}
	}
	follow(of)
	slices.SortFunc(ports, Ref.Compare)
	return ports, gaps
}
