package inventory

import (
	"fmt"
	"slices"
	"strings"
)

// Kinds of hops that no host owns.
const (
	HypervisorSwitch = "hypervisor-switch"
	EthernetSwitch   = "ethernet-switch"
)

// Between finds the path from one host's interface to another's. Where a host
// is given without an interface, the pair that shares a subnet is taken.
func (f *Fleet) Between(from, to string) (*Path, error) {
	a, err := f.endpoint(from)
	if err != nil {
		return nil, err
	}
	b, err := f.endpoint(to)
	if err != nil {
		return nil, err
	}
	ra, rb, err := f.pair(a, b)
	if err != nil {
		return nil, err
	}
	if ra == rb {
		return nil, fmt.Errorf("%s: both ends of the path are this interface", ra)
	}
	up, down := f.outward(ra), f.outward(rb)
	p := &Path{From: ra, To: rb}
	p.Gaps = append(append(p.Gaps, up.gaps...), down.gaps...)
	neighbours := shareSubnet(f.Element(ra), f.Element(rb))
	i, j := meet(up.hops, down.hops)
	switch {
	case up.system != "" && up.system == down.system && f.sameVLAN(up, down):
		// Both are on one hypervisor switch: frames never reach an SEA.
		p.Hops = append(p.Hops, up.hops[:up.inside]...)
		p.Hops = append(p.Hops, Hop{Kind: HypervisorSwitch, Note: up.vswitch})
		p.Hops = append(p.Hops, reversed(down.hops[:down.inside])...)
		p.Gaps = nil
	case neighbours && i > 0 && j > 0:
		// An SEA bridges between its own interface and its clients, too.
		p.Hops = append(p.Hops, up.hops[:i+1]...)
		p.Hops = append(p.Hops, reversed(down.hops[:j])...)
		p.Gaps = nil
	default:
		p.Hops = append(p.Hops, up.hops...)
		p.Hops = append(p.Hops, Hop{Kind: EthernetSwitch, Note: "not visible from any host"})
		p.Hops = append(p.Hops, reversed(down.hops)...)
	}
	return p, nil
}

// meet finds the first SEA that two ways have in common, as its place in each; 0
// if there is none.
func meet(a, b []Hop) (i, j int) {
	for i, x := range a {
		if x.Ref == nil || x.Kind != string(SEA) {
			continue
		}
		if j := slices.IndexFunc(b, func(y Hop) bool { return y.Ref != nil && *y.Ref == *x.Ref }); j > 0 {
			return i, j
		}
	}
	return 0, 0
}

func reversed(hops []Hop) []Hop {
	out := slices.Clone(hops)
	slices.Reverse(out)
	return out
}

// endpoint reads "host" or "host:enN".
func (f *Fleet) endpoint(s string) (Ref, error) {
	host, el, _ := strings.Cut(s, ":")
	h := f.Host(host)
	if h == nil {
		read := make([]string, 0, len(f.Hosts))
		for _, h := range f.Hosts {
			read = append(read, h.Name)
		}
		return Ref{}, fmt.Errorf("%s: this host was not read (read: %s)", host, someOf(read))
	}
	if el != "" {
		e := h.Elements[el]
		if e == nil || !h.ends(e) {
			return Ref{}, fmt.Errorf("%s has no interface %s (it has %s)", host, el, strings.Join(h.Interfaces(), ", "))
		}
	}
	return Ref{host, el}, nil
}

// someOf lists names, the first ten.
func someOf(names []string) string {
	const most = 10
	if len(names) > most {
		names = append(names[:most:most], fmt.Sprintf("and %d more", len(names)-most))
	}
	return strings.Join(names, ", ")
}

// ends reports whether a path can end at an element: at an interface; on Linux,
// where interface and adapter are one, at any device.
func (h *Host) ends(e *Element) bool {
	return e.Kind == Interface || h.Platform == Linux
}

// Interfaces names what a path can end at, in the order people count.
func (h *Host) Interfaces() []string {
	var names []string
	for n, e := range h.Elements {
		if h.ends(e) {
			names = append(names, n)
		}
	}
	slices.SortFunc(names, Natural)
	return names
}

// pair fills in interfaces that were not named.
func (f *Fleet) pair(a, b Ref) (Ref, Ref, error) {
	candidates := func(r Ref) []string {
		if r.Element != "" {
			return []string{r.Element}
		}
		var names []string
		for _, n := range f.Host(r.Host).Interfaces() {
			if len(f.Host(r.Host).Elements[n].Addrs) > 0 && n != "lo0" && n != "lo" {
				names = append(names, n)
			}
		}
		return names
	}
	ca, cb := candidates(a), candidates(b)
	switch {
	case len(ca) == 0:
		return a, b, fmt.Errorf("%s: no interface with an address was read", a.Host)
	case len(cb) == 0:
		return a, b, fmt.Errorf("%s: no interface with an address was read", b.Host)
	}
	for _, joined := range []func(x, y Ref) bool{
		func(x, y Ref) bool { return shareSubnet(f.Element(x), f.Element(y)) },
		func(x, y Ref) bool { return f.routed(x, y) && f.routed(y, x) },
	} {
		for _, x := range ca {
			for _, y := range cb {
				if joined(Ref{a.Host, x}, Ref{b.Host, y}) {
					return Ref{a.Host, x}, Ref{b.Host, y}, nil
				}
			}
		}
	}
	return Ref{a.Host, ca[0]}, Ref{b.Host, cb[0]}, nil
}

// routed reports whether a host's routes send packets for an address of to out
// of from.
func (f *Fleet) routed(from, to Ref) bool {
	for _, a := range f.Element(to).Addrs {
		if r := f.Host(from.Host).Route(a.Addr()); r != nil && r.Interface == from.Element {
			return true
		}
	}
	return false
}

