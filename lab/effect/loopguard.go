package effect

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"seaworthy/lab/topology"
)

// openTrunk is a trunk that bridges to the switch.
type openTrunk struct {
	b *bridge
	t *topology.Adapter
}

func (o openTrunk) String() string { return o.b.node + " " + o.b.a.Name + " " + o.t.Name }

// loopGuard shuts trunks until no VLAN is bridged twice. Of two it leaves the one
// with the better priority open. A trunk is shut as a whole, with all its
// VLANs, as the hypervisor does with one that is not active.
func loopGuard(all []*bridge) []string {
	var list []openTrunk
	for _, b := range all {
		for _, t := range b.trunks {
			if b.Active[t.Name] && b.alive {
				list = append(list, openTrunk{b, t})
			}
		}
	}
	slices.SortStableFunc(list, func(x, y openTrunk) int { return cmp.Or(x.t.Priority-y.t.Priority, x.t.PVID-y.t.PVID) })
	var stay []openTrunk
	var warnings []string
	for _, o := range list {
		i := slices.IndexFunc(stay, func(s openTrunk) bool { return meet(s.t, o.t) })
		if i < 0 {
			stay = append(stay, o)
			continue
		}
		o.b.Active[o.t.Name] = false
		twice := fmt.Sprintf("%s and %s both bridge %s", stay[i].b, o.b, common(stay[i].t, o.t))
		if stay[i].b == o.b {
			twice = fmt.Sprintf("%s bridges %s by both %s and %s", o.b, common(stay[i].t, o.t), stay[i].t.Name, o.t.Name)
		}
		warnings = append(warnings, fmt.Sprintf(
			"loop guard: %s to the switch. On real systems broadcasts now circle without end; this lab has shut %s", twice, o))
	}
	return warnings
}

// common names the VLANs that two trunks carry.
func common(t, u *topology.Adapter) string {
	var ids []int
	for _, vlan := range t.Carries() {
		if slices.Contains(u.Carries(), vlan) {
			ids = append(ids, vlan)
		}
	}
	slices.Sort(ids)
	if len(ids) == 1 {
		return fmt.Sprintf("VLAN %d", ids[0])
	}
	return "VLANs " + strings.Trim(strings.ReplaceAll(fmt.Sprint(ids), " ", ", "), "[]")
}

// meet says whether two trunks carry the same VLAN.
func meet(t, u *topology.Adapter) bool {
	return slices.ContainsFunc(t.Carries(), func(vlan int) bool { return slices.Contains(u.Carries(), vlan) })
}
