package topology

import (
	"cmp"
	"slices"
	"strings"
)

func sorted(names []text) []text {
	return slices.SortedStableFunc(slices.Values(names), func(a, b text) int { return byNumber(a.s, b.s) })
}

// member checks one adapter that another is built on, and keeps it for that one.
func (r *resolver) member(n *Node, owner rawAdapter, key string, t text,
	used map[string]string, what string, fits func(*Adapter) bool) {
	at := "node " + n.Name + " " + owner.name.s
	if a := n.Adapter(t.s); a == nil || !fits(a) {
		r.fail(t.line, "%s: %s %q, expected %s of this node", at, key, t.s, what)
	}
	if by := used[t.s]; by != "" {
		r.fail(t.line, "%s: %s %s belongs to %s already", at, key, t.s, by)
	}
	used[t.s] = owner.name.s
}

// sea joins an SEA to the adapters it is built on.
func (r *resolver) sea(n *Node, raw rawAdapter, used map[string]string) {
	a := n.Adapter(raw.name.s)
	if !raw.Real.given() || len(raw.Trunks) == 0 {
		r.fail(raw.name.line, "node %s %s: an SEA needs the keys real and trunks", n.Name, a.Name)
	}
	external := func(a *Adapter) bool { return a.Kind == Physical || a.Kind == Channel }
	r.member(n, raw, "real", raw.Real, used, "a physical adapter or an EtherChannel", external)
	for _, t := range sorted(raw.Trunks) {
		r.member(n, raw, "trunks", t, used, "a virtual trunk adapter", func(a *Adapter) bool { return a.Kind == Virtual && a.Trunk })
		a.Trunks = append(a.Trunks, t.s)
	}
	if raw.Control.given() {
		r.member(n, raw, "ctl_chan", raw.Control, used, "a virtual adapter that is not a trunk",
			func(a *Adapter) bool { return a.Kind == Virtual && !a.Trunk })
		a.Control = raw.Control.s
	}
	a.Real = raw.Real.s
	// An SEA answers with its real adapter's address.
	if a.MAC == "" {
		a.MAC = n.Adapter(a.Real).MAC
	}
}

// maxMembers is what AIX aggregates at most.
const maxMembers = 8

// channel joins an EtherChannel to its ports.
func (r *resolver) channel(n *Node, raw rawAdapter, used map[string]string) {
	a := n.Adapter(raw.name.s)
	if len(raw.Members) == 0 || len(raw.Members) > maxMembers {
		r.fail(raw.name.line, "node %s %s: an EtherChannel needs the key members, with 1 to %d ports", n.Name, a.Name, maxMembers)
	}
	port := func(a *Adapter) bool { return a.Kind == Physical }
	for _, t := range sorted(raw.Members) {
		r.member(n, raw, "members", t, used, "a physical adapter", port)
		a.Members = append(a.Members, t.s)
	}
	if raw.Backup.given() {
		r.member(n, raw, "backup", raw.Backup, used, "a physical adapter", port)
		a.Backup = raw.Backup.s
	}
	// All ports of an EtherChannel answer with the first one's address.
	if a.MAC == "" {
		a.MAC = n.Adapter(a.Members[0]).MAC
	}
}

// bond joins a bond of a node with Linux to its ports.
func (r *resolver) bond(n *Node, raw rawAdapter, used map[string]string) {
	a := n.Adapter(raw.name.s)
	at := "node " + n.Name + " " + a.Name
	if len(raw.Members) == 0 || len(raw.Members) > maxMembers {
		r.fail(raw.name.line, "%s: a bond needs the key members, with 1 to %d ports", at, maxMembers)
	}
	if a.Mode = raw.Mode.s; a.Mode != LACP && a.Mode != ActiveBackup {
		r.fail(cmp.Or(raw.Mode.line, raw.name.line), "%s: mode %q, expected %s or %s", at, a.Mode, LACP, ActiveBackup)
	}
	for _, t := range sorted(raw.Members) {
		r.member(n, raw, "members", t, used, "a physical adapter", func(a *Adapter) bool { return a.Kind == Physical })
		a.Members = append(a.Members, t.s)
	}
}

// byNumber sorts ent2 before ent10.
func byNumber(a, b string) int { return cmp.Or(len(a)-len(b), strings.Compare(a, b)) }

// vlan puts a VLAN pseudo device on its adapter. That the adapter does not
// carry the VLAN is not a fault of the file: such a device just hears nothing.
func (r *resolver) vlan(n *Node, raw rawAdapter, used map[string]string) {
	a := n.Adapter(raw.name.s)
	at := "node " + n.Name + " " + a.Name
	if !raw.Base.given() || !raw.Tag.given() {
		r.fail(raw.name.line, "%s: a VLAN device needs the keys base and tag", at)
	}
	base := n.Adapter(raw.Base.s)
	if base == nil || base.Kind == VLAN {
		r.fail(raw.Base.line, "%s: base %q, expected an adapter of this node that is not a VLAN device", at, raw.Base.s)
	}
	if by := used[base.Name]; by != "" {
		r.fail(raw.Base.line, "%s: base %s belongs to %s: put the VLAN device there", at, base.Name, by)
	}
	tag := r.number(at+" tag", raw.Tag, 0, 1, 4094)
	for _, o := range n.Adapters {
		if o.Kind == VLAN && o.Base == base.Name && o.Tag == tag {
			r.fail(raw.Tag.line, "%s: VLAN %d of %s belongs to %s", at, tag, base.Name, o.Name)
		}
	}
	// It answers with its adapter's address.
	a.Base, a.Tag, a.MAC = base.Name, tag, base.MAC
}
