package live

import (
	"slices"

	"seaworthy/internal/inventory/model"
	"seaworthy/internal/ui/report"
)

// carried are VLANs of an SEA or a trunk adapter.
type carried struct{ now, standby []int }

// grower makes the elements of one frame.
type grower struct {
	trees  map[string]report.HostTree
	via    map[model.Ref][]string // client adapter → SEAs that carry it now
	trunks map[model.Ref]carried  // SEA, trunk adapter
}

// clients notes which SEA carries whom. sea is the SEA that a branch is below.
func (g *grower) clients(host string, b, sea *report.Branch) {
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

// active notes the VLANs that each SEA and trunk adapter carries or leaves to
// its pair. Of one that does not say, neither.
func (g *grower) active(f *model.Fleet) {
	for _, h := range f.Hosts {
		for _, name := range h.Names(model.SEA) {
			sea := h.Elements[name]
			var all carried
			for _, t := range sea.Trunks {
				e := h.Elements[t]
				if e == nil || e.PVID == nil {
					continue
				}
				var own carried
				for _, v := range append([]int{*e.PVID}, e.VLANs...) {
					switch standby := model.Standby(sea, e, v); {
					case standby == nil:
					case *standby:
						own.standby = append(own.standby, v)
					default:
						own.now = append(own.now, v)
					}
				}
				g.trunks[model.Ref{Host: h.Name, Element: t}] = own
				all.now, all.standby = append(all.now, own.now...), append(all.standby, own.standby...)
			}
			slices.Sort(all.now)
			slices.Sort(all.standby)
			g.trunks[model.Ref{Host: h.Name, Element: name}] = carried{slices.Compact(all.now), slices.Compact(all.standby)}
		}
	}
}

func (g *grower) host(h *host) *Host {
	x := &Host{Name: h.name, State: Waiting, Seconds: h.seconds, Unread: h.unread, Cores: h.cores, PeakCores: h.peak, Retransmits: h.resent,
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

func (g *grower) element(h *host, b *report.Branch) *Element {
	at := model.Ref{Host: h.name, Element: b.Element}
	e := &Element{Name: b.Element, Kind: b.Kind, Role: b.Role, State: b.State, LinkUp: b.LinkUp, Interfaces: b.Interfaces,
		Bridging: g.trunks[at].now, Standby: g.trunks[at].standby, Via: g.via[at], Reset: h.reset[b.Element],
		Rates: h.rates[b.Element].clone(), Peaks: h.peaks[b.Element].clone()}
	for _, x := range b.Below {
		e.Below = append(e.Below, g.element(h, x))
	}
	return e
}
