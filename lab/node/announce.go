package node

import (
	"errors"
	"slices"

	"seaworthy/lab/effect"
	"seaworthy/lab/topology"
)

// announceTrunk tells the VIOS and the Ethernet switch behind it that the
// addresses of its VLANs are reached by this trunk now. The hypervisor's end
// sends, so that the SEA learns them on the right side, too.
func (r Redundancy) announceTrunk(s *topology.System, n *topology.Node, trunk string) error {
	a := n.Adapter(trunk)
	var failed error
	for _, tag := range append([]int{0}, tagsOf(n, trunk)...) {
		if far, ok := r.sim.Far(r.sim.Counters().Device(n, trunk, tag)); ok {
			failed = errors.Join(failed, r.sim.Announce(far, clients(s, vlanOf(a, tag))))
		}
	}
	return failed
}

func vlanOf(trunk *topology.Adapter, tag int) int {
	if tag == 0 {
		return trunk.PVID
	}
	return tag
}

// clients are the addresses of a VLAN's virtual adapters that are no trunks,
// and of the VLAN pseudo devices that are on it.
func clients(s *topology.System, vlan int) []string {
	var macs []string
	for _, n := range slices.Concat(s.Nodes, s.Linux) {
		for _, a := range n.Adapters {
			base := n.Adapter(a.Base)
			if a.Kind == topology.Virtual && !a.Trunk && a.PVID == vlan ||
				a.Kind == topology.VLAN && base.Kind == topology.Virtual && a.Tag == vlan {
				macs = append(macs, a.MAC)
			}
		}
	}
	return macs
}

// announceChannel tells the switch which port leads to what is behind an
// EtherChannel now.
func (r Redundancy) announceChannel(s *topology.System, n *topology.Node, c *topology.Adapter, pairs map[[2]string]*effect.Failover) error {
	var failed error
	for _, tag := range append([]int{0}, tagsOf(n, c.Name)...) {
		macs := []string{c.MAC}
		for i := range n.Adapters {
			sea := &n.Adapters[i]
			if sea.Kind != topology.SEA || sea.Real != c.Name {
				continue
			}
			for _, t := range sea.Trunks {
				a := n.Adapter(t)
				if vlan := vlanOf(a, tag); slices.Contains(a.Carries(), vlan) && pairs[[2]string{n.Name, sea.Name}].Active[t] {
					macs = append(macs, clients(s, vlan)...)
				}
			}
		}
		failed = errors.Join(failed, r.sim.Announce(r.sim.Counters().Device(n, c.Name, tag), macs))
	}
	return failed
}
