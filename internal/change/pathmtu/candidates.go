package pathmtu

import (
	"context"
	"errors"
	"net/netip"
	"slices"

	"seaworthy/internal/change/task"
	"seaworthy/internal/inventory/model"
)

// candidates are addresses that are beyond the switch for an end of the path:
// other hosts that were read, then the default gateway, then neighbours that
// the ends have talked to. One that may be before the switch, on the same
// managed system, would prove nothing about the switch's port.
func (p Prober) candidates(ctx context.Context, w *Way, near, far side) ([]Witness, error) {
	l := &witnesses{size: probing(w)}
	ends := []side{near, far}
	p.readHosts(l, ends)
	if near.kind != model.EthernetSwitch {
		return l.all, nil // a gateway is not on the hypervisor switch
	}
	// A gateway serves the subnet, whoever has a route to it.
	p.shared(l, "the default gateway", ends, p.inSubnet, p.gateways)
	// A neighbour can be before the switch, unless all that is there was read.
	var failed error
	p.shared(l, "a neighbour", ends, func(end side, a netip.Addr) bool { return p.closed(end) && p.inSubnet(end, a) },
		func(end side) []netip.Addr {
			if !p.closed(end) {
				return nil
			}
			list, err := p.neighbours(ctx, end.end)
			failed = errors.Join(failed, err)
			return list
		})
	return l.all, failed
}

// witnesses are the candidates so far.
type witnesses struct {
	size int // of the packets that they will be asked with
	all  []Witness
}

// add takes an address that an end can ask.
func (l *witnesses) add(a netip.Addr, is string, behind bool, end side) {
	i := slices.IndexFunc(l.all, func(x Witness) bool { return x.Address == a })
	if i < 0 {
		l.all = append(l.all, Witness{Address: a, Is: is, Size: l.size, behind: behind})
		i = len(l.all) - 1
	}
	if !slices.ContainsFunc(l.all[i].Asked, func(x Asked) bool { return x.Host == end.end.Host }) {
		l.all[i].Asked = append(l.all[i].Asked, Asked{Host: end.end.Host})
	}
}

// shared adds addresses that an end knows and that no host has which was read:
// what one of them knows, the other can ask too.
func (p Prober) shared(l *witnesses, is string, ends []side, may func(side, netip.Addr) bool, known func(side) []netip.Addr) {
	for _, by := range ends {
		for _, a := range known(by) {
			if !a.Is4() || a.IsUnspecified() || a.IsLoopback() || a.IsMulticast() || p.owner(a) != nil || !may(by, a) {
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

// readHosts adds interfaces of other hosts than the two.
func (p Prober) readHosts(l *witnesses, ends []side) {
	for _, h := range p.Fleet.Hosts {
		if h.Name == ends[0].end.Host || h.Name == ends[1].end.Host {
			continue
		}
		for _, name := range h.Interfaces() {
			ref := model.Ref{Host: h.Name, Element: name}
			if n, known := carries(h.Elements[name]); known && n < l.size {
				continue
			}
			for i, end := range ends {
				a, shared := p.Fleet.Element(end.end).Neighbour(h.Elements[name])
				if shared && p.beyond(end, ref) {
					other := ends[1-i]
					behind := other.kind == model.EthernetSwitch && p.arrives(end, ref, other.ports)
					l.add(a, ref.String(), behind && i == 0, end)
				}
			}
		}
	}
}

// gateways are the default gateways that an end has a route to.
func (p Prober) gateways(end side) (out []netip.Addr) {
	for _, r := range p.Fleet.Host(end.end.Host).Routes {
		if r.To.Bits() == 0 {
			out = append(out, r.Gateway)
		}
	}
	return out
}

// beyond says whether the way from an end to another interface leads over the
// end's port of the same switch.
func (p Prober) beyond(end side, to model.Ref) bool {
	if p.placeless(to.Host) || p.placeless(end.end.Host) {
		return false
	}
	if end.kind == model.EthernetSwitch && p.sameSide(end, to) {
		return false // a VIOS's own interface is before its port
	}
	own, _ := p.between(end, to)
	return own.kind == end.kind && slices.Equal(own.ports, end.ports)
}

// arrives says whether the way from an end to an interface enters by ports of
// the switch: two clients of one managed system can have different ones.
func (p Prober) arrives(end side, to model.Ref, by []model.Ref) bool {
	own, far := p.between(end, to)
	return own.kind != "" && slices.Equal(far.ports, by)
}

// between are the sides of a way, of no kind if there is none.
func (p Prober) between(end side, to model.Ref) (near, far side) {
	if path, err := p.links.Path(end.end.String(), to.String()); err == nil {
		return sides(path)
	}
	return side{}, side{}
}

// sameSide says whether an interface uses the same port of the switch as an end.
func (p Prober) sameSide(end side, to model.Ref) bool {
	host := p.Fleet.Host(to.Host)
	for _, port := range end.ports {
		if port.Host == to.Host {
			return true
		}
		if h := p.Fleet.Host(port.Host); h != nil && host != nil && h.MachineID != "" && h.MachineID == host.MachineID {
			return true
		}
	}
	return false
}

// placeless says that it is not known which managed system a partition is on.
func (p Prober) placeless(host string) bool {
	h := p.Fleet.Host(host)
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
func (p Prober) closed(end side) bool {
	h := p.Fleet.Host(end.end.Host)
	if end.open || h == nil || len(end.ports) == 0 {
		return false
	}
	for _, r := range end.ports {
		if el := p.Fleet.Element(r); el == nil || el.Kind != model.Physical {
			return false
		}
	}
	if end.ports[0].Host == h.Name && h.Platform != model.VIOS {
		return true // a port of its own
	}
	sea := p.links.At(end.ports[0]).SEA()
	if sea == nil {
		return false
	}
	partners, _ := sea.Partners()
	return sea.Is.HAState == "" || len(partners) > 0
}

func (p Prober) inSubnet(end side, a netip.Addr) bool {
	el := p.Fleet.Element(end.end)
	return el != nil && slices.ContainsFunc(el.Addrs, func(x netip.Prefix) bool {
		return x.Addr().Is4() && x.Masked().Contains(a) && x.Addr() != a
	})
}

// neighbours are addresses of real ports that a host has talked to of late.
func (p Prober) neighbours(ctx context.Context, end model.Ref) (out []netip.Addr, err error) {
	res, err := p.say(ctx, end.Host, task.Login.Neighbours, 1<<20)
	if err != nil || res == nil || res.Exit != 0 { // a padmin without arp: the others are asked
		return nil, err
	}
	for _, n := range parseNeighbours(res.Stdout) {
		if n.universal() {
			out = append(out, n.address)
		}
	}
	return out, nil
}

// owner is the interface with an address; nil: no host that was read has it.
func (p Prober) owner(a netip.Addr) *model.Ref {
	for _, h := range p.Fleet.Hosts {
		for name, el := range h.Elements {
			if slices.ContainsFunc(el.Addrs, func(own netip.Prefix) bool { return own.Addr() == a }) {
				return &model.Ref{Host: h.Name, Element: name}
			}
		}
	}
	return nil
}
