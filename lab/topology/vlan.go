package topology

// maxTags is how many VLANs a virtual adapter carries beside its own.
const maxTags = 20

// Carries are the VLANs of a virtual adapter: its own, whose frames have no
// tag there, then the tagged ones.
func (a *Adapter) Carries() []int { return append([]int{a.PVID}, a.VLANs...) }

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
