package diagnose

import (
	"slices"

	"seaworthy/internal/audit/finding"
	"seaworthy/internal/inventory/model"
)

// place says how an element belongs to the path.
type place int

const (
	elsewhere place = iota
	standby         // on another VIOS of a managed system of the path
	along           // on the path
)

// onPath gives the place of each element, with the options of hosts as elements.
func onPath(in Input) func(finding.Finding) place {
	hops, hosts, systems := map[model.Ref]bool{}, map[string]bool{}, map[string]bool{}
	for _, r := range refs(in.Path) {
		hops[r], hosts[r.Host] = true, true
		if x := in.Fleet.Host(r.Host); x != nil && x.MachineID != "" {
			systems[x.MachineID] = true
		}
	}
	near := map[string]*model.Host{} // asked for each finding of a fleet
	for _, h := range in.Fleet.Hosts {
		if near[h.Name] == nil && (hosts[h.Name] || h.Platform == model.VIOS && systems[h.MachineID]) {
			near[h.Name] = h
		}
	}
	return func(f finding.Finding) place {
		at := f.Element
		h := near[at.Host]
		switch {
		case hops[at] || hosts[at.Host] && slices.Contains([]string{"host", "no", "sysctl"}, at.Element):
			return along
		case h == nil:
			return elsewhere
		case h.Elements[at.Element] != nil && hops[model.Ref{Host: at.Host, Element: h.Elements[at.Element].MemberOf}]:
			return along // a member of an EtherChannel
		case h.Platform == model.VIOS && systems[h.MachineID]:
			return standby
		}
		return elsewhere
	}
}

// Concerns says whether a host has to do with the path: it is on it, or a VIOS of a
// managed system that is.
func (in Input) Concerns(host string) bool {
	fleet := in.Fleet
	if fleet == nil {
		fleet = in.Before
	}
	h := fleet.Host(host)
	if h == nil {
		return in.Failed[host] != ""
	}
	return slices.ContainsFunc(refs(in.Path), func(r model.Ref) bool {
		x := fleet.Host(r.Host)
		return r.Host == host || x != nil && h.Platform == model.VIOS && h.MachineID != "" && x.MachineID == h.MachineID
	})
}
