package pathmtu

import (
	"context"
	"errors"
	"fmt"
	"net/netip"
	"slices"
	"strings"
	"sync"
	"time"

	"seaworthy/inventory"
	"seaworthy/remote"
)

// Witness is an address beyond the switch that was asked whether larger packets
// reach it. It needs no login: an answer to a ping is enough.
type Witness struct {
	Address netip.Addr `json:"address"`
	Is      string     `json:"is"`   // in words: the default gateway, vios2:en5
	Size    int        `json:"size"` // of the IP packets, which must not be fragmented
	Asked   []Asked    `json:"asked"`
	Shows   string     `json:"shows"` // in words

	// It stands with the far end, on the same switch port.
	behind bool
}

// Asked is what became of the packets from one end.
type Asked struct {
	Host    string  `json:"host"`
	Outcome Outcome `json:"outcome"`
}

func (x *Witness) String() string { return fmt.Sprintf("%s (%s)", x.Address, x.Is) }

func (x *Witness) outcome(end inventory.Ref) Outcome {
	for _, a := range x.Asked {
		if a.Host == end.Host {
			return a.Outcome
		}
	}
	return ""
}

// probing is the size that witnesses are asked with: a quarter above what
// passes. Ports take a few bytes more than they are set to, and not the same
// inwards as outwards; and the less is asked of a witness, the more of them can
// answer.
func probing(w *Way) int { return min(w.Wanted, w.Largest+w.Largest/4) }

const (
	maxWitnesses = 8 // asked in all for one direction
	together     = 4 // at the same time: a session each
)

// ask asks witnesses, the surest first, until they tell which end it is.
func (p Prober) ask(ctx context.Context, w *Way, near, far side) ([]Witness, error) {
	all, err := p.candidates(ctx, w, near, far)
	if err != nil {
		return nil, err
	}
	all = all[:min(maxWitnesses, len(all))]
	var done []Witness
	for group := range slices.Chunk(all, together) {
		errs := make([]error, len(group))
		var asking sync.WaitGroup
		for i := range group {
			asking.Go(func() { errs[i] = p.askOne(ctx, &group[i], near, far) })
		}
		asking.Wait()
		if err := errors.Join(errs...); err != nil {
			return nil, err
		}
		done = append(done, group...)
		w.Witnesses = done
		if len(blame(w, near, far)) == 1 {
			break
		}
	}
	return done, nil
}

func (p Prober) askOne(ctx context.Context, x *Witness, near, far side) error {
	passed := false
	for i := range x.Asked {
		one, err := p.remember(ctx, x.Asked[i].Host, x.Address, x.Size)
		if err != nil {
			return err
		}
		x.Asked[i].Outcome = one.Outcome
		passed = passed || one.Outcome == Passed
	}
	for i, asked := range x.Asked {
		if !passed || asked.Outcome != Lost {
			continue
		}
		// One that does not answer this end at all says nothing about sizes.
		small, err := p.remember(ctx, asked.Host, x.Address, Smallest)
		if err != nil {
			return err
		}
		if small.Outcome != Passed {
			x.Asked[i].Outcome = Silent
		}
	}
	a, b := x.outcome(near.end), x.outcome(far.end)
	switch {
	case a == Passed && b == Passed:
		x.Shows = "takes them from both"
	case a == Passed && b == Lost:
		x.Shows = fmt.Sprintf("takes them from %s, not from %s", near.end.Host, far.end.Host)
	case b == Passed && a == Lost:
		x.Shows = fmt.Sprintf("takes them from %s, not from %s", far.end.Host, near.end.Host)
	case a == Passed:
		x.Shows = "takes them from " + near.end.Host
	case b == Passed:
		x.Shows = "takes them from " + far.end.Host
	default:
		x.Shows = "answers none: it may not take them itself, so this shows nothing"
	}
	return nil
}

// memory of what witnesses answered: the way back asks the same.
type memory struct {
	mu   sync.Mutex
	seen map[question]Probe
}

