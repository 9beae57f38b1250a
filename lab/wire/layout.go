package wire

import (
	"fmt"
	"slices"
	"strings"

	"seaworthy/lab/topology"
)

// Place says what an end stands for, so that settings can be chosen for it.
type Place string

const (
	Virtual    Place = "virtual"     // virtual adapter, in its LPAR or VIOS
	Hypervisor Place = "hypervisor"  // the hypervisor switch's side of a virtual adapter
	VLANBridge Place = "vlan"        // one VLAN of the hypervisor switch
	Physical   Place = "physical"    // physical port, in its LPAR or VIOS
	SwitchPort Place = "switch-port" // the Ethernet switch's side of a cable
	Switch     Place = "switch"      // the Ethernet switch itself
	SEA        Place = "sea"         // the bridge of a Shared Ethernet Adapter
	Channel    Place = "channel"     // an EtherChannel, in its LPAR or VIOS
	SwitchLAG  Place = "switch-lag"  // the Ethernet switch's end of one
	Spreader   Place = "spreader"    // far end of a Channel or SwitchLAG: what comes in there is spread over the ports
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
	Port    string // SwitchPort: its name in the topology; SwitchLAG: that of the aggregate
}

// Layout is every namespace and device of a lab, derived from its topology.
type Layout struct {
	Namespaces []string
	Devices    []Device // bridges before their ports
}

// HypervisorNS is the namespace of a system's hypervisor switch.
func HypervisorNS(system string) string { return "hyp:" + system }

// SwitchNS is the namespace of the Ethernet switch.
func SwitchNS(name string) string { return "sw:" + name }

// DeviceName is the network device of adapter entN (or interface enN): enN.
func DeviceName(adapter string) string {
	return "en" + strings.TrimPrefix(strings.TrimPrefix(adapter, "en"), "t")
}

// Lay derives the layout. It fails on what this lab cannot cable.
func Lay(t *topology.Topology) (*Layout, error) {
	l := &Layout{}
	sw := SwitchNS(t.Switch.Name)
	var bridges, pairs []Device
	bridges = append(bridges, Device{End: End{sw, "switch"}, Place: Switch})
	lags := map[string]string{} // switch port -> aggregate
	for _, p := range t.Switch.Ports {
		if lags[p.Name] = p.LAG; p.LAG == "" || slices.ContainsFunc(pairs, func(d Device) bool { return d.Port == p.LAG }) {
			continue
		}
		near := Device{End: End{sw, lagName(p.LAG, len(pairs))}, Place: SwitchLAG, Bridge: "switch", Port: p.LAG}
		far := Device{End: End{sw, SpreaderOf(near.Device)}, Place: Spreader, Port: p.LAG, Peer: near.End}
		near.Peer = far.End
		pairs = append(pairs, near, far)
	}
	for _, s := range t.Systems {
		hyp := HypervisorNS(s.Name)
		vlans := map[int]bool{}
		for _, n := range s.Nodes {
			l.Namespaces = append(l.Namespaces, n.Name)
			owner := map[string]string{} // adapter -> bridge of the SEA that uses it
			for _, a := range n.Adapters {
				if a.Kind == topology.SEA {
					for _, m := range append([]string{a.Real}, a.Trunks...) {
						owner[m] = DeviceName(a.Name)
					}
				}
			}
			for _, a := range n.Adapters {
				near := Device{End: End{n.Name, DeviceName(a.Name)}, Node: n.Name, Adapter: a.Name, MAC: a.MAC, Bridge: owner[a.Name]}
				far := Device{Node: n.Name, Adapter: a.Name, Peer: near.End}
				switch a.Kind {
				case topology.SEA:
					near.Place = SEA
					bridges = append(bridges, near)
					continue
				case topology.Virtual:
					if len(a.VLANs) > 0 {
						return nil, fmt.Errorf("%s %s: tagged VLANs %v are not in this lab, because its VLANs are bridges of their own: give each VLAN an adapter with that PVID", n.Name, a.Name, a.VLANs)
					}
					if !vlans[a.PVID] {
						vlans[a.PVID] = true
						bridges = append(bridges, Device{End: End{hyp, vlanName(a.PVID)}, Place: VLANBridge})
					}
					near.Place, far.Place = Virtual, Hypervisor
					far.End, far.Bridge = End{hyp, portName(n.Name, a.Name, len(pairs))}, vlanName(a.PVID)
				case topology.Physical:
					near.Place, far.Place = Physical, SwitchPort
					far.End, far.Bridge, far.Port = End{sw, portName(n.Name, a.Name, len(pairs))}, "switch", a.Port
					if lags[a.Port] != "" {
						far.Bridge = ""
					}
				case topology.Channel:
					near.Place, far.Place = Channel, Spreader
					far.End = End{n.Name, SpreaderOf(near.Device)}
				}
				near.Peer = far.End
				pairs = append(pairs, near, far)
			}
		}
		l.Namespaces = append(l.Namespaces, hyp)
	}
	l.Namespaces = append(l.Namespaces, sw)
	l.Devices = append(bridges, pairs...)
	return l, nil
}

// SpreaderOf is the device that spreads the frames of an aggregate.
func SpreaderOf(device string) string { return device + ".in" }

// lagName names the switch's end of an aggregate, with room for ".in".
func lagName(name string, n int) string {
	if len(name) <= 12 && name != "switch" {
		return name
	}
	return fmt.Sprintf("lag%d", n/2)
}

func vlanName(id int) string { return fmt.Sprintf("vlan%d", id) }

// portName names the far end of a cable. The kernel allows 15 characters.
func portName(node, adapter string, n int) string {
	if name := node + "." + adapter; len(name) <= 15 {
		return name
	}
	return fmt.Sprintf("port%d", n/2)
}
