package graph

import (
	"fmt"
	"slices"
	"strings"

	"seaworthy/internal/inventory/model"
)

// bridging joins virtual adapters to the trunk adapters of their managed system. It is
// indexed once, so that a join costs the same however large the fleet is.
type bridging struct {
	trunks  map[string]map[int][]Edge // managed system → VLAN → edges to trunk adapters, without From
	seas    map[string][]*Element     // managed system → its SEAs
	counted map[string][]Edge         // MAC or IP address in an SEA's statistics → the trunk adapter it came by

	// sharing are the virtual adapters that are in a VLAN of a managed system, indexed when first asked for.
	sharing func() map[systemVLAN][]*Element
}

// systemVLAN is a VLAN of a managed system.
type systemVLAN struct {
	machine string
	vlan    int
}

// inVLANs indexes all virtual adapters that are known by their VLANs.
func (g *Graph) inVLANs() map[systemVLAN][]*Element {
	out := map[systemVLAN][]*Element{}
	for _, x := range g.each() {
		if x.Is.Kind != model.Virtual {
			continue
		}
		for _, vlan := range carried(x) {
			at := systemVLAN{x.Machine, vlan}
			out[at] = append(out[at], x)
		}
	}
	return out
}

// addSEA indexes what an SEA can bridge, and whose frames it counted.
func (g graphBuilder) addSEA(sea *Element) {
	if sea.Is.Kind != model.SEA {
		return
	}
	g.addCounted(sea)
	if sea.Machine == "" {
		return
	}
	b := &g.bridging
	b.seas[sea.Machine] = append(b.seas[sea.Machine], sea)
	if b.trunks[sea.Machine] == nil {
		b.trunks[sea.Machine] = map[int][]Edge{}
	}
	vlans := b.trunks[sea.Machine]
	for _, x := range trunkVLANs(sea) {
		vlans[x.VLAN] = append(vlans[x.VLAN], x)
	}
}

// carried are the VLANs of a virtual adapter, its port VLAN first, each once; none if they were not read.
func carried(t *Element) []int {
	if t.Is.PVID == nil {
		return nil
	}
	out := []int{*t.Is.PVID}
	seen := map[int]bool{*t.Is.PVID: true}
	for _, v := range t.Is.VLANs {
		if !seen[v] {
			seen[v] = true
			out = append(out, v)
		}
	}
	return out
}

func bridgeOver(sea, t *Element, vlan int) Edge {
	return Edge{Relation: BridgedBy, To: t, Ref: t.Ref(), SEA: sea, VLAN: vlan, State: stateInVLAN(sea.Is, t.Is, vlan)}
}

// stateInVLAN says whether an SEA bridges a VLAN of one of its trunk adapters, or leaves it
// to its partner: by the adapter itself, else by the SEA's state. Two that share have
// each some of the VLANs, whatever they are called; so the state says nothing.
func stateInVLAN(sea, t *model.Element, vlan int) State {
	switch {
	case t != nil && t.Bridges != nil:
		return stateOf(t.Bridges)
	case len(sea.Shared) > 0 && strings.HasSuffix(sea.HAState, "_SH"):
		return stateOf(new(slices.Contains(sea.Shared, vlan)))
	case sea.HAState == "BACKUP" || sea.HAState == "LIMBO":
		return Standby
	case sea.HAState == "" || sea.HAState == "PRIMARY":
		return Active
	}
	return Unknown
}

// addCounted indexes the clients that an SEA's statistics name, by the trunk adapter
// that their frames came by. Where that is not clear they are left out.
func (g graphBuilder) addCounted(sea *Element) {
	for _, s := range sea.Is.Clients {
		t, vlan := trunkFor(sea, s.VLAN)
		if t == nil {
			continue
		}
		x := bridgeOver(sea, t, vlan)
		x.Counted = true
		for _, key := range []string{s.MAC, s.IP} {
			all := g.bridging.counted[key]
			if key != "" && !slices.ContainsFunc(all, func(y Edge) bool { return y.SEA == sea }) {
				g.bridging.counted[key] = append(all, x)
			}
		}
	}
}

