package topology

import "slices"

// Holds are the adapters that an SEA or EtherChannel keeps for itself: no
// interface of their own may carry an address.
func (a *Adapter) Holds() []string {
	var out []string
	switch a.Kind {
	case SEA:
		out = append([]string{a.Real}, a.Trunks...)
		if a.Control != "" {
			out = append(out, a.Control)
		}
	case Channel:
		out = slices.Clone(a.Members)
		if a.Backup != "" {
			out = append(out, a.Backup)
		}
	}
	return out
}

// Adapter finds an adapter of the node by name.
func (n *Node) Adapter(name string) *Adapter {
	for i := range n.Adapters {
		if n.Adapters[i].Name == name {
			return &n.Adapters[i]
		}
	}
	return nil
}

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
