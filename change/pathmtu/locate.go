package pathmtu

import (
	"context"
	"fmt"
	"net/netip"

	"seaworthy/inventory"
)

// Suspect is an element that stops large packets, and why it is thought so.
type Suspect struct {
	Ref *inventory.Ref `json:"ref,omitempty"` // nil: no host's
	Is  string         `json:"is"`            // in words
	Why string         `json:"why"`
}

// locate names what stops packets larger than those that pass: who reported
// it, else the first element that says it carries no more, else the switch.
func (p Prober) locate(ctx context.Context, w *Way, path *inventory.Path) ([]Suspect, error) {
	for _, one := range w.Probes {
		switch {
		case one.Outcome == Reported && one.By.IsValid():
			return []Suspect{p.at(one.By)}, nil
		case one.Outcome == Refused && one.Size <= w.Wanted:
			return []Suspect{{Ref: &w.From, Is: w.From.String(), Why: fmt.Sprintf("refuses to send %d bytes although its MTU is read as %d", one.Size, w.Wanted)}}, nil
		}
	}
	for _, h := range path.Hops {
		if h.Ref == nil {
			continue
		}
		if n, ok := carries(p.Fleet.Element(*h.Ref)); ok && n < w.Wanted && n <= w.Largest {
			return []Suspect{{Ref: h.Ref, Is: h.Ref.String(), Why: fmt.Sprintf("passes packets up to %d bytes only, as it says itself", n)}}, nil
		}
	}
	return p.unseen(ctx, w, path)
}

// at is the host with an address, or a router nobody has read.
func (p Prober) at(a netip.Addr) Suspect {
	why := "reports that it does not pass them"
	for _, h := range p.Fleet.Hosts {
		for name, el := range h.Elements {
			for _, own := range el.Addrs {
				if own.Addr() == a {
					r := inventory.Ref{Host: h.Name, Element: name}
					return Suspect{Ref: &r, Is: r.String(), Why: why}
				}
			}
		}
	}
	return Suspect{Is: "the router " + a.String(), Why: why}
}

// unseen blames what no host can see: the ports of the switch in between. If
// another host of the subnet reaches one end with such packets and not the
// other, it is the other's port.
func (p Prober) unseen(ctx context.Context, w *Way, path *inventory.Path) ([]Suspect, error) {
	near, far, kind := around(path)
	if kind == "" {
		return []Suspect{{Is: "an element that was not read", Why: "all that were read say that they carry such packets"}}, nil
	}
	size := w.Largest + 1
	heard := map[string]bool{}
	for _, other := range p.witnesses(w) {
		for _, end := range []inventory.Ref{w.From, w.To} {
			el := p.Fleet.Element(end)
			to, err := p.shared(other, el)
			if err != nil {
				continue
			}
			one, err := p.send(ctx, other.Host, to, size, true)
			if err != nil {
				return nil, err
			}
			if one.Outcome == Passed {
				heard[end.String()] = true
			}
		}
	}
	ports := map[string]Suspect{
		w.From.String(): port(kind, near), w.To.String(): port(kind, far),
	}
	a, b := heard[w.From.String()], heard[w.To.String()]
	switch {
	case a && !b:
		return []Suspect{ports[w.To.String()]}, nil
	case b && !a:
		return []Suspect{ports[w.From.String()]}, nil
	}
	return []Suspect{ports[w.From.String()], ports[w.To.String()]}, nil
}

func port(kind string, at inventory.Ref) Suspect {
	what := "the switch port of " + at.String()
	if kind == inventory.HypervisorSwitch {
		what = "the hypervisor switch, at " + at.String()
	}
	return Suspect{Is: what, Why: "every element that a host can see says that it carries such packets"}
}

// around gives the elements on both sides of the path's switch: the Ethernet
// switch if there is one. An empty kind means that the path has none.
func around(path *inventory.Path) (near, far inventory.Ref, kind string) {
	at := -1
	for i, h := range path.Hops {
		if h.Ref == nil && (at < 0 || h.Kind == inventory.EthernetSwitch) {
			at = i
		}
	}
	if at < 0 {
		return path.From, path.To, ""
	}
	near, far = path.From, path.To
	for _, h := range path.Hops[:at] {
		if h.Ref != nil {
			near = *h.Ref
		}
	}
	for i := len(path.Hops) - 1; i > at; i-- {
		if h := path.Hops[i]; h.Ref != nil {
			far = *h.Ref
		}
	}
	return near, far, path.Hops[at].Kind
}

// witnesses are other hosts that can be asked, with an interface that sends
// packets as large.
func (p Prober) witnesses(w *Way) []inventory.Ref {
	var out []inventory.Ref
	for _, h := range p.Fleet.Hosts {
		if h.Name == w.From.Host || h.Name == w.To.Host || p.Hosts[h.Name] == nil {
			continue
		}
		for _, name := range h.Names(inventory.Interface) {
			if n, ok := carries(h.Elements[name]); ok && n > w.Largest && len(h.Elements[name].Addrs) > 0 {
				out = append(out, inventory.Ref{Host: h.Name, Element: name})
			}
		}
	}
	return out
}

// shared is an address of el in a subnet of the witness.
func (p Prober) shared(witness inventory.Ref, el *inventory.Element) (netip.Addr, error) {
	if own := p.Fleet.Element(witness); own != nil && el != nil {
		for _, a := range own.Addrs {
			for _, b := range el.Addrs {
				if b.Addr().Is4() && a.Masked().Contains(b.Addr()) {
					return b.Addr(), nil
				}
			}
		}
	}
	return netip.Addr{}, fmt.Errorf("%s shares no subnet", witness)
}
