package graph

import (
	"slices"

	"seaworthy/internal/inventory/model"
)

// reach is all that can carry an element's frames to the Ethernet switch: what does now, and
// what takes over.
type reach struct {
	start    *Element
	inside   bool     // end at the hypervisor switch
	end      *Element // end here, too; nil: nowhere else
	elements map[*Element]bool
	ports    []model.Ref
	gaps     []model.Gap
	unproved []*Element // adapters of which it is not known who carries them to the outside
}

// newReach follows all edges that an element's frames can take, up to an end.
func newReach(e *Element, inside bool, end *Element) *reach {
	w := &reach{start: e, inside: inside, end: end, elements: map[*Element]bool{}}
	w.visit(e, nil)
	slices.SortFunc(w.ports, model.Ref.Compare)
	return w
}

// visit goes on from an element by frames with a tag, or without.
func (w *reach) visit(e *Element, tag *int) {
	if w.elements[e] {
		return
	}
	w.elements[e] = true
	kind := e.Is.Kind
	switch {
	case e == w.end, w.inside && kind == model.Virtual:
		return
	case kind == model.Physical && e.Is.Tap == nil:
		w.ports = append(w.ports, e.Ref())
		return
	case kind == model.VLANDevice && len(e.Is.VLANs) == 1:
		tag = &e.Is.VLANs[0]
	}
	edges, gaps := w.outward(e, tag)
	w.gaps = append(w.gaps, gaps...)
	found := len(w.ports)
	for _, x := range edges {
		if x.To == nil {
			w.gaps = append(w.gaps, model.Gap{What: x.Ref.String(), Why: "named by another element but not read itself"})
			continue
		}
		w.visit(x.To, tag)
	}
	switch {
	case kind == model.Virtual && len(edges) == 0:
		w.unproved = append(w.unproved, e)
	case kind == model.VNIC && len(w.ports) == found:
		w.unproved = append(w.unproved, e)
		w.gaps = append(w.gaps, model.Gap{What: e.Ref().String(), Why: "the ports of the VIOSes that carry this vNIC were not read"})
	}
}

// outward returns the edges by which frames of an element can go on to the Ethernet switch, and
// what was not read of them.
func (w *reach) outward(e *Element, tag *int) (edges []Edge, gaps []model.Gap) {
	if tap, ok := firstDown(e, Tap); ok {
		return []Edge{tap}, nil
	}
	switch e.Is.Kind {
	case model.Interface, model.VLANDevice, model.Patch, model.TunnelPort:
		return outwardOfDevice(e)
	case model.SEA:
		edges = e.Down(Real)
		if len(edges) == 0 {
			gaps = append(gaps, unreadGap(e, "its real adapter"))
		}
	case model.EtherChannel:
		edges = e.Down(Member, Backup)
		if len(e.Is.Members) == 0 {
			gaps = append(gaps, unreadGap(e, "what its members are"))
		}
	case model.Virtual:
		return w.outwardOfVirtual(e, tag)
	case model.VNIC:
		edges = e.Down(Backing)
	case model.Adapter:
		gaps = append(gaps, model.Gap{What: e.Ref().String(), Why: "what kind of adapter it is was not read (lsdev -Cc adapter)"})
	}
	return edges, gaps
}

// outwardOfVirtual leads from a client's adapter to the trunk adapters that carry it, from a
// trunk adapter to its SEA. Of an adapter that is asked about itself all VLANs count.
func (w *reach) outwardOfVirtual(e *Element, tag *int) (edges []Edge, gaps []model.Gap) {
	for _, x := range e.Up(Trunk) {
		edges = append(edges, Edge{Relation: Trunk, From: e, To: x.From, Ref: x.From.Ref()})
	}
	if len(edges) > 0 {
		return edges, nil
	}
	bridges, gap := e.BridgesOf(tag)
	if e == w.start && !e.Linux() {
		bridges, gap = e.Bridges()
	}
	if gap != nil {
		gaps = append(gaps, *gap)
	}
	return bridges, gaps
}

// outwardOfDevice is outward of an interface, a VLAN device, a port or a bridge of a host.
func outwardOfDevice(e *Element) (edges []Edge, gaps []model.Gap) {
	edges = e.Down(On, Peer)
	if over := bridgeOf(e); over != nil && leadsInward(e) {
		edges = append(edges, Edge{Relation: Member, From: e, To: over, Ref: over.Ref()})
	}
	if len(edges) == 0 && len(e.Is.Members) == 0 {
		gaps = append(gaps, model.Gap{What: e.Ref().String(), Why: "its adapter is not known"})
	}
	for _, x := range e.Down(Member) {
		if x.To != nil && (leadsOutward(x.To) || joinsBridges(x.To)) {
			edges = append(edges, x)
		}
	}
	return edges, gaps
}

// Uplinks returns the ports by which the frames of an element can leave for the
// Ethernet switch, in order: of an EtherChannel all members and its backup, of a
// virtual adapter those of every SEA that carries it or is on standby for it. A
// gap says what was not read on the way.
func (e *Element) Uplinks() (ports []model.Ref, gaps []model.Gap) {
	w := newReach(e, false, nil)
	return w.ports, w.gaps
}
