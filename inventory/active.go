package inventory

import (
	"slices"
)

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
