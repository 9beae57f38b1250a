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
func (p Prober) candidates(ctx context.Context, w *Direction, near, far side) ([]Witness, error) {
	l := &witnesses{size: probing(w)}
	t := p.topology()
	ends := []side{near, far}
	t.readHosts(l, ends)
	if near.kind != model.EthernetSwitch {
		return l.all, nil // a gateway is not on the hypervisor switch
	}
	// A gateway serves the subnet, no matter who has a route to it.
	t.shared(l, "the default gateway", ends, t.inSubnet, t.gateways)
	// A neighbour can be before the switch, unless all that is there was read.
	var failed error
	t.shared(l, "a neighbour", ends, func(end side, a netip.Addr) bool { return t.closed(end) && t.inSubnet(end, a) },
		func(end side) []netip.Addr {
			if !t.closed(end) {
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

// neighbours are addresses of real ports that a host has talked to of late.
func (p Prober) neighbours(ctx context.Context, end model.Ref) (out []netip.Addr, err error) {
	res, err := p.runCommand(ctx, end.Host, task.Login.Neighbours, 1<<20)
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
