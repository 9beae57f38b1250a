package model

import (
	"fmt"
	"maps"
	"slices"
)

// Bridging joins virtual adapters to the SEAs of their managed system. It is an
// index of a fleet, so that a join costs the same however large the fleet is.
type Bridging struct {
	trunks  map[string]map[int][]trunk // managed system → VLAN → trunk adapters
	seas    map[string]int             // SEAs read of each managed system
	hosts   map[string]*Host
	on      map[*Host]map[string][]*Element // adapter → what is on it; only if there are clients
	clients map[string][]trunk              // MAC or IP address in an SEA's statistics → the trunk it came by
}

// Bridging indexes a fleet as it is now.
func (f *Fleet) Bridging() *Bridging {
	b := &Bridging{trunks: map[string]map[int][]trunk{}, seas: map[string]int{}, hosts: make(map[string]*Host, len(f.Hosts)),
		clients: map[string][]trunk{}}
	for _, h := range f.Hosts {
		if b.hosts[h.Name] == nil {
			b.hosts[h.Name] = h
		}
		for _, name := range h.Names(SEA) {
			b.addClients(h, h.Elements[name])
			if h.MachineID == "" {
				continue
			}
			b.seas[h.MachineID]++
			added := map[string]bool{}
			for _, t := range h.Elements[name].Trunks {
				if !added[t] {
					added[t] = true
					b.add(h, name, h.Elements[t])
				}
			}
		}
	}
	if len(b.clients) > 0 {
		b.stack(f)
	}
	return b
}

// stack indexes what is on each adapter.
func (b *Bridging) stack(f *Fleet) {
	b.on = make(map[*Host]map[string][]*Element, len(f.Hosts))
	for _, h := range f.Hosts {
		on := map[string][]*Element{}
		for _, name := range slices.SortedFunc(maps.Keys(h.Elements), Natural) {
			if e := h.Elements[name]; e != nil && e.On != "" {
				on[e.On] = append(on[e.On], e)
			}
		}
		b.on[h] = on
	}
}

func (b *Bridging) add(h *Host, sea string, t *Element) {
	if t == nil || t.PVID == nil {
		return
	}
	if b.trunks[h.MachineID] == nil {
		b.trunks[h.MachineID] = map[int][]trunk{}
	}
	vlans := b.trunks[h.MachineID]
	for _, v := range append([]int{*t.PVID}, t.VLANs...) {
		x := trunk{Bridge: Bridge{SEA: Ref{h.Name, sea}, Trunk: t.Name, VLAN: v, Standby: Standby(h.Elements[sea], t, v)}, vswitch: t.VSwitch}
		if n := len(vlans[v]); n == 0 || !vlans[v][n-1].is(&x) { // a VLAN may be listed twice
			vlans[v] = append(vlans[v], x)
		}
	}
}

// Of finds the SEAs that can carry a virtual adapter of a host: on the same
// managed system, on the same hypervisor switch, with a trunk adapter for one
// of its VLANs. Active ones come first. A gap says why a join could not be
// proved; it is never guessed. Levels that print no switch have only one, so
// two adapters without any are joined, but not one without to one with.
func (b *Bridging) Of(h *Host, el *Element) ([]Bridge, *Gap) { return b.find(h, el, nil) }

// On is Of for one VLAN only: the adapter's port VLAN if tag is nil, else that of
// frames with this tag.
func (b *Bridging) On(h *Host, el *Element, tag *int) ([]Bridge, *Gap) {
	if tag != nil && el.PVID != nil && *tag != *el.PVID && !slices.Contains(el.VLANs, *tag) {
		return nil, &Gap{What: Ref{h.Name, el.Name}.String() + " to its SEA",
			Why: fmt.Sprintf("its frames have the tag %d, which this adapter may not send (port VLAN %d, tagged %v)", *tag, *el.PVID, el.VLANs)}
	}
	if tag == nil {
		tag = el.PVID
	}
	if tag == nil {
		return b.find(h, el, nil) // says why
	}
	return b.find(h, el, []int{*tag})
}

