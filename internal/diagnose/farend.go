package diagnose

import (
	"net/netip"
	"slices"
	"strings"

	"seaworthy/internal/inventory/model"
)

// An end of a path is often a host whose outputs nobody has: its address alone is known, from pings and connections of the
// other end. The other end, and what was measured from there, can be judged all the same.

// farInterface is the interface of a host that is known by its address alone.
const farInterface = "interface"

// Ends are the ends of a path, as HOST or HOST:INTERFACE.
type Ends struct {
	From, To string
	Fleet    *model.Fleet // that holds both
	Unread   string       // the end that is known by its address alone; empty: both were read
}

// FindEnds finds the ends of a path in a fleet, by names or IPv4 addresses. An address that no host has becomes a
// host with nothing else, if the other end was read.
func FindEnds(fleet *model.Fleet, from, to string) Ends {
	e := Ends{From: byAddress(fleet, from), To: byAddress(fleet, to), Fleet: fleet}
	near, far := &e.From, &e.To
	if fleet.Host(nameOf(e.From)) == nil {
		near, far = far, near
	}
	address, err := netip.ParseAddr(*far)
	host := fleet.Host(nameOf(*near))
	if err != nil || !address.Is4() || host == nil || fleet.Host(*far) != nil {
		return e
	}
	bits := address.BitLen()
	for _, name := range host.Interfaces() {
		for _, p := range host.Elements[name].Addrs {
			if p.Contains(address) && (*near == host.Name || *near == host.Name+":"+name) {
				*near, bits = host.Name+":"+name, p.Bits()
			}
		}
	}
	r := host.Route(address)
	if *near == host.Name && r != nil && slices.Contains(host.Interfaces(), r.Interface) {
		*near = host.Name + ":" + r.Interface
	}
	e.Unread = *far
	port := &model.Element{Name: farInterface, Kind: model.Interface, Addrs: []netip.Prefix{netip.PrefixFrom(address, bits)}}
	with := *fleet
	with.Hosts = append(slices.Clone(fleet.Hosts), &model.Host{Name: *far, Elements: map[string]*model.Element{farInterface: port}})
	e.Fleet = &with
	return e
}

// byAddress is the interface of the host that has an address; the end as it is, where it is no address or no host has it.
func byAddress(fleet *model.Fleet, end string) string {
	address, err := netip.ParseAddr(end)
	if err != nil || fleet.Host(end) != nil {
		return end
	}
	for _, h := range fleet.Hosts {
		for _, name := range h.Interfaces() {
			if slices.ContainsFunc(h.Elements[name].Addrs, func(p netip.Prefix) bool { return p.Addr() == address }) {
				return h.Name + ":" + name
			}
		}
	}
	return end
}

// nameOf is the host of HOST or HOST:INTERFACE.
func nameOf(end string) string {
	host, _, _ := strings.Cut(end, ":")
	return host
}

// farEnd notes that an end was not read.
func (j *judgement) farEnd(d *Diagnosis) {
	if j.in.Unread == "" {
		return
	}
	j.unseen, j.gap = true, true
	open := NotSeen{What: j.in.Unread + ": no output of this host is at hand; only what the other end shows is judged",
		Allow: "collect or import it too, and name both hosts", IDs: []string{}}
	d.NotSeen = append([]NotSeen{open}, d.NotSeen...)
}
