package assemble

import "seaworthy/inventory"

// masked forgets running values that an output cannot show. A driver cuts no
// large packets while it writes no checksums or the SEA above passes none, and
// an interface then does not show LARGESEND: that the flag is missing says
// nothing of large_send and mtu_bypass themselves.
func (b *builder) masked() {
	for _, e := range b.host.Elements {
		switch e.Kind {
		case inventory.Physical, inventory.VNIC:
			sea := b.host.Elements[e.MemberOf]
			if sea != nil && sea.Kind == inventory.EtherChannel {
				sea = b.host.Elements[sea.MemberOf]
			}
			if is(e, "chksum_offload", "no") || sea != nil && is(sea, "largesend", "0") {
				forget(e, "large_send", "no")
			}
		case inventory.Interface:
			on := b.host.Elements[e.On]
			if on != nil && (is(on, "chksum_offload", "no") || is(on, "large_send", "no") || is(on, "largesend", "0")) {
				forget(e, "mtu_bypass", "off")
			}
		}
	}
}

func is(e *inventory.Element, name, v string) bool {
	return e.Attrs[name] != nil && value(e, name) == v
}

// forget drops a running value, where the ODM has one to go by.
func forget(e *inventory.Element, name, v string) {
	if a := e.Attrs[name]; a != nil && a.Running != nil && *a.Running == v && a.NextBoot != nil {
		a.Running = nil
	}
}
