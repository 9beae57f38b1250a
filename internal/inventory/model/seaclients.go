package model

import "slices"

// addClients indexes the clients that an SEA's statistics name, by the trunk adapter
// that their frames came by. Where that is not clear they are left out.
func (b *Bridging) addClients(h *Host, sea *Element) {
	for _, s := range sea.Clients {
		name, vlan, ok := h.trunkOf(sea, s.VLAN)
		if !ok {
			continue
		}
		x := trunk{
			Bridge: Bridge{SEA: Ref{h.Name, sea.Name}, Trunk: name, VLAN: vlan, Standby: Standby(sea, h.Elements[name], vlan), Counted: true},
			system: h.MachineID,
		}
		for _, key := range []string{s.MAC, s.IP} {
			if key != "" && !slices.ContainsFunc(b.clients[key], func(y trunk) bool { return y.SEA == x.SEA }) {
				b.clients[key] = append(b.clients[key], x)
			}
		}
	}
}

// trunkOf is the trunk adapter of an SEA that carries a VLAN: the only one it
// has, or the only one that says so. Without a tag it is known only of an SEA
// with one trunk.
func (h *Host) trunkOf(sea *Element, vlan *int) (name string, id int, ok bool) {
	var found []string
	for _, n := range sea.Trunks {
		t := h.Elements[n]
		if t == nil {
			continue
		}
		carries := vlan != nil && t.PVID != nil && (*t.PVID == *vlan || slices.Contains(t.VLANs, *vlan))
		if carries || len(sea.Trunks) == 1 {
			found = append(found, n)
		}
	}
	if len(found) != 1 {
		return "", 0, false
	}
	switch t := h.Elements[found[0]]; {
	case vlan != nil:
		id = *vlan
	case t.PVID != nil:
		id = *t.PVID
	default:
		return "", 0, false
	}
	return found[0], id, true
}

// clientOf finds the SEAs whose statistics name a client: by the adapter's MAC
// address, else by an address of the interface on it. One that is seen on
// several managed systems is on none for sure. Where VLANs are given, only what
// came by one of them counts.
func (b *Bridging) clientOf(h *Host, el *Element, vlans []int) []Bridge {
	if len(b.clients) == 0 {
		return nil
	}
	found := b.clients[el.MAC]
	for _, e := range slices.Concat([]*Element{h.Elements[el.Name]}, b.on[h][el.Name]) {
		if len(found) > 0 || e == nil || e.On != el.Name && e != el {
			continue
		}
		for _, a := range e.Addrs {
			found = append(found, b.clients[a.Addr().String()]...)
		}
	}
	var list []trunk
	for _, t := range found {
		if t.system != found[0].system {
			return nil
		}
		if h.MachineID != "" && t.system != "" && h.MachineID != t.system || len(vlans) > 0 && !slices.Contains(vlans, t.VLAN) {
			continue
		}
		if !slices.ContainsFunc(list, func(x trunk) bool { return x.SEA == t.SEA }) {
			list = append(list, t)
		}
	}
	return activeFirst(list)
}