// trunkFor finds the trunk adapter of an SEA that carries a VLAN: the only one it
// has, or the only one that says so; nil if that is not clear. Without a tag it
// is known only of an SEA with one trunk.
func trunkFor(e *Element, vlan *int) (t *Element, id int) {
	var found []*Element
	for _, x := range e.Down(Trunk) {
		if x.To != nil && (len(e.Is.Trunks) == 1 || vlan != nil && slices.Contains(carried(x.To), *vlan)) {
			found = append(found, x.To)
		}
	}
	switch {
	case len(found) != 1:
		return nil, 0
	case vlan != nil:
		return found[0], *vlan
	case found[0].Is.PVID != nil:
		return found[0], *found[0].Is.PVID
	}
	return nil, 0
}

// Bridges returns the edges to the trunk adapters that can carry a virtual adapter: on the
// same managed system, on the same hypervisor switch, for one of its VLANs. Active ones
// come first. Of a trunk adapter in several of its VLANs there is one edge. A gap says why
// a join could not be proved; it is never guessed. Levels that print no switch have only
// one, so two adapters without any are joined, but not one without to one with.
func (e *Element) Bridges() ([]Edge, *model.Gap) { return bridgesIn(e, nil) }

// BridgesOf is Bridges for frames with a tag alone; without one, for those of the port VLAN.
func (e *Element) BridgesOf(tag *int) ([]Edge, *model.Gap) {
	is := e.Is
	switch {
	case tag == nil && is.PVID == nil:
		return bridgesIn(e, nil) // says why
	case tag == nil:
		tag = is.PVID
	case is.PVID != nil && *tag != *is.PVID && !slices.Contains(is.VLANs, *tag):
		return nil, unbridgedGap(e, fmt.Sprintf("its frames have the tag %d, which this adapter may not send (port VLAN %d, tagged %v)",
			*tag, *is.PVID, is.VLANs))
	}
	return bridgesIn(e, []int{*tag})
}

func unbridgedGap(e *Element, why string) *model.Gap {
	return &model.Gap{What: e.Ref().String() + " to its SEA", Why: why}
}

// bridgesIn is Bridges for some VLANs only, if any are given.
func bridgesIn(e *Element, vlans []int) ([]Edge, *model.Gap) {
	b := &e.graph.bridging
	unsaid := e.Is.PVID == nil && len(vlans) == 0
	if seen := countedBy(e, vlans); len(seen) > 0 && (e.Machine == "" || unsaid) {
		return seen, nil
	}
	switch {
	case e.Machine == "":
		return nil, unbridgedGap(e, "the managed system of "+e.Host+" is not known (prtconf)")
	case unsaid && e.Linux():
		return nil, unbridgedGap(e, "Linux does not show the port VLAN id of a virtual adapter (the HMC does: lshwres -r virtualio "+
			"--rsubtype eth --level lpar)")
	case unsaid:
		return nil, unbridgedGap(e, "the port VLAN id was not read (entstat -d "+e.Name+")")
	case len(b.seas[e.Machine]) == 0:
		return nil, unbridgedGap(e, "no VIOS with an SEA was read from managed system "+e.Machine)
	}
	if len(vlans) == 0 {
		vlans = append([]int{*e.Is.PVID}, e.Is.VLANs...)
	}
	sure, maybe := trunksFor(e, vlans)
	switch {
	case len(sure) > 0:
		return activeFirst(e, sure), nil
	case len(maybe) > 0:
		if seen := countedBy(e, vlans); len(seen) > 0 {
			return seen, nil
		}
		return nil, unbridgedGap(e, fmt.Sprintf("%s (trunk %s) carries VLAN %d, but of one of the two the hypervisor switch was not read "+
			"(entstat -d prints Switch ID)", maybe[0].SEA.Ref(), maybe[0].To.Name, maybe[0].VLAN))
	}
	on := ""
	if e.Is.VSwitch != "" {
		on = " on switch " + e.Is.VSwitch
	}
	return nil, unbridgedGap(e, fmt.Sprintf("no SEA seen on managed system %s has a trunk adapter for VLAN %d%s", e.Machine, vlans[0], on))
}

