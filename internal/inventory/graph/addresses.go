package graph

import (
	"net/netip"
	"slices"
	"strings"

	"seaworthy/internal/inventory/model"
)

// outward are the kinds of a Linux host's devices that lead out of it. Bridges and
// tunnels are left out: the network of containers has the same addresses on every host.
var outward = []model.Kind{model.Virtual, model.VNIC, model.Physical, model.EtherChannel, model.VLANDevice}

// leadsOut says whether other hosts may reach e by its addresses. The end of a cable between
// namespaces does where the default route leads over it, as in a container.
func leadsOut(e *Element) bool {
	switch {
	case !e.Linux():
		return e.Is.Kind == model.Interface
	case e.Is.Driver == "veth":
		return slices.ContainsFunc(e.Of.Routes, func(r model.Route) bool { return r.To.Bits() == 0 && r.Interface == e.Name })
	}
	return slices.Contains(outward, e.Is.Kind) || slices.Contains(model.GuestDrivers, e.Is.Driver)
}

// mostAddresses of an element are compared with others'.
const mostAddresses = 256

// Addresses are those by which other hosts reach an element, the first mostAddresses.
func Addresses(e *Element) []netip.Prefix {
	if !leadsOut(e) || strings.HasPrefix(e.Name, "lo") {
		return nil
	}
	return slices.DeleteFunc(slices.Clone(e.Is.Addrs[:min(len(e.Is.Addrs), mostAddresses)]), func(a netip.Prefix) bool {
		return !a.IsValid() || a.Addr().IsLoopback() || a.Addr().IsLinkLocalUnicast()
	})
}

// addAddresses notes who has an address, and who is in a network by its own mask.
func (g graphBuilder) addAddresses(e *Element) {
	for _, a := range Addresses(e) {
		if l := g.addresses[a.Addr()]; len(l) == 0 || l[len(l)-1].Host != e.Host { // once for each host, whatever it prints
			g.addresses[a.Addr()] = append(l, e)
		}
		g.networks[a.Masked()] = append(g.networks[a.Masked()], e)
		if at := (hostNetwork{host: e.Host, in: a.Masked()}); Compared(a) && !endsIn(g.places[at], e) {
			g.places[at] = append(g.places[at], e)
		}
	}
}

// hostNetwork is a network as one host has it, or within another by the mask of that one.
type hostNetwork struct {
	host       string
	in, within netip.Prefix
}

// Beside gives the other elements of e's host that have an address in one of its networks.
func Beside(e *Element) (out []*Element) {
	for _, a := range Addresses(e) {
		for _, x := range e.graph.places[hostNetwork{host: e.Host, in: a.Masked()}] {
			if x != e && len(out) < maxDuplicates && !slices.Contains(out, x) {
				out = append(out, x)
			}
		}
	}
	return out
}

// Lengths of netmasks that are compared: addresses alone, and point-to-point links, are
// meant to have longer ones.
const ShortestMask, LongestMask = 8, 30

// Compared says whether an address has a netmask that is compared with its neighbours'.
func Compared(a netip.Prefix) bool {
	return a.Addr().Is4() && a.Bits() >= ShortestMask && a.Bits() <= LongestMask
}

// addStraddlers notes who has an address of a network and a wider mask than its.
func (g graphBuilder) addStraddlers() {
	for p, list := range g.networks {
		for _, x := range list {
			for _, a := range Addresses(x) {
				for bits := a.Bits() + 1; Compared(a) && a.Masked() == p && bits <= LongestMask; bits++ {
					n := hostNetwork{in: netip.PrefixFrom(a.Addr(), bits).Masked(), within: p}
					if len(g.networks[n.in]) > 0 {
						g.places[n] = append(g.places[n], x)
					}
				}
			}
		}
	}
}

// Straddling gives the elements with an address of a network and the mask of a wider one.
func (g *Graph) Straddling(in, within netip.Prefix) []*Element {
	return g.places[hostNetwork{in: in, within: within}]
}

// InNetwork gives the elements that have an address in a network, by their own masks.
func (g *Graph) InNetwork(p netip.Prefix) []*Element { return g.networks[p] }