type question struct {
	host string
	to   netip.Addr
	size int
}

// remember sends packets that must not be fragmented, once for both ways.
func (p Prober) remember(ctx context.Context, host string, to netip.Addr, size int) (Probe, error) {
	q := question{host, to, size}
	p.asked.mu.Lock()
	one, known := p.asked.seen[q]
	p.asked.mu.Unlock()
	if known {
		return one, nil
	}
	one, err := p.send(ctx, host, to, size, true)
	if err == nil {
		p.asked.mu.Lock()
		p.asked.seen[q] = one
		p.asked.mu.Unlock()
	}
	return one, err
}

// candidates are addresses that stand beyond the switch for an end of the way:
// other hosts that were read, then the default gateway, then neighbours that
// the ends have talked to. One that may stand before the switch, on the same
// managed system, would prove nothing about the switch's port.
func (p Prober) candidates(ctx context.Context, w *Way, near, far side) ([]Witness, error) {
	var out []Witness
	add := func(a netip.Addr, is string, behind bool, from ...inventory.Ref) {
		i := slices.IndexFunc(out, func(x Witness) bool { return x.Address == a })
		if i < 0 {
			out = append(out, Witness{Address: a, Is: is, Size: probing(w), behind: behind})
			i = len(out) - 1
		}
		for _, r := range from {
			if !slices.ContainsFunc(out[i].Asked, func(x Asked) bool { return x.Host == r.Host }) {
				out[i].Asked = append(out[i].Asked, Asked{Host: r.Host})
			}
		}
	}
	ends := []side{near, far}
	for _, h := range p.Fleet.Hosts {
		if h.Name == w.From.Host || h.Name == w.To.Host {
			continue
		}
		for _, name := range h.Interfaces() {
			ref := inventory.Ref{Host: h.Name, Element: name}
			if n, known := carries(h.Elements[name]); known && n < probing(w) {
				continue
			}
			for i, end := range ends {
				a, shared := p.shared(end.end, h.Elements[name])
				if shared && p.beyond(end, ref) {
					other := ends[1-i]
					behind := other.kind == inventory.EthernetSwitch && p.sameSide(other, ref)
					add(a, ref.String(), behind && i == 0, end.end)
				}
			}
		}
	}
	if near.kind != inventory.EthernetSwitch {
		return out, nil // a gateway is not on the hypervisor switch
	}
	for _, end := range ends {
		for _, r := range p.Fleet.Host(end.end.Host).Routes {
			if r.To.Bits() == 0 && p.foreign(r.Gateway) && p.inSubnet(end.end, r.Gateway) {
				add(r.Gateway, "the default gateway", false, end.end)
			}
		}
	}
	// A gateway serves the subnet, whoever has a route to it.
	for _, x := range slices.Clone(out) {
		for _, end := range ends {
			if x.Is == "the default gateway" && p.inSubnet(end.end, x.Address) {
				add(x.Address, x.Is, false, end.end)
			}
		}
	}
	for _, end := range ends {
		if !p.closed(end) {
			continue
		}
		list, err := p.neighbours(ctx, end.end)
		if err != nil {
			return nil, err
		}
		for _, n := range list {
			if n.universal() && p.foreign(n.address) && p.inSubnet(end.end, n.address) {
				add(n.address, "a neighbour", false, end.end)
			}
		}
	}
	// What one end knows, the other can ask too, if it stands beyond for it.
	for _, x := range slices.Clone(out) {
		for _, end := range ends {
			if x.Is == "a neighbour" && p.closed(end) && p.inSubnet(end.end, x.Address) {
				add(x.Address, x.Is, false, end.end)
			}
		}
	}
	return out, nil
}