// WithoutVLAN gives the SEAs of a client adapter's managed system that have a trunk adapter on its
// hypervisor switch, if none of them carries its port VLAN and no other adapter that was read is in it:
// a VLAN that two partitions share may be meant to stay in the system.
func WithoutVLAN(e *Element) ([]*Element, error) {
	if e.Is.PVID == nil {
		return nil, e.Missing("port VLAN id", "entstat -d "+e.Name)
	}
	seas := e.graph.bridging.seas[e.Machine]
	if e.Machine == "" || len(seas) == 0 {
		return nil, e.Missing("its SEA: no VIOS of its managed system was read", "")
	}
	var out []*Element
	for _, sea := range seas {
		trunks, err := sea.Trunks()
		if err != nil {
			return nil, err
		}
		for _, t := range trunks {
			vlans, err := t.VLANs()
			if err != nil {
				return nil, err
			}
			if slices.Contains(vlans, *e.Is.PVID) {
				return nil, nil
			}
			if t.Is.VSwitch == e.Is.VSwitch && !slices.Contains(out, sea) {
				out = append(out, sea)
			}
		}
	}
	at := systemVLAN{e.Machine, *e.Is.PVID}
	if slices.ContainsFunc(e.graph.bridging.sharing()[at], func(x *Element) bool { return x != e }) {
		return nil, nil
	}
	return out, nil
}

// trunksFor returns the edges to trunk adapters for VLANs on e's hypervisor switch, and those of
// which the switch of one end was not read.
func trunksFor(e *Element, vlans []int) (sure, maybe []Edge) {
	has := map[[2]*Element]bool{}
	for _, v := range vlans {
		for _, t := range e.graph.bridging.trunks[e.Machine][v] {
			theirs, ends := t.To.Is.VSwitch, [2]*Element{t.SEA, t.To}
			switch {
			case theirs == e.Is.VSwitch && !has[ends]:
				has[ends] = true
				sure = append(sure, t)
			case theirs != e.Is.VSwitch && (theirs == "" || e.Is.VSwitch == ""):
				maybe = append(maybe, t)
			}
		}
	}
	return sure, maybe
}

// activeFirst orders edges from e: those that are active, those that do not say, those on
// standby.
func activeFirst(e *Element, list []Edge) []Edge {
	turn := map[State]int{Active: 0, Unknown: 1, Standby: 2}
	out := slices.Clone(list)
	slices.SortStableFunc(out, func(x, y Edge) int { return turn[x.State] - turn[y.State] })
	for i := range out {
		out[i].From = e
	}
	return out
}

// countedBy finds the SEAs whose statistics name a client: by the adapter's MAC
// address, else by an address of the interface on it. One that is seen on
// several managed systems is on none for sure. Where VLANs are given, only what
// came by one of them counts.
func countedBy(e *Element, vlans []int) []Edge {
	counted := e.graph.bridging.counted
	if len(counted) == 0 {
		return nil
	}
	found := counted[e.Is.MAC]
	over := []*Element{}
	if e.graph.At(e.Ref()) == e {
		over = append(over, e)
	}
	for _, x := range e.Up(On) {
		over = append(over, x.From)
	}
	for _, x := range over {
		if len(found) > 0 {
			break
		}
		for _, a := range x.Is.Addrs {
			found = append(found, counted[a.Addr().String()]...)
		}
	}
	var list []Edge
	for _, t := range found {
		system := t.SEA.Machine
		if system != found[0].SEA.Machine {
			return nil
		}
		if e.Machine != "" && system != "" && e.Machine != system || len(vlans) > 0 && !slices.Contains(vlans, t.VLAN) {
			continue
		}
		if !slices.ContainsFunc(list, func(x Edge) bool { return x.SEA == t.SEA }) {
			list = append(list, t)
		}
	}
	return activeFirst(e, list)
}
