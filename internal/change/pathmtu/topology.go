// What the hosts that were read tell about the addresses and ports around a path.

package pathmtu

import (
	"net/netip"
	"slices"

	"seaworthy/internal/inventory/graph"
	"seaworthy/internal/inventory/model"
)

// topology answers where addresses and interfaces are, by what was read of the fleet
// alone: it sends nothing.
type topology struct {
	fleet *model.Fleet
	links *graph.Graph // of the fleet
}

// readHosts adds interfaces of other hosts than the two.
func (t topology) readHosts(l *witnesses, ends []side) {
	for _, h := range t.fleet.Hosts {
		if h.Name == ends[0].end.Host || h.Name == ends[1].end.Host {
			continue
		}
		for _, name := range h.Interfaces() {
			ref := model.Ref{Host: h.Name, Element: name}
			if n, known := carries(h.Elements[name]); known && n < l.size {
				continue
			}
			for i, end := range ends {
				a, shared := t.fleet.Element(end.end).Neighbour(h.Elements[name])
				if shared && t.beyond(end, ref) {
					other := ends[1-i]
					behind := other.kind == model.EthernetSwitch && t.arrives(end, ref, other.ports)
					l.add(a, ref.String(), behind && i == 0, end)
				}
			}
		}
	}
}

// shared adds addresses that an end knows and that no host has which was read:
// what one of them knows, the other can ask too.
func (t topology) shared(l *witnesses, is string, ends []side, may func(side, netip.Addr) bool, known func(side) []netip.Addr) {
	for _, by := range ends {
		for _, a := range known(by) {
			if !a.Is4() || a.IsUnspecified() || a.IsLoopback() || a.IsMulticast() || t.owner(a) != nil || !may(by, a) {
				continue
			}
			for _, end := range ends {
				if may(end, a) {
					l.add(a, is, false, end)
				}
			}
		}
	}
}

// gateways are the default gateways that an end has a route to.
func (t topology) gateways(end side) (out []netip.Addr) {
	for _, r := range t.fleet.Host(end.end.Host).Routes {
		if r.To.Bits() == 0 {
			out = append(out, r.Gateway)
		}
	}
	return out
}

// beyond says whether the way from an end to another interface leads over the
// end's port of the same switch.
func (t topology) beyond(end side, to model.Ref) bool {
	if t.placeless(to.Host) || t.placeless(end.end.Host) {
		return false
	}
	if end.kind == model.EthernetSwitch && t.sameSide(end, to) {
		return false // a VIOS's own interface is before its port
	}
	own, _ := t.between(end, to)
	return own.kind == end.kind && slices.Equal(own.ports, end.ports)
}

// arrives says whether the way from an end to an interface enters by ports of
// the switch: two clients of one managed system can have different ones.
func (t topology) arrives(end side, to model.Ref, by []model.Ref) bool {
	own, far := t.between(end, to)
	return own.kind != "" && slices.Equal(far.ports, by)
}

// between are the sides of a way, of no kind if there is none.
func (t topology) between(end side, to model.Ref) (near, far side) {
	if path, err := t.links.Path(end.end.String(), to.String()); err == nil {
		return sides(path)
	}
	return side{}, side{}
}

// sameSide says whether an interface uses the same port of the switch as an end.
func (t topology) sameSide(end side, to model.Ref) bool {
	host := t.fleet.Host(to.Host)
	for _, port := range end.ports {
		if port.Host == to.Host {
			return true
		}
		if h := t.fleet.Host(port.Host); h != nil && host != nil && h.MachineID != "" && h.MachineID == host.MachineID {
			return true
		}
	}
	return false
}

// placeless says that it is not known which managed system a partition is on.
func (t topology) placeless(host string) bool {
	h := t.fleet.Host(host)
	if h == nil {
		return true
	}
	if h.MachineID != "" {
		return false
	}
	for _, el := range h.Elements {
		if el.Kind == model.Virtual || el.Kind == model.VNIC {
			return true
		}
	}
	return false
}

// closed says whether all was read that can be between an end and its port,
// so that a neighbour with an address of a real port is beyond it. Of a
// pair of VIOSes both must have been read: the other one is before the port.
func (t topology) closed(end side) bool {
	h := t.fleet.Host(end.end.Host)
	if end.open || h == nil || len(end.ports) == 0 {
		return false
	}
	for _, r := range end.ports {
		if el := t.fleet.Element(r); el == nil || el.Kind != model.Physical {
			return false
		}
	}
	if end.ports[0].Host == h.Name && h.Platform != model.VIOS {
		return true // a port of its own
	}
	sea := t.links.At(end.ports[0]).SEA()
	if sea == nil {
		return false
	}
	partners, _ := sea.Partners()
	return sea.Is.HAState == "" || len(partners) > 0
}

func (t topology) inSubnet(end side, a netip.Addr) bool {
	el := t.fleet.Element(end.end)
	return el != nil && slices.ContainsFunc(el.Addrs, func(x netip.Prefix) bool {
		return x.Addr().Is4() && x.Masked().Contains(a) && x.Addr() != a
	})
}

// owner is the interface with an address; nil: no host that was read has it.
func (t topology) owner(a netip.Addr) *model.Ref {
	for _, h := range t.fleet.Hosts {
		for name, el := range h.Elements {
			if slices.ContainsFunc(el.Addrs, func(own netip.Prefix) bool { return own.Addr() == a }) {
				return &model.Ref{Host: h.Name, Element: name}
			}
		}
	}
	return nil
}

// suspectAt is the host with an address, or a router nobody has read.
func (t topology) suspectAt(a netip.Addr) Suspect {
	why := "reports that it does not pass them"
	if r := t.owner(a); r != nil {
		return Suspect{Ref: r, Is: r.String(), Why: why}
	}
	return Suspect{Is: "the router " + a.String(), Why: why}
}

// sameSubnet says that both ends are in one subnet. Packets between them that
// are no larger than the sender's MTU meet no router, and switches drop what they
// cannot pass whole.
func (t topology) sameSubnet(w *Direction) bool {
	return slices.ContainsFunc(t.fleet.Element(w.From).Addrs, func(a netip.Prefix) bool { return a.Masked().Contains(w.Address) })
}
