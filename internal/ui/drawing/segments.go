package drawing

import (
	"cmp"
	"maps"
	"slices"

	"seaworthy/internal/inventory/model"
)

// Segment is a VLAN of a hypervisor switch: who is in it, and who bridges it.
type Segment struct {
	model.Segment
	Clients []string    `json:"clients"` // hosts, also those that only an HMC knows
	Active  []model.Ref `json:"active"`  // SEAs that bridge it now; more than one is a split brain
	Standby []model.Ref `json:"standby"` // SEAs that could
	Unknown []model.Ref `json:"unknown"` // SEAs not known to be either
}

// Segments lists the VLANs of all hypervisor switches, by system, switch and VLAN.
func Segments(f *model.Fleet) []Segment {
	all := map[model.Segment]*Segment{}
	at := func(system, vswitch string, vlan int) *Segment {
		key := model.Segment{System: system, VSwitch: vswitch, VLAN: vlan}
		if all[key] == nil {
			all[key] = &Segment{Segment: key, Clients: []string{}, Active: []model.Ref{}, Standby: []model.Ref{}, Unknown: []model.Ref{}}
		}
		return all[key]
	}
	active := f.Active()
	for _, h := range f.Hosts {
		for _, name := range h.Names(model.SEA) {
			ref := model.Ref{Host: h.Name, Element: name}
			for _, t := range h.Elements[name].Trunks {
				for _, vlan := range vlans(h.Elements[t]) {
					s := at(h.MachineID, h.Elements[t].VSwitch, vlan)
					now, known := active[s.Segment]
					switch {
					case !known:
						s.Unknown = append(s.Unknown, ref)
					case slices.Contains(now, ref):
						s.Active = append(s.Active, ref)
					default:
						s.Standby = append(s.Standby, ref)
					}
				}
			}
		}
		for _, name := range h.Names(model.Virtual) {
			if el := h.Elements[name]; !h.Serves(el) {
				join(at, h, el)
			}
		}
	}
	for _, u := range f.Unread() {
		join(at, u.Host, u.Adapter)
	}
	out := make([]Segment, 0, len(all))
	for _, s := range slices.SortedFunc(maps.Values(all), func(a, b *Segment) int {
		return cmp.Or(cmp.Compare(a.System, b.System), cmp.Compare(a.VSwitch, b.VSwitch), a.VLAN-b.VLAN)
	}) {
		slices.SortFunc(s.Clients, model.Natural)
		out = append(out, *s)
	}
	return out
}

func join(at func(string, string, int) *Segment, h *model.Host, el *model.Element) {
	for _, vlan := range vlans(el) {
		if s := at(h.MachineID, el.VSwitch, vlan); !slices.Contains(s.Clients, h.Name) {
			s.Clients = append(s.Clients, h.Name)
		}
	}
}

// vlans are those of a virtual adapter, its port VLAN first.
func vlans(el *model.Element) []int {
	if el == nil || el.PVID == nil {
		return nil
	}
	return append([]int{*el.PVID}, el.VLANs...)
}
