package effect

import (
	"seaworthy/lab/topology"
)

// externalMTUs are the largest MTU of an interface of the external network, and
// whether some element of it passes less. Then the senders must segment for
// real: the kernel measures a frame that is segmented later by no MTU, and the
// small element would let it pass.
func (v *view) externalMTUs() (largest int, mismatch bool) {
	largest, smallest := v.linuxMTUs()
	for _, s := range v.t.Systems {
		bridged := v.bridgedVLANs(s)
		for i := range s.Nodes {
			n := &s.Nodes[i]
			for k := range n.Adapters {
				a := &n.Adapters[k]
				smallest = min(smallest, v.passes(n, a))
				if external(n, a, bridged) && v.up(n.Name, a.Name) && len(v.Addresses(n.Name, iface(a.Name))) > 0 {
					largest = max(largest, v.number(n.Name, iface(a.Name), "mtu", ethernetMTU))
				}
			}
		}
	}
	return largest, largest > smallest
}

// bridgedVLANs are those of the hypervisor switch that an SEA joins to the wire.
func (v *view) bridgedVLANs(s topology.System) map[int]bool {
	bridged := map[int]bool{}
	for _, n := range s.Nodes {
		for _, a := range n.Adapters {
			if a.Kind != topology.Virtual || v.seas[[2]string{n.Name, a.Name}] == "" {
				continue
			}
			for _, vlan := range a.Carries() {
				bridged[vlan] = true
			}
		}
	}
	return bridged
}

// passes is the largest IP packet that passes an adapter of the external
// network, and what it is plugged into.
func (v *view) passes(n *topology.Node, a *topology.Adapter) int {
	switch a.Kind {
	case topology.Virtual:
		if sea := v.seas[[2]string{n.Name, a.Name}]; sea != "" {
			return v.trunkMTU(n.Name, sea)
		}
	case topology.Physical:
		return min(v.portMTU(n.Name, a.Name), v.switchMTU(a.Port))
	case topology.Channel:
		return v.channelMTU(n.Name, a.Name)
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

// switchMTU is the largest IP packet a port of the Ethernet switch passes.
func (v *view) switchMTU(port string) int {
	for _, p := range v.t.Switch.Ports {
		if p.Name == port {
			if mtu := v.Faults.Of(NoJumbo, port); mtu > 0 {
				return int(mtu)
			}
			return p.MTU
		}
	}
	return hypervisorMTU
}

// linuxMTUs are the largest MTU of an interface of a node with Linux, and the smallest
// that a switch port at one passes.
func (v *view) linuxMTUs() (largest, smallest int) {
	smallest = hypervisorMTU
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
	return largest, smallest
}
