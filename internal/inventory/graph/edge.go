package graph

import (
	"slices"

	"seaworthy/internal/inventory/model"
)

// Relation says how an element depends on another for its frames.
type Relation string

// Relations of an element to the one that it uses.
const (
	On        Relation = "on"              // interface → adapter, VLAN device → base, tunnel → device
	Member    Relation = "member"          // EtherChannel → adapter, bridge of a Linux host → port
	Backup    Relation = "backup"          // EtherChannel → adapter that takes over from the members
	Trunk     Relation = "trunk"           // SEA → virtual adapter
	Real      Relation = "real adapter"    // SEA → adapter to the outside
	Control   Relation = "control channel" // SEA → virtual adapter
	Backing   Relation = "backing"         // vNIC → port of a VIOS
	Tap       Relation = "tap"             // interface of a virtual machine → tap device of its KVM host
	Peer      Relation = "peer"            // end of a cable or patch between bridges → the other end
	BridgedBy Relation = "bridged-by"      // virtual adapter → trunk adapter of an SEA, in one VLAN
)

// State says whether frames take an edge now.
type State int

const (
	Unknown State = iota // not read
	Active
	Standby
)

// Edge joins an element to one that it uses.
type Edge struct {
	Relation Relation
	From     *Element
	To       *Element  // nil: From names it, but it was not read
	Ref      model.Ref // of To
	State    State     // of Backing and BridgedBy edges

	// Of a BridgedBy edge.
	SEA     *Element // to which the trunk adapter belongs
	VLAN    int
	Counted bool // the SEA counted the client's frames; VLAN and switch did not prove the join
}

// Down returns what an element directly uses: all edges, or those of the relations.
func (e *Element) Down(relations ...Relation) []Edge {
	out := edgesOf(e.down, relations)
	if onHypervisorSwitch(e) && (len(relations) == 0 || slices.Contains(relations, BridgedBy)) {
		bridges, _ := e.Bridges()
		out = append(slices.Clip(out), bridges...)
	}
	return out
}

// Up returns what directly uses an element: all edges, or those of the relations.
// BridgedBy edges come from the clients of a trunk adapter.
func (e *Element) Up(relations ...Relation) []Edge { return edgesOf(e.up, relations) }

func edgesOf(all []Edge, relations []Relation) []Edge {
	if len(relations) == 0 {
		return all
	}
	var out []Edge
	for _, x := range all {
		if slices.Contains(relations, x.Relation) {
			out = append(out, x)
		}
	}
	return out
}

// firstDown returns the first edge down of a relation; false if there is none.
func firstDown(e *Element, relation Relation) (Edge, bool) {
	for _, x := range e.down {
		if x.Relation == relation {
			return x, true
		}
	}
	return Edge{}, false
}

// link adds the edges that a host itself shows: all but BridgedBy.
func (g graphBuilder) link(e *Element) {
	is := e.Is
	g.join(e, On, is.On)
	g.join(e, Real, is.Real)
	for _, name := range is.Trunks {
		g.join(e, Trunk, name)
	}
	g.join(e, Control, is.Control)
	for _, name := range is.Members {
		g.join(e, Member, name)
	}
	if is.Kind == model.EtherChannel {
		g.join(e, Backup, is.Backup())
	}
	g.join(e, Peer, is.Peer)
	if is.Tap != nil {
		g.add(Edge{Relation: Tap, From: e, Ref: *is.Tap})
	}
	for _, b := range is.Backing {
		if b.Host != "" {
			g.add(Edge{Relation: Backing, From: e, Ref: model.Ref{Host: b.Host, Element: b.Device}, State: stateOf(b.Active)})
		}
	}
}

// linkOwned adds an adapter that says which EtherChannel it belongs to where the
// EtherChannel does not name it: it is its backup.
func (g graphBuilder) linkOwned(e *Element) {
	owner := g.At(model.Ref{Host: e.Host, Element: e.Is.MemberOf})
	if owner == nil || owner.Is.Kind != model.EtherChannel {
		return
	}
	if !slices.ContainsFunc(e.up, func(x Edge) bool { return x.From == owner }) {
		g.join(owner, Backup, e.Name)
	}
}

// join adds an edge to another element of the same host.
func (g graphBuilder) join(e *Element, relation Relation, name string) {
	if name != "" {
		g.add(Edge{Relation: relation, From: e, Ref: model.Ref{Host: e.Host, Element: name}})
	}
}

func (g graphBuilder) add(x Edge) {
	x.To = g.At(x.Ref)
	x.From.down = append(x.From.down, x)
	if x.To != nil {
		addUp(x.To, x)
	}
}

// addUp notes an edge at its lower end, once: edges of one element come one after the other.
func addUp(e *Element, x Edge) {
	for i := len(e.up) - 1; i >= 0 && e.up[i].From == x.From; i-- {
		if e.up[i].Relation == x.Relation && e.up[i].VLAN == x.VLAN {
			return
		}
	}
	e.up = append(e.up, x)
}

func stateOf(active *bool) State {
	switch {
	case active == nil:
		return Unknown
	case *active:
		return Active
	}
	return Standby
}