// find is Of; for some VLANs only if any are given.
func (b *Bridging) find(h *Host, el *Element, vlans []int) ([]Bridge, *Gap) {
	gap := func(why string) ([]Bridge, *Gap) {
		return nil, &Gap{What: Ref{h.Name, el.Name}.String() + " to its SEA", Why: why}
	}
	unsaid := el.PVID == nil && len(vlans) == 0
	if seen := b.clientOf(h, el, vlans); len(seen) > 0 && (h.MachineID == "" || unsaid) {
		return seen, nil
	}
	switch {
	case h.MachineID == "":
		return gap("the managed system of " + h.Name + " is not known (prtconf)")
	case unsaid && h.Platform == Linux:
		return gap("Linux does not show the port VLAN id of a virtual adapter (the HMC does: lshwres -r virtualio --rsubtype eth --level lpar)")
	case unsaid:
		return gap("the port VLAN id was not read (entstat -d " + el.Name + ")")
	case b.seas[h.MachineID] == 0:
		return gap("no VIOS with an SEA was read from managed system " + h.MachineID)
	}
	if len(vlans) == 0 {
		vlans = append([]int{*el.PVID}, el.VLANs...)
	}
	var sure, maybe []trunk
	for _, v := range vlans {
		for _, t := range b.trunks[h.MachineID][v] {
			same := func(x trunk) bool { return x.SEA == t.SEA && x.Trunk == t.Trunk }
			switch {
			case t.vswitch == el.VSwitch && !slices.ContainsFunc(sure, same):
				sure = append(sure, t)
			case t.vswitch != el.VSwitch && (t.vswitch == "" || el.VSwitch == ""):
				maybe = append(maybe, t)
			}
		}
	}
	if len(sure) > 0 {
		return activeFirst(sure), nil
	}
	if len(maybe) > 0 {
		if seen := b.clientOf(h, el, vlans); len(seen) > 0 {
			return seen, nil
		}
		t := maybe[0]
		return gap(fmt.Sprintf("%s (trunk %s) carries VLAN %d, but of one of the two the hypervisor switch was not read (entstat -d "+
			"prints Switch ID)", t.SEA, t.Trunk, t.VLAN))
	}
	on := ""
	if el.VSwitch != "" {
		on = " on switch " + el.VSwitch
	}
	return gap(fmt.Sprintf("no SEA seen on managed system %s has a trunk adapter for VLAN %d%s", h.MachineID, vlans[0], on))
}

// Serves reports whether a virtual adapter is an SEA's, as its trunk or control channel,
// or can be: it is not a client's. A member of an EtherChannel or a Linux bridge is a client's.
func (h *Host) Serves(el *Element) bool {
	if el.Trunk != nil && *el.Trunk {
		return true
	}
	if over := h.Elements[el.MemberOf]; over != nil {
		return over.Kind == SEA
	}
	return el.MemberOf != "" && h.Platform == VIOS
}

// Segment is a VLAN of a hypervisor switch of a managed system.
type Segment struct {
	System  string `json:"system"`
	VSwitch string `json:"vswitch,omitempty"` // empty on levels that print none
	VLAN    int    `json:"vlan"`
}

// Active gives, for each segment that an SEA can bridge, the SEAs that bridge it
// now, in the order of their names. A segment with an SEA that does not say is
// left out: who is active is not known then.
func (f *Fleet) Active() map[Segment][]Ref {
	out := map[Segment][]Ref{}
	index := f.Bridging()
	for system, vlans := range index.trunks {
		for vlan, trunks := range vlans {
			unsaid := map[Segment]bool{}
			for _, t := range trunks {
				at := Segment{System: system, VSwitch: t.vswitch, VLAN: vlan}
				switch {
				case t.Standby == nil:
					unsaid[at] = true
				case !*t.Standby:
					out[at] = append(out[at], t.SEA)
				case out[at] == nil:
					out[at] = []Ref{}
				}
			}
			for at := range unsaid {
				delete(out, at)
			}
		}
	}
	for _, refs := range out {
		slices.SortFunc(refs, Ref.Compare)
	}
	return out
}
