package topology

import (
	"net/netip"
	"slices"
)

// gateways gives the switch an address in every subnet that reaches it, and a
// default route to every node that has none.
func (r *resolver) gateways(t *Topology) {
	if t.Switch.Gateway == "none" {
		t.Switch.GatewayMTU = 0
		return
	}
	at := map[netip.Prefix]netip.Addr{} // subnet -> the switch's address
	for s, n := range t.Hosts() {
		for _, en := range n.Interfaces {
			net := en.Address.Masked()
			vlan, out := r.switchTag(s, n, n.AdapterOf(en.Name))
			if at[net].IsValid() || !out {
				continue
			}
			a := r.gatewayOf(t, net)
			if !a.IsValid() {
				continue
			}
			at[net] = a
			g := slices.IndexFunc(t.Switch.Gateways, func(g Gateway) bool { return g.VLAN == vlan })
			if g < 0 {
				g = len(t.Switch.Gateways)
				t.Switch.Gateways = append(t.Switch.Gateways, Gateway{VLAN: vlan})
			}
			t.Switch.Gateways[g].Addresses = append(t.Switch.Gateways[g].Addresses, netip.PrefixFrom(a, net.Bits()))
			r.addrs[a] = "switch"
		}
	}
	for _, n := range t.Hosts() {
		if slices.ContainsFunc(n.Interfaces, func(en Interface) bool { return en.Gateway.IsValid() }) {
			continue
		}
		for k := range n.Interfaces {
			if a := at[n.Interfaces[k].Address.Masked()]; a.IsValid() {
				n.Interfaces[k].Gateway = a
				break
			}
		}
	}
}

// gatewayOf is the switch's address in a subnet: the gateway that a node names
// there if nobody has it, else the last free address.
func (r *resolver) gatewayOf(t *Topology, net netip.Prefix) netip.Addr {
	for _, n := range t.Hosts() {
		for _, en := range n.Interfaces {
			if _, taken := r.addrs[en.Gateway]; en.Gateway.IsValid() && en.Address.Masked() == net && !taken {
				return en.Gateway
			}
		}
	}
	if net.Bits() > 30 {
		return netip.Addr{}
	}
	b := net.Addr().As4()
	for bit := net.Bits(); bit < 32; bit++ {
		b[bit/8] |= 1 << (7 - bit%8)
	}
	for a := netip.AddrFrom4(b).Prev(); net.Contains(a) && a != net.Addr(); a = a.Prev() {
		if _, taken := r.addrs[a]; !taken {
			return a
		}
	}
	return netip.Addr{}
}

// switchTag is the tag that the frames of an adapter have on the Ethernet switch;
// false if they do not get there.
func (r *resolver) switchTag(s *System, n *Node, adapter string) (vlan int, out bool) {
	a, tag := n.Adapter(adapter), 0
	if a != nil && a.Kind == VLAN {
		tag, a = a.Tag, n.Adapter(a.Base)
	}
	if a == nil {
		return 0, false
	}
	if a.Kind == Physical && tag == 0 {
		return r.ports[a.Port].VLAN, true
	}
	if a.Kind != Virtual {
		return tag, true
	}
	if tag == 0 {
		tag = a.PVID
	}
	for i := range s.Nodes {
		for _, sea := range s.Nodes[i].Adapters {
			for _, name := range sea.Trunks {
				switch t := s.Nodes[i].Adapter(name); {
				case t.PVID == tag:
					return 0, true
				case slices.Contains(t.VLANs, tag):
					return tag, true
				}
			}
		}
	}
	return 0, false
}
