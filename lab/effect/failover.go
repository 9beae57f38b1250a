package effect

import (
	"cmp"
	"fmt"
	"slices"
	"sort"
	"strings"

	"seaworthy/lab/topology"
)

// Failover is the state of an SEA in its pair.
type Failover struct {
	Mode       string          // ha_mode
	State      string          // PRIMARY, BACKUP, PRIMARY_SH, BACKUP_SH, LIMBO; empty: down, or no failover
	BridgeMode string          // All, Partial, None
	Priority   int             // lowest priority number of its trunks: the lower is first
	Active     map[string]bool // trunk -> the hypervisor switch delivers to it
}

// bridge is an SEA while the roles in its pair are decided.
type bridge struct {
	*Failover
	node   string
	a      *topology.Adapter
	trunks []*topology.Adapter // that are configured
	alive  bool                // up, and with a link to the switch
	was    bool                // primary until now
	waits  bool                // takes nothing back from one that is primary
	hears  string              // what its control channel is on; empty: cut off
}

func (b *bridge) String() string { return b.node + " " + b.a.Name }

func (v *view) failovers() (map[[2]string]*Failover, []string) {
	out := map[[2]string]*Failover{}
	all := map[*topology.System][]*bridge{}
	for s, n := range v.t.Nodes() {
		for k := range n.Adapters {
			if a := &n.Adapters[k]; a.Kind == topology.SEA {
				b := v.bridge(s, n, a)
				all[s] = append(all[s], b)
				out[[2]string{n.Name, a.Name}] = b.Failover
			}
		}
	}
	var warnings []string
	for i := range v.t.Systems {
		pairs := all[&v.t.Systems[i]]
		for _, b := range pairs {
			decide(b, pairs)
		}
		warnings = append(warnings, loopGuard(pairs)...)
	}
	return out, warnings
}

func (v *view) bridge(s *topology.System, n *topology.Node, a *topology.Adapter) *bridge {
	b := &bridge{
		Failover: &Failover{Mode: cmp.Or(v.value(n.Name, a.Name, "ha_mode"), "disabled"), BridgeMode: "None", Active: map[string]bool{}},
		node:     n.Name, a: a, hears: "every SEA's own VLAN",
		waits: v.is(n.Name, a.Name, "noauto_failback", "yes"), was: v.Primary[[2]string{n.Name, a.Name}],
	}
	for _, t := range a.Trunks {
		x := n.Adapter(t)
		if b.Priority == 0 || x.Priority < b.Priority {
			b.Priority = x.Priority
		}
		if v.bridging(n.Name, a.Name, t) {
			b.trunks = append(b.trunks, x)
		}
	}
	slices.SortFunc(b.trunks, func(x, y *topology.Adapter) int { return x.PVID - y.PVID })
	if a.Control != "" {
		b.hears = fmt.Sprintf("VLAN %d", n.Adapter(a.Control).PVID)
	}
	if a.Control != "" && !v.Available(n.Name, a.Control) || v.Faults.controlCut(s.Name) {
		b.hears = ""
	}
	b.alive = v.Available(n.Name, a.Name) && v.linked(n.Name, a.Real)
	if v.Available(n.Name, a.Name) && b.Mode != "disabled" && !b.alive {
		b.State = "LIMBO"
	}
	return b
}

// pairs says whether two SEAs watch over the same VLANs and hear each other.
func (b *bridge) pairs(o *bridge) bool {
	if b.node == o.node || o.Mode == "disabled" || b.hears == "" || b.hears != o.hears {
		return false
	}
	return slices.ContainsFunc(b.trunks, func(t *topology.Adapter) bool {
		return slices.ContainsFunc(o.trunks, func(u *topology.Adapter) bool { return meet(t, u) })
	})
}

// decide finds out what one SEA does, from what it knows of the others.
func decide(b *bridge, all []*bridge) {
	if b.Mode == "disabled" {
		for _, t := range b.trunks {
			b.Active[t.Name] = true
		}
		if len(b.trunks) > 0 {
			b.BridgeMode = "All"
		}
		return
	}
	if !b.alive {
		return
	}
	group := []*bridge{b}
	for _, o := range all {
		if o != b && o.alive && b.pairs(o) {
			group = append(group, o)
		}
	}
	sort.Slice(group, func(i, j int) bool {
		x, y := group[i], group[j]
		if s, t := x.Mode == "standby", y.Mode == "standby"; s != t {
			return t
		}
		if both := x.Mode == "sharing" && y.Mode == "sharing"; !both && (x.was && !y.was && y.waits || y.was && !x.was && x.waits) {
			return x.was
		}
		return cmp.Or(x.Priority-y.Priority, cmp.Compare(x.node, y.node)) < 0
	})
	first := group[0] == b
	shared := len(group) == 2
	for _, g := range group {
		shared = shared && g.Mode == "sharing" && len(g.trunks) >= 2
	}
	b.State, b.BridgeMode = "BACKUP", "None"
	if first {
		b.State, b.BridgeMode = "PRIMARY", "All"
	}
	if shared {
		b.State += "_SH"
		b.BridgeMode = "Partial"
	}
	for i, t := range b.trunks {
		b.Active[t.Name] = first && !shared || shared && first == (i%2 == 0)
	}
}

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
