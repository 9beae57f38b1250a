package graph

import (
	"fmt"
	"net/netip"
	"slices"
	"strings"

	"seaworthy/internal/base/spelling"
	"seaworthy/internal/inventory/model"
)

// endpoint reads "host" or "host:enN".
func (g *Graph) endpoint(s string) (model.Ref, error) {
	host, element, _ := strings.Cut(s, ":")
	h := g.Host(host)
	if h == nil {
		var read []string
		for _, h := range g.fleet.Hosts {
			read = append(read, h.Name)
		}
		return model.Ref{}, fmt.Errorf("%s: this host was not read%s (read: %s)", host, spelling.DidYouMean(host, read), someOf(read))
	}
	if element != "" && !slices.Contains(h.Interfaces(), element) {
		return model.Ref{}, fmt.Errorf("%s has no interface %s (it has %s)", host, element, strings.Join(h.Interfaces(), ", "))
	}
	return model.Ref{Host: host, Element: element}, nil
}

// someOf lists names, the first ten.
func someOf(names []string) string {
	const most = 10
	if len(names) > most {
		names = append(names[:most:most], fmt.Sprintf("and %d more", len(names)-most))
	}
	return strings.Join(names, ", ")
}

// ends fills in interfaces that were not named: the first two that share a subnet, else that
// the routes of both hosts name, else the first of each.
func (g *Graph) ends(a, b model.Ref) (from, to *Element, err error) {
	ours, theirs := g.candidates(a), g.candidates(b)
	if len(ours) == 0 {
		return nil, nil, fmt.Errorf("%s: no interface with an address was read", a.Host)
	}
	if len(theirs) == 0 {
		return nil, nil, fmt.Errorf("%s: no interface with an address was read", b.Host)
	}
	for _, joined := range []func(x, y *Element) bool{
		shareSubnet,
		func(x, y *Element) bool { return routed(x, y) && routed(y, x) },
	} {
		for _, x := range ours {
			for _, y := range theirs {
				if joined(x, y) {
					return x, y, nil
				}
			}
		}
	}
	return ours[0], theirs[0], nil
}

// candidates are the interfaces that an end may mean.
func (g *Graph) candidates(end model.Ref) []*Element {
	if end.Element != "" {
		return []*Element{g.At(end)}
	}
	var out []*Element
	for _, name := range g.Host(end.Host).Interfaces() {
		e := g.At(model.Ref{Host: end.Host, Element: name})
		if len(e.Is.Addrs) > 0 && name != "lo0" && name != "lo" {
			out = append(out, e)
		}
	}
	return out
}

// routed says whether a host's routes send packets for an address of to out of from.
func routed(from, to *Element) bool {
	return slices.ContainsFunc(to.Is.Addrs, func(a netip.Prefix) bool {
		r := from.Of.Route(a.Addr())
		return r != nil && r.Interface == from.Name
	})
}
