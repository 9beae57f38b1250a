package assemble

import (
	"slices"
	"strconv"
	"strings"

	"seaworthy/internal/inventory/model"
	"seaworthy/internal/parse/aix/entstat"
	"seaworthy/internal/parse/aix/lsseas"
)

// lsseasFeed has the SEAs of a VIOS as lsseas describes them.
type lsseasFeed struct{ *hostBuilder }

var lsseasRows = []row{
	{"lsseas", feeds(2, lsseasFeed.lsseas)},
}

// lsseas takes the SEAs of a VIOS with what is below them from the report of a
// script. Other outputs of the same host say more and come later.
func (b lsseasFeed) lsseas(o Output, r *lsseas.Report) {
	for _, s := range r.SEAs {
		e := b.element(s.Name, model.SEA)
		e.Kind, e.HAState, e.Priority = model.SEA, s.State, s.Priority
		if s.Mode != "" {
			b.runs(e, "ha_mode", strings.ToLower(s.Mode), o.says(s.Name+" ha_mode: "+s.Mode))
		}
		for _, x := range bridgeFlags {
			v := x.off
			if slices.Contains(s.Flags, x.flag) {
				v = x.on
			} else if len(s.Flags) == 0 {
				continue
			}
			b.runs(e, x.attr, v, o.says(s.Name+" flags: "+strings.Join(s.Flags, " ")))
		}
		e.Control = s.Control
		b.seasPorts(o, e, s)
		for _, t := range s.Trunks {
			v := b.element(t.Name, model.Virtual)
			v.Kind = model.Virtual
			v.Trunk, v.Priority, v.Bridges = new(true), t.Priority, t.Active
			v.Location, v.VSwitch = t.Location, t.VSwitch
			v.PVID, v.VLANs = t.PVID, t.VLANs
			e.Trunks = append(e.Trunks, t.Name)
		}
		if strings.HasSuffix(s.State, "_SH") {
			for _, t := range s.Trunks {
				if t.Active != nil && *t.Active {
					e.Shared = append(append(e.Shared, *t.PVID), t.VLANs...)
				}
			}
			slices.Sort(e.Shared)
		}
	}
}

func (b lsseasFeed) seasPorts(o Output, e *model.Element, s *lsseas.SEA) {
	if c := s.Channel; c != nil {
		ec := b.element(c.Name, model.EtherChannel)
		ec.Kind, ec.Members, e.Real = model.EtherChannel, c.Members, c.Name
		for name, v := range map[string]string{"mode": c.Mode, "hash_mode": c.Hash, "use_jumbo_frame": c.Jumbo} {
			b.runs(ec, name, v, search(o, c.Name+" "))
		}
	} else if len(s.Ports) == 1 {
		e.Real = s.Ports[0].Name
	}
	for _, p := range s.Ports {
		x := b.element(p.Name, model.Physical)
		x.Kind, x.Location, x.LinkUp = model.Physical, p.Location, p.Up
		if speed, err := strconv.ParseInt(strings.SplitN(p.Speed, "_", 2)[0], 10, 64); err == nil {
			if strings.Contains(p.Speed, "_Gbps") {
				speed *= 1000
			}
			x.SpeedMb = &speed
		}
		statisticsFeed(b).lacp(o, x, &entstat.LACP{Actor: entstat.LACPState{Synchronization: p.ActorSync},
			Partner: entstat.LACPState{System: p.Partner, Synchronization: p.PartnerSync}})
	}
}
