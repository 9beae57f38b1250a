package graph

import (
	"slices"

	"seaworthy/internal/inventory/model"
)

// Place is that of an element towards a path.
type Place int

const (
	OffPath Place = iota
	// StandsBy: it does not carry the path's frames now, but takes over what does: the partner
	// of an SEA with its adapters and ports, a backup adapter, another port of a vNIC. Where it
	// could not be proved who carries an adapter, every element of a VIOS that may.
	StandsBy
	OnPath // it carries the path's frames, or decides about them as an option of a host on the path
)

// Places are those of a fleet's elements towards one path.
type Places struct {
	of map[model.Ref]Place
}

// OnPath finds the places of all elements towards a path.
func (g *Graph) OnPath(p *model.Path) *Places {
	x := &Places{of: map[model.Ref]Place{}}
	x.add(OnPath, model.Ref{Host: p.From.Host}, model.Ref{Host: p.To.Host})
	for _, hop := range p.Hops {
		if hop.Ref != nil {
			x.add(OnPath, *hop.Ref)
			x.addMembers(g.At(*hop.Ref))
		}
	}
	from, to := g.At(p.From), g.At(p.To)
	if from == nil || to == nil {
		return x
	}
	c := newCourse(from, to)
	for _, end := range []*Element{from, to} {
		w := newReach(end, c.onHypervisor, c.meeting)
		for e := range w.elements {
			x.add(StandsBy, e.Ref())
			for _, control := range e.Down(Control) {
				x.add(StandsBy, control.Ref)
			}
		}
		for _, e := range w.unproved {
			x.addServers(g, e.Machine)
		}
	}
	return x
}

// addMembers puts the members of an EtherChannel on the path: a frame takes one of them.
func (x *Places) addMembers(e *Element) {
	if e == nil || e.Is.Kind != model.EtherChannel || e.Is.Backup() != "" {
		return
	}
	for _, m := range e.Down(Member) {
		x.add(OnPath, m.Ref)
	}
}

// addServers puts all elements of the VIOSes of a managed system beside the path.
func (x *Places) addServers(g *Graph, machine string) {
	if machine == "" {
		return
	}
	for _, h := range g.fleet.Hosts {
		if h.Platform != model.VIOS || h.MachineID != machine {
			continue
		}
		for _, e := range g.Of(h.Name) {
			x.add(StandsBy, e.Ref())
		}
	}
}

// add gives elements a place, with their hosts and the options of these, unless they have a nearer one.
func (x *Places) add(at Place, elements ...model.Ref) {
	for _, r := range elements {
		for _, name := range []string{r.Element, "host", "no", "sysctl"} {
			own := model.Ref{Host: r.Host, Element: name}
			x.of[own] = max(x.of[own], at)
		}
	}
}

// Of returns the place of an element that is said to affect others: its own, or that of the
// nearest that it affects.
func (x *Places) Of(element model.Ref, affects ...model.Ref) Place {
	if own := x.of[element]; own != OffPath {
		return own
	}
	nearest := OffPath
	for _, r := range affects {
		nearest = max(nearest, x.of[r])
	}
	return nearest
}

// Hosts returns the hosts with an element at least as near to the path, in the order of their names.
func (x *Places) Hosts(least Place) []string {
	var out []string
	for r, at := range x.of {
		if r.Element == "host" && at >= least {
			out = append(out, r.Host)
		}
	}
	slices.SortFunc(out, model.Natural)
	return out
}
