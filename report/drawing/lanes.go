package drawing

import (
	"slices"

	"seaworthy/inventory"
)

// Lanes from top to bottom. Between two of them is room for elements that build
// on others of their kind.
const (
	depth = 8

	laneInterface = iota * depth
	laneVLAN
	laneClientChannel // an EtherChannel over virtual adapters
	laneAdapter
	laneHypervisor
	laneOwnInterface // of a VIOS, over its SEA
	laneOwnVLAN
	laneTrunk
	laneSEA
	laneChannel
	lanePort
	laneSwitch
)

// laneNames stand left of the lanes.
var laneNames = map[int]string{
	laneInterface: "interface", laneVLAN: "VLAN device", laneClientChannel: "EtherChannel", laneAdapter: "adapter",
	laneHypervisor: "hypervisor switch", laneOwnInterface: "VIOS's interface", laneOwnVLAN: "VLAN device", laneTrunk: "trunk adapter",
	laneSEA: "SEA", laneChannel: "EtherChannel", lanePort: "port", laneSwitch: "Ethernet switch",
}

// laneOf gives a hop its lane; rest are the hops below it on the same side.
func laneOf(h inventory.Hop, rest []inventory.Hop, inVIOS bool) int {
	ahead := func(kinds ...string) bool {
		return slices.ContainsFunc(rest, func(x inventory.Hop) bool { return slices.Contains(kinds, x.Kind) })
	}
	overSEA := inVIOS || !ahead(inventory.HypervisorSwitch, string(inventory.VNIC)) && ahead(string(inventory.SEA))
	switch inventory.Kind(h.Kind) {
	case inventory.Interface:
		if overSEA {
			return laneOwnInterface
		}
		return laneInterface
	case inventory.VLANDevice:
		if overSEA {
			return laneOwnVLAN
		}
		return laneVLAN
	case inventory.EtherChannel:
		if !inVIOS && ahead(inventory.HypervisorSwitch, string(inventory.VNIC)) {
			return laneClientChannel
		}
		return laneChannel
	case inventory.Virtual:
		if inVIOS {
			return laneTrunk
		}
		return laneAdapter
	case inventory.VNIC:
		return laneAdapter
	case inventory.SEA:
		return laneSEA
	case inventory.HypervisorSwitch:
		return laneHypervisor
	case inventory.EthernetSwitch:
		return laneSwitch
	}
	return lanePort
}
