package live

import (
	"slices"

	"seaworthy/internal/inventory/graph"
	"seaworthy/internal/inventory/model"
)

// frameBuilder makes the elements of one frame.
type frameBuilder struct {
	graph *graph.Graph
	trees map[string]graph.HostTree
	via   map[model.Ref][]string // client adapter → SEAs that carry it now
}

// clients notes which SEA carries whom. sea is the SEA that a branch is below.
func (g *frameBuilder) clients(host string, b, sea *graph.Branch) {
	if b.Kind == string(model.SEA) {
		sea = b
	}
	for _, c := range b.Clients {
		if sea == nil || c.Active == nil || !*c.Active || c.HMC != "" {
			continue
		}
		if at := host + ":" + sea.Element; !slices.Contains(g.via[c.Ref], at) {
			g.via[c.Ref] = append(g.via[c.Ref], at)
		}
	}
	for _, x := range b.Below {
		g.clients(host, x, sea)
	}
}

func (g *frameBuilder) host(h *host) *Host {
	x := &Host{Name: h.name, State: Waiting, Seconds: h.seconds, Unread: h.unread,
		Hung: slices.Clone(h.hung), Cores: h.cores, PeakCores: h.peak, Retransmits: h.resent,
		Elements: []*Element{}}
	if !h.at.IsZero() {
		x.At = new(h.at)
	}
	if h.inv != nil {
		x.State, x.Platform, x.Entitled = Up, string(h.inv.Platform), h.inv.Partition.Entitled
	}
	if l := h.lost; l != nil {
		x.State, x.Since, x.Why = Away, new(l.At), l.Why
		if l.Final {
			x.State = Refused
		}
	}
	for _, b := range g.trees[h.name].Elements {
		x.Elements = append(x.Elements, g.element(h, b))
	}
	return x
}

func (g *frameBuilder) element(h *host, b *graph.Branch) *Element {
	at := model.Ref{Host: h.name, Element: b.Element}
	var now, standby []int
	if x := g.graph.At(at); x != nil {
		now, standby = x.Bridging()
	}
	e := &Element{Name: b.Element, Kind: b.Kind, Role: b.Role, State: b.State, LinkUp: b.LinkUp, Interfaces: b.Interfaces,
		Bridging: now, Standby: standby, Via: g.via[at], Reset: h.reset[b.Element],
		Rates: h.rates[b.Element].clone(), Peaks: h.peaks[b.Element].clone()}
	if b.SpeedMb != nil {
		e.SpeedMbit = *b.SpeedMb
	}
	for _, x := range b.Below {
		e.Below = append(e.Below, g.element(h, x))
	}
	return e
}