// beyond says whether the way from an end to another interface leads over the
// end's port of the same switch.
func (p Prober) beyond(end side, to inventory.Ref) bool {
	if el := p.Fleet.Element(to); el == nil || p.placeless(to.Host) || p.placeless(end.end.Host) {
		return false
	}
	path, err := p.Fleet.Between(end.end.String(), to.String())
	if err != nil {
		return false
	}
	if end.kind == inventory.EthernetSwitch && p.sameSide(end, to) {
		return false // a VIOS's own interface is before its port
	}
	own, _ := sides(path)
	return own.kind == end.kind && slices.Equal(own.ports, end.ports)
}

// sameSide says whether an interface uses the same port of the switch as an end.
func (p Prober) sameSide(end side, to inventory.Ref) bool {
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
		if el.Kind == inventory.Virtual || el.Kind == inventory.VNIC {
			return true
		}
	}
	return false
}

// closed says whether all was read that can stand between an end and its port,
// so that a neighbour with an address of a real port stands beyond it. Of a
// pair of VIOSes both must have been read: the other one is before the port.
func (p Prober) closed(end side) bool {
	h := p.Fleet.Host(end.end.Host)
	if end.open || h == nil || len(end.ports) == 0 {
		return false
	}
	for _, r := range end.ports {
		if el := p.Fleet.Element(r); el == nil || el.Kind != inventory.Physical {
			return false
		}
	}
	if end.ports[0].Host == h.Name && h.Platform != inventory.VIOS {
		return true // a port of its own
	}
	servers, paired := 0, false
	for _, o := range p.Fleet.Hosts {
		if o.Platform != inventory.VIOS || o.MachineID == "" || o.MachineID != h.MachineID {
			continue
		}
		servers++
		for _, name := range o.Names(inventory.SEA) {
			paired = paired || o.Elements[name].HAState != ""
		}
	}
	return servers > 1 || servers == 1 && !paired
}

// foreign says that no host that was read has the address.
func (p Prober) foreign(a netip.Addr) bool {
	for _, h := range p.Fleet.Hosts {
		for _, el := range h.Elements {
			for _, own := range el.Addrs {
				if own.Addr() == a {
					return false
				}
			}
		}
	}
	return a.IsValid() && a.Is4() && !a.IsUnspecified() && !a.IsLoopback() && !a.IsMulticast()
}

func (p Prober) inSubnet(end inventory.Ref, a netip.Addr) bool {
	el := p.Fleet.Element(end)
	return el != nil && slices.ContainsFunc(el.Addrs, func(x netip.Prefix) bool {
		return x.Addr().Is4() && x.Masked().Contains(a) && x.Addr() != a
	})
}

// shared is an address of el in a subnet of an end.
func (p Prober) shared(end inventory.Ref, el *inventory.Element) (netip.Addr, bool) {
	if own := p.Fleet.Element(end); own != nil && el != nil {
		for _, a := range own.Addrs {
			for _, b := range el.Addrs {
				if b.Addr().Is4() && a.Addr() != b.Addr() && a.Masked().Contains(b.Addr()) {
					return b.Addr(), true
				}
			}
		}
	}
	return netip.Addr{}, false
}

// neighbours are the addresses that a host has talked to of late.
func (p Prober) neighbours(ctx context.Context, end inventory.Ref) ([]neighbour, error) {
	host, inv := p.Hosts[end.Host], p.Fleet.Host(end.Host)
	if host == nil || inv == nil {
		return nil, nil
	}
	line := "arp -an"
	switch {
	case inv.Platform == inventory.Linux:
		line = "cat /proc/net/arp"
	case inv.Platform == inventory.VIOS && inv.User != "root":
		line = "echo 'arp -an' | oem_setup_env"
	}
	res, err := host.Run(ctx, remote.Command{Line: line, Limit: 20 * time.Second, MaxOutput: 1 << 20})
	if err != nil {
		return nil, fmt.Errorf("%s: %s: %w", end.Host, line, err)
	}
	if res.Exit != 0 {
		return nil, nil // a padmin without arp: the others are asked
	}
	return parseNeighbours(strings.ToValidUTF8(string(res.Stdout), "?")), nil
}
