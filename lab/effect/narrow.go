package effect

import "seaworthy/lab/topology"

// blackHole says whether an interface of the external network sends larger
// packets than some element of it passes. Then the senders must segment for
// real: the kernel measures a frame that is segmented later by no MTU, and the
// small element would let it pass.
func (v *view) blackHole() bool {
	largest, smallest := 0, hypervisorMTU
	for _, s := range v.t.Systems {
		bridged := map[int]bool{} // VLANs of the hypervisor switch that an SEA joins to the wire
		for _, n := range s.Nodes {
			for _, a := range n.Adapters {
				sea := v.seas[[2]string{n.Name, a.Name}]
				if a.Kind == topology.Virtual && sea != "" {
					for _, vlan := range a.Carries() {
						bridged[vlan] = true
					}
					smallest = min(smallest, v.trunkMTU(n.Name, sea))
				}
			}
		}
		for _, n := range s.Nodes {
			for _, a := range n.Adapters {
				external := a.Kind != topology.Virtual || bridged[a.PVID]
				if base := n.Adapter(a.Base); a.Kind == topology.VLAN && base.Kind == topology.Virtual {
					external = bridged[a.Tag]
				}
				if external && v.up(n.Name, a.Name) && len(v.Addresses(n.Name, iface(a.Name))) > 0 {
					largest = max(largest, v.number(n.Name, iface(a.Name), "mtu", ethernetMTU))
				}
				if a.Kind == topology.Physical {
					smallest = min(smallest, v.portMTU(n.Name, a.Name), v.switchMTU(a.Port))
				}
				if a.Kind == topology.Channel {
					smallest = min(smallest, v.channelMTU(n.Name, a.Name))
				}
			}
		}
	}
	return largest > smallest
}

// switchMTU is the largest IP packet a port of the Ethernet switch passes.
func (v *view) switchMTU(port string) int {
	for _, p := range v.t.Switch.Ports {
		if p.Name == port {
			if mtu := v.faults.SwitchMTU[port]; mtu > 0 {
				return mtu
			}
			return p.MTU
		}
	}
	return hypervisorMTU
}

// Narrow says whether Desired makes senders segment for that reason. Then TSO
// is off at ends whose node has largesend on and working.
func Narrow(t *topology.Topology, look Lookup) bool { return newView(t, look).narrow }
