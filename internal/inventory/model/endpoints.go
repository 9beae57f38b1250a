package model

import (
	"fmt"
	"net/netip"
	"slices"
	"strings"
)

// endpoint reads "host" or "host:enN".
func (f *Fleet) endpoint(s string) (Ref, error) {
	host, el, _ := strings.Cut(s, ":")
	h := f.Host(host)
	if h == nil {
		var read []string
		for _, h := range f.Hosts {
			read = append(read, h.Name)
		}
		return Ref{}, fmt.Errorf("%s: this host was not read (read: %s)", host, someOf(read))
	}
	if e := h.Elements[el]; el != "" && (e == nil || !h.ends(e)) {
		return Ref{}, fmt.Errorf("%s has no interface %s (it has %s)", host, el, strings.Join(h.Interfaces(), ", "))
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
		h := f.Host(r.Host)
		return slices.DeleteFunc(h.Interfaces(), func(n string) bool { return len(h.Elements[n].Addrs) == 0 || n == "lo0" || n == "lo" })
	}
	ca, cb := candidates(a), candidates(b)
	if len(ca) == 0 || len(cb) == 0 {
		of := map[bool]string{true: a.Host, false: b.Host}[len(ca) == 0]
		return a, b, fmt.Errorf("%s: no interface with an address was read", of)
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
	return slices.ContainsFunc(f.Element(to).Addrs, func(a netip.Prefix) bool {
		r := f.Host(from.Host).Route(a.Addr())
		return r != nil && r.Interface == from.Element
	})
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
