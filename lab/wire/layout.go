package wire

import (
	"fmt"
	"hash/fnv"
	"strings"
)

// Place says what an end represents, so that settings can be chosen for it.
type Place string

const (
	Virtual     Place = "virtual"      // virtual adapter, in its LPAR or VIOS
	Hypervisor  Place = "hypervisor"   // the hypervisor switch's side of a virtual adapter
	VLANBridge  Place = "vlan"         // one VLAN of the hypervisor switch
	Physical    Place = "physical"     // physical port, in its LPAR or VIOS
	SwitchPort  Place = "switch-port"  // the Ethernet switch's side of a cable
	Switch      Place = "switch"       // the Ethernet switch itself
	SEA         Place = "sea"          // the bridge of a Shared Ethernet Adapter
	Channel     Place = "channel"      // an EtherChannel, in its LPAR or VIOS
	SwitchLAG   Place = "switch-lag"   // the Ethernet switch's end of one
	Gateway     Place = "gateway"      // the Ethernet switch's own interface in a VLAN
	GatewayPort Place = "gateway-port" // the port of the switch that it is at
	Distributor Place = "distributor"  // far end of a Channel or SwitchLAG: what comes in there is spread over the ports
	Bond        Place = "bond"         // a bond of a node with Linux
	SwitchBond  Place = "switch-bond"  // the Ethernet switch's end of one with LACP
	Line        Place = "line"         // what the VLAN instances of a port send passes it, so that they share the port's rate
)

// Device is one network device that a lab makes.
type Device struct {
	End
	Place   Place
	Node    string // the partition it belongs to; the partition at the far end for Hypervisor and SwitchPort
	Adapter string // entN, likewise
	MAC     string // empty: the kernel's choice
	Peer    End    // other end of the veth pair; zero for bridges
	Bridge  string // bridge of the same namespace that the device is a port of
	Bond    string // bond of the same namespace that the device is a port of
	Mode    string // Bond, SwitchBond: topology.LACP or topology.ActiveBackup
	Bonding        // Bond: how it works beside its mode
	Port    string // SwitchPort: its name in the topology; SwitchLAG, SwitchBond: that of the aggregate
	Below   string // the adapter that it is a VLAN instance of: Adapter, or what is below the VLAN pseudo device
	VLAN    int    // the tag that its frames would carry on a real wire; 0: none
	Line    string // Physical, SwitchPort: the Line device that its VLAN instances share; empty: it has a single VLAN instance
}

// Bonding are the settings of a bond that a topology has, as the kernel names their values; empty: the lab's own.
type Bonding struct{ Monitor, Hash, LACPRate string }

// Layout is every namespace and device of a lab, derived from its topology.
type Layout struct {
	Namespaces []string
	Linux      []string // those of them whose settings are the node's own
	Devices    []Device // bridges before their ports
}

// HypervisorNS is the namespace of a system's hypervisor switch.
func HypervisorNS(system string) string { return "hyp:" + system }

// SwitchNS is the namespace of the Ethernet switch.
func SwitchNS(name string) string { return "sw:" + name }

// gatewayMAC is that of a virtual router, whose last byte is its number (RFC
// 5798, 7.3).
func gatewayMAC(vlan int) string { return fmt.Sprintf("00:00:5e:00:01:%02x", vlan%255+1) }

// DeviceName is the network device of adapter entN (or interface enN): enN.
func DeviceName(adapter string) string {
	return "en" + strings.TrimPrefix(strings.TrimPrefix(adapter, "en"), "t")
}

// DistributorOf is the device that spreads the frames of an aggregate.
func DistributorOf(device string) string { return device + ".in" }

// lagName names the switch's end of an aggregate, with room for ".in".
func lagName(name string, n, tag int) string {
	if len(name) > 7 || strings.HasPrefix(name, "switch") || strings.HasPrefix(name, "lag") {
		name = fmt.Sprintf("lag%d", n)
	}
	return Tagged(name, tag)
}

func vlanName(id int) string { return fmt.Sprintf("vlan%d", id) }

// portName names the far end of a cable. The kernel allows 15 characters: a
// long name gives way to the place of its node in the topology, which stays the
// same when devices come and go.
func portName(node, adapter string, nth int) string {
	if name := node + "." + adapter; len(name) <= 15 {
		return name
	}
	if name := fmt.Sprintf("p%d.%s", nth, strings.TrimPrefix(adapter, "ent")); len(name) <= 15 {
		return name
	}
	hash := fnv.New32a()
	_, _ = hash.Write([]byte(adapter)) // it never fails
	return fmt.Sprintf("p%d.%08x", nth, hash.Sum32())
}

// lineOf is the device that the VLAN instances of a port send through.
func lineOf(device string) string { return device + ".line" }

// Tagged is the device of a VLAN instance: it takes that VLAN's frames.
func Tagged(device string, tag int) string {
	if tag == 0 {
		return device
	}
	return fmt.Sprintf("%s.%d", device, tag)
}