// SameAddress gives the elements of other hosts that have one of e's addresses and may
// be in a network with it.
func SameAddress(e *Element) []*Element {
	var out []*Element
	for _, a := range Addresses(e) {
		for _, x := range e.graph.addresses[a.Addr()] {
			if len(out) < maxDuplicates && x.Host != e.Host && !secluded(e, x) && !slices.Contains(out, x) {
				out = append(out, x)
			}
		}
	}
	return out
}

// Rival is a MAC address that a neighbour has for an IP address, and that is none of
// the host's with the address.
type Rival struct {
	Host *Element // that has it in its ARP table
	model.Neighbour
}

// addRivals notes the entries of a host's ARP table that name a MAC address which no
// host with the IP address has.
func (g graphBuilder) addRivals(e *Element) {
	if e.Kind != KindHost {
		return
	}
	for _, n := range slices.Concat(e.Of.Learnt, e.Of.ARP) {
		owners := g.addresses[n.Address]
		theirs := func(o *Element) bool { return o.Host == e.Host || !lacksMAC(o, n.MAC) }
		if len(owners) > 0 && len(g.rivals[n.Address]) < maxDuplicates && !n.Published && !slices.ContainsFunc(owners, theirs) {
			g.rivals[n.Address] = append(g.rivals[n.Address], Rival{e, n})
		}
	}
}

// lacksMAC says that no adapter of an element's host has a MAC address; false while that
// of the one below the element is not known.
func lacksMAC(e *Element, mac string) bool {
	x, err := e.Adapter()
	if err != nil || x.Is.MAC == "" {
		return false
	}
	return !slices.ContainsFunc(e.graph.byHost[e.Host], func(o *Element) bool { return o.Is.MAC == mac })
}

// Rivals gives what the ARP tables of neighbours say against e's MAC address.
func Rivals(e *Element) []Rival {
	var out []Rival
	for _, a := range Addresses(e) {
		out = append(out, e.graph.rivals[a.Addr()]...)
	}
	return out
}

// secluded says that of two elements one is in a VLAN that leaves no managed system,
// and the other is not in it.
func secluded(a, b *Element) bool {
	ours, inside := insideAdapters(a)
	theirs, inside2 := insideAdapters(b)
	if !inside && !inside2 {
		return false
	}
	return a.Machine != b.Machine || len(ours) == 0 || len(theirs) == 0 || apart(ours[0], theirs[0])
}

// insideAdapters gives the virtual adapters of an element, and says that no SEA carries it, as far
// as a VIOS of its system was read.
func insideAdapters(e *Element) (adapters []*Element, yes bool) {
	adapters, err := e.VirtualAdapters()
	trunks, _ := e.Carriers()
	read := slices.Contains(e.graph.platforms[e.Machine], string(model.VIOS))
	return adapters, err == nil && len(adapters) > 0 && len(trunks) == 0 && read
}

func (g graphBuilder) addMAC(e *Element) {
	switch e.Is.Kind {
	case model.Virtual, model.VNIC, model.Physical:
		if strings.Trim(e.Is.MAC, "0:") != "" {
			g.macs[e.Is.MAC] = append(g.macs[e.Is.MAC], e)
		}
	}
}

// maxDuplicates bounds how many are named where many copies were made.
const maxDuplicates = 4

// Duplicates gives the adapters of other hosts that have e's MAC address and may
// be in a VLAN with it.
func Duplicates(e *Element) ([]*Element, error) {
	if strings.Trim(e.Is.MAC, "0:") == "" {
		return nil, e.Missing("MAC address", "entstat -d "+e.Name)
	}
	var out []*Element
	for _, x := range e.graph.macs[e.Is.MAC] {
		if x.Host != e.Host && !apart(e, x) && len(out) < maxDuplicates {
			out = append(out, x)
		}
	}
	return out, nil
}

// apart says that two adapters have no VLAN in common, as far as both are known.
func apart(a, b *Element) bool {
	ours, err := a.VLANs()
	theirs, err2 := b.VLANs()
	return err == nil && err2 == nil && !slices.ContainsFunc(ours, func(v int) bool { return slices.Contains(theirs, v) })
}
