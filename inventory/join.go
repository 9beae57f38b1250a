package inventory

import (
	"fmt"
	"net/netip"
	"slices"
	"strings"
)

// Host finds a host by name; nil if it is not in the fleet.
func (f *Fleet) Host(name string) *Host {
	for _, h := range f.Hosts {
		if h.Name == name {
			return h
		}
	}
	return nil
}

// Element finds an element; nil if the fleet does not know it.
func (f *Fleet) Element(r Ref) *Element {
	if h := f.Host(r.Host); h != nil {
		return h.Elements[r.Element]
	}
	return nil
}

// Names gives a host's elements of one kind, in the order people count: ent2
// before ent10.
func (h *Host) Names(kind Kind) []string {
	var names []string
	for n, e := range h.Elements {
		if e.Kind == kind {
			names = append(names, n)
		}
	}
	slices.SortFunc(names, Natural)
	return names
}

// Route finds the route a host takes to an address: the longest prefix, of
// several the one of the lowest metric; nil if no route is known.
func (h *Host) Route(to netip.Addr) *Route {
	metric := func(r *Route) uint64 {
		if r.Metric == nil {
			return 0
		}
		return *r.Metric
	}
	var best *Route
	for i := range h.Routes {
		r := &h.Routes[i]
		if !r.To.Contains(to) {
			continue
		}
		if best == nil || r.To.Bits() > best.To.Bits() || r.To.Bits() == best.To.Bits() && metric(r) < metric(best) {
			best = r
		}
	}
	return best
}

// Natural compares names with a number at their end by that number.
func Natural(a, b string) int {
	cut := func(s string) (string, string) {
		i := len(s)
		for i > 0 && s[i-1] >= '0' && s[i-1] <= '9' {
			i--
		}
		return s[:i], s[i:]
	}
	pa, na := cut(a)
	pb, nb := cut(b)
	if c := strings.Compare(pa, pb); c != 0 {
		return c
	}
	na, nb = strings.TrimLeft(na, "0"), strings.TrimLeft(nb, "0")
	if len(na) != len(nb) {
		return len(na) - len(nb)
	}
	if c := strings.Compare(na, nb); c != 0 {
		return c
	}
	return strings.Compare(a, b)
}

// carries says whether a trunk adapter takes frames of the VLANs of a client's
// virtual adapter. Both must have said which.
func carries(trunk, client *Element) (vlan int, ok bool) {
	if client.PVID == nil || trunk.PVID == nil {
		return 0, false
	}
	for _, v := range append([]int{*client.PVID}, client.VLANs...) {
		if v == *trunk.PVID || slices.Contains(trunk.VLANs, v) {
			return v, true
		}
	}
	return 0, false
}

// Bridge is an SEA that carries a virtual adapter's VLAN to the outside.
type Bridge struct {
	SEA   Ref
	Trunk string
	VLAN  int
}

// Bridges finds the SEAs that can carry a client's virtual adapter: on the
// same managed system, on the same hypervisor switch, with a trunk adapter for
// its VLAN. Active ones come first. A gap says why a join could not be proved;
// it is never guessed.
func (f *Fleet) Bridges(client Ref) ([]Bridge, *Gap) {
	el := f.Element(client)
	if el == nil || el.Kind != Virtual {
		return nil, &Gap{What: client.String(), Why: "no virtual adapter of that name was read"}
	}
	host := f.Host(client.Host)
	gap := func(why string) ([]Bridge, *Gap) {
		return nil, &Gap{What: client.String() + " to its SEA", Why: why}
	}
	if host.MachineID == "" {
		return gap("the managed system of " + host.Name + " is not known")
	}
	if el.PVID == nil {
		if host.Platform == Linux {
			return gap("Linux does not tell the port VLAN id of a virtual adapter (the HMC does: lshwres -r virtualio --rsubtype eth --level lpar)")
		}
		return gap("the port VLAN id was not read (entstat -d)")
	}
	var found []Bridge
	seen := 0
	for _, v := range f.Hosts {
		if v.MachineID != host.MachineID {
			continue
		}
		for _, name := range v.Names(SEA) {
			seen++
			for _, t := range v.Elements[name].Trunks {
				trunk := v.Elements[t]
				if trunk == nil || trunk.VSwitch != "" && el.VSwitch != "" && trunk.VSwitch != el.VSwitch {
					continue
				}
				if vlan, ok := carries(trunk, el); ok {
					found = append(found, Bridge{SEA: Ref{v.Name, name}, Trunk: t, VLAN: vlan})
				}
			}
		}
	}
	if len(found) == 0 {
		if seen == 0 {
			return gap("no VIOS with an SEA was read from managed system " + host.MachineID)
		}
		return gap(fmt.Sprintf("no SEA on managed system %s has a trunk adapter for VLAN %d", host.MachineID, *el.PVID))
	}
	slices.SortStableFunc(found, func(a, b Bridge) int { return idle(f, a) - idle(f, b) })
	return found, nil
}

// idle orders a backup SEA after the active one.
func idle(f *Fleet, b Bridge) int {
	if strings.HasPrefix(f.Element(b.SEA).HAState, "BACKUP") {
		return 1
	}
	return 0
}

// Clients lists the virtual adapters of LPARs that an SEA carries.
func (f *Fleet) Clients(sea Ref) []Ref {
	var out []Ref
	for _, h := range f.Hosts {
		for _, name := range h.Names(Virtual) {
			if h.Elements[name].MemberOf != "" {
				continue // a trunk adapter is no client
			}
			bridges, _ := f.Bridges(Ref{h.Name, name})
			if slices.ContainsFunc(bridges, func(b Bridge) bool { return b.SEA == sea }) {
				out = append(out, Ref{h.Name, name})
			}
		}
	}
	return out
}