func shareSubnet(a, b *Element) bool {
	for _, x := range a.Addrs {
		for _, y := range b.Addrs {
			if x.Addr().Is4() == y.Addr().Is4() && x.Masked() == y.Masked() {
				return true
			}
		}
	}
	return false
}

// way is what is between an interface and the Ethernet switch.
type way struct {
	hops    []Hop
	inside  int    // hops before the hypervisor switch
	system  string // managed system whose hypervisor switch it passes
	vswitch string
	adapter Ref  // the virtual adapter on that switch
	tag     *int // VLAN of the frames' tag, if a VLAN device gives them one
	gaps    []Gap
}

func (f *Fleet) outward(iface Ref) *way {
	w := &way{}
	w.add(f, iface, "")
	el := f.Element(iface)
	switch {
	case el.On != "":
		f.descend(w, Ref{iface.Host, el.On}, "")
	case f.Host(iface.Host).Platform == Linux:
		f.below(w, iface, el)
	default:
		w.gap(iface, "its adapter is not known")
	}
	return w
}

func (w *way) gap(r Ref, why string) { w.gaps = append(w.gaps, Gap{What: r.String(), Why: why}) }

func (w *way) add(f *Fleet, r Ref, note string) {
	kind := "unknown"
	if el := f.Element(r); el != nil {
		kind = string(el.Kind)
	}
	w.hops = append(w.hops, Hop{Ref: &r, Kind: kind, Note: note})
}

// descend follows an adapter down to the wire.
func (f *Fleet) descend(w *way, r Ref, note string) {
	if len(w.hops) > 32 {
		w.gap(r, "elements refer to each other in a loop")
		return
	}
	w.add(f, r, note)
	el := f.Element(r)
	if el == nil {
		w.gap(r, "named by another element but not read itself")
		return
	}
	f.below(w, r, el)
}

// below follows what an element that is already on the way is built on.
func (f *Fleet) below(w *way, r Ref, el *Element) {
	switch el.Kind {
	case Interface, VLANDevice:
		if el.Kind == VLANDevice && len(el.VLANs) == 1 {
			w.tag = &el.VLANs[0]
		}
		if el.On != "" {
			f.descend(w, Ref{r.Host, el.On}, "")
		} else if el.Kind == VLANDevice {
			w.gap(r, "the device below it is not known")
		}
		f.ports(w, r, el)
	case SEA:
		if el.Real == "" {
			w.gaps = append(w.gaps, unread(f.Host(r.Host), r, "its real adapter"))
			return
		}
		f.descend(w, Ref{r.Host, el.Real}, "real adapter")
	case EtherChannel:
		f.throughChannel(w, r, el)
	case Virtual:
		f.throughHypervisor(w, r, el)
	case VNIC:
		f.throughVNIC(w, r, el)
	}
}

// ports follows a Linux bridge: to its only port that leaves the host, or to a
// list of those there are. No host shows which of several a frame takes.
func (f *Fleet) ports(w *way, r Ref, el *Element) {
	var out []string
	for _, m := range el.Members {
		if e := f.Element(Ref{r.Host, m}); e != nil && e.Kind != Interface {
			out = append(out, m)
		}
	}
	if len(out) == 1 {
		f.descend(w, Ref{r.Host, out[0]}, "port of "+r.Element)
		return
	}
	for _, m := range out {
		w.add(f, Ref{r.Host, m}, "port of "+r.Element)
	}
}

func (f *Fleet) throughHypervisor(w *way, r Ref, el *Element) {
	w.inside = len(w.hops)
	w.system = f.Host(r.Host).MachineID
	w.vswitch, w.adapter = el.VSwitch, r
	bridges, gap := f.Bridging().On(f.Host(r.Host), el, w.tag)
	if gap != nil {
		w.hops = append(w.hops, Hop{Kind: HypervisorSwitch, Note: el.VSwitch})
		w.gaps = append(w.gaps, *gap)
		return
	}
	b := bridges[0]
	switch {
	case b.Standby != nil && *b.Standby:
		w.gaps = append(w.gaps, Gap{What: r.String() + " to its SEA", Why: fmt.Sprintf("%s is on standby for VLAN %d, and the SEA that "+
			"carries it was not read", b.SEA, b.VLAN)})
	case b.Standby == nil && len(bridges) > 1:
		w.gaps = append(w.gaps, Gap{What: r.String() + " to its SEA", Why: fmt.Sprintf("%s and %s both can carry VLAN %d, and which does "+
			"now was not read (entstat -d %s prints it for each trunk adapter)", b.SEA, bridges[1].SEA, b.VLAN, b.SEA.Element)})
	}
	note := fmt.Sprintf("VLAN %d", b.VLAN)
	if el.VSwitch != "" {
		note += " on " + el.VSwitch
	}
	if b.Counted {
		note += ", as the SEA counts its frames"
	}
	w.hops = append(w.hops, Hop{Kind: HypervisorSwitch, Note: note})
	w.add(f, Ref{b.SEA.Host, b.Trunk}, note)
	f.descend(w, b.SEA, "trunk "+b.Trunk)
}

// sameVLAN reports whether two virtual adapters reach each other directly.
func (f *Fleet) sameVLAN(a, b *way) bool {
	x, y := f.Element(a.adapter), f.Element(b.adapter)
	if x == nil || y == nil || x.VSwitch != y.VSwitch {
		return false
	}
	v, w := a.vlan(x), b.vlan(y)
	return v != nil && w != nil && *v == *w
}

// vlan is the one a way's frames are in on the hypervisor's switch: their tag, else
// the adapter's port VLAN; nil if neither is known.
func (w *way) vlan(adapter *Element) *int {
	if w.tag != nil {
		return w.tag
	}
	return adapter.PVID
}
