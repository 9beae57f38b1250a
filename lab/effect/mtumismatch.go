package effect

import "seaworthy/lab/topology"

// externalMTUs are the largest MTU of an interface of the external network, and
// whether some element of it passes less. Then the senders must segment for
// real: the kernel measures a frame that is segmented later by no MTU, and the
// small element would let it pass.
func (v *view) externalMTUs() (largest int, mismatch bool) {
	smallest := hypervisorMTU
	for _, n := range v.linux {
		for _, a := range n.Adapters {
			if a.Kind == topology.Physical {
				smallest = min(smallest, v.switchMTU(a.Port))
			}
			if v.MTU != nil {
				largest = max(largest, v.MTU(n.Name, a.Name))
			}
		}
	}
	bridged := map[*topology.System]map[int]bool{}
	for s, n := range v.t.Nodes() {
		if bridged[s] == nil {
			bridged[s] = v.bridgedVLANs(s)
		}
		for k := range n.Adapters {
			a := &n.Adapters[k]
			smallest = min(smallest, v.passes(n.Name, a))
			if external(n, a, bridged[s]) && v.up(n.Name, a.Name) && len(v.of(n.Name).Addresses(iface(a.Name))) > 0 {
				largest = max(largest, v.number(n.Name, iface(a.Name), "mtu", ethernetMTU))
			}
		}
	}
	return largest, largest > smallest
}

// bridgedVLANs are those of the hypervisor switch that an SEA joins to the wire.
func (v *view) bridgedVLANs(s *topology.System) map[int]bool {
	bridged := map[int]bool{}
	for _, n := range s.Nodes {
		for _, a := range n.Adapters {
			if a.Kind == topology.Virtual && v.at(n.Name, a.Name).sea != "" {
				for _, vlan := range a.Carries() {
					bridged[vlan] = true
				}
			}
		}
	}
	return bridged
}

// passes is the largest IP packet that passes an adapter of the external
// network, and what it is plugged into.
func (v *view) passes(node string, a *topology.Adapter) int {
	switch sea := v.at(node, a.Name).sea; {
	case a.Kind == topology.Virtual && sea != "":
		return v.trunkMTU(node, sea)
	case a.Kind == topology.Physical:
		return min(v.portMTU(node, a.Name), v.switchMTU(a.Port))
	case a.Kind == topology.Channel:
		return v.channelMTU(node, a.Name)
	}
	return hypervisorMTU
}

// external says whether what an adapter sends can leave its managed system.
func external(n *topology.Node, a *topology.Adapter, bridged map[int]bool) bool {
	if base := n.Adapter(a.Base); a.Kind == topology.VLAN && base.Kind == topology.Virtual {
		return bridged[a.Tag]
	}
	return a.Kind != topology.Virtual || bridged[a.PVID]
}
