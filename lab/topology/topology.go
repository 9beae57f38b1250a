package topology

import (
	"iter"
	"net/netip"
	"slices"
	"strings"
	"time"
)

// Topology is a checked lab description. Every name in it is resolved. The tags are
// those of reader.
type Topology struct {
	Name    string   `yaml:"name" need:"yes"`
	HMC     string   `yaml:"hmc" form:"name"` // that manages the systems; empty: none
	Systems []System `yaml:"systems" what:"system"`
	// Linux hosts that are cabled to the switch.
	Servers []Node `yaml:"servers" what:"node" only:"name os vcpus adapters interfaces set routes sysctls"`
	Switch  Switch `yaml:"switch" need:"yes"`
}

// System is a managed system (a CEC) with one hypervisor switch.
type System struct {
	Name    string `yaml:"name" need:"yes"`
	Model   string `yaml:"model" def:"9119-MHE"` // type-model
	Serial  string `yaml:"serial"`
	VSwitch string `yaml:"vswitch" def:"ETHERNET0"` // name of its hypervisor switch
	Nodes   []Node `yaml:"nodes" need:"yes" what:"node"`
	Linux   []Node // partitions that run Linux: hosts with this machine's own tools, which are not simulated
}

// Role of a node.
type Role string

const (
	LPAR   Role = "lpar"
	VIOS   Role = "vios"
	Server Role = "server" // belongs to no managed system
)

// Linux is the OS of a node that is not AIX or VIOS.
const Linux = "linux"

// Options is the name under which a node's next-boot values of no(1) stand.
const Options = "no"

// Node is one partition.
type Node struct {
	Name       string            `yaml:"name" need:"yes"`
	Role       Role              `yaml:"role" need:"yes" form:"lpar or vios"`
	OS         string            `yaml:"os" form:"linux"`      // empty, or Linux
	Level      string            `yaml:"level"`                // oslevel -s, e.g. 7200-05-03-2148
	IOSLevel   string            `yaml:"ioslevel"`             // VIOS only
	Number     int               `yaml:"number" form:"1-1000"` // partition number
	Entitled   float64           `yaml:"entitled" def:"2"`     // cores
	VCPUs      int               `yaml:"vcpus" def:"4" form:"1-256"`
	MemoryMB   int               `yaml:"memory_mb" def:"16384" form:"256-33554432"`
	Mode       string            `yaml:"mode" def:"Uncapped" form:"Capped, Uncapped or Donating"`
	Type       string            `yaml:"type"`                          // as lparstat -i prints it: Shared-SMT-8
	Weight     int               `yaml:"weight" def:"128" form:"0-255"` // uncapped: its part of what several want
	Adapters   []Adapter         `yaml:"adapters" need:"yes"`
	Interfaces []Interface       `yaml:"interfaces"`
	Routes     map[string]string `yaml:"routes"`  // static: destination -> gateway
	Sysctls    map[string]string `yaml:"sysctls"` // Linux: net.ipv4.tcp_rmem -> value
	// device -> attribute -> value that differs from the default; on Linux mtu and offloads as ethtool names them, in short:
	// see LinuxAttributes
	Set      map[string]map[string]string `yaml:"set"`
	Tunables map[string]string            `yaml:"tunables"` // no(1)
	// device, or Options -> attribute -> value from the next boot on, where it is not the running one
	NextBoot map[string]map[string]string `yaml:"next_boot"`
}

// AdapterKind is the kind of an entN.
type AdapterKind string

const (
	Virtual  AdapterKind = "virtual"  // l-lan on the system's hypervisor switch
	Physical AdapterKind = "physical" // port, cabled to the Ethernet switch
	SEA      AdapterKind = "sea"
	Channel  AdapterKind = "etherchannel" // EtherChannel, link aggregation
	VLAN     AdapterKind = "vlan"         // VLAN pseudo device on another adapter
	Bond     AdapterKind = "bond"         // of ports of a node with Linux
)

// Adapter is one entN of a node.
type Adapter struct {
	Name     string      // ent0
	Kind     AdapterKind `yaml:"kind" need:"yes"`
	MAC      string      `yaml:"mac"`
	PVID     int         `yaml:"pvid" form:"1-4094"`   // virtual
	VLANs    []int       `yaml:"vlans" form:"1-4094"`  // virtual: tagged
	Trunk    bool        `yaml:"trunk"`                // virtual
	Priority int         `yaml:"priority" form:"1-15"` // virtual trunk
	LineRate uint64      `yaml:"rate"`                 // physical: bit/s
	Port     string      `yaml:"port"`                 // physical: switch port, e.g. sw1/1
	Real     string      `yaml:"real"`                 // SEA: its physical adapter or EtherChannel
	Trunks   []string    `yaml:"trunks"`               // SEA: its virtual adapters
	Control  string      `yaml:"ctl_chan"`             // SEA: its control channel; empty: none of its own
	Members  []string    `yaml:"members"`              // EtherChannel, bond: its ports
	Backup   string      `yaml:"backup"`               // EtherChannel: the port that stands in; empty: none
	Base     string      `yaml:"base"`                 // VLAN device: the adapter whose tagged frames it takes
	Tag      int         `yaml:"tag" form:"1-4094"`    // VLAN device: the VLAN ID of those
	Mode     string      `yaml:"mode"`                 // bond: LACP or ActiveBackup
}

// Modes of a bond, as the kernel names them.
const (
	LACP         = "802.3ad"
	ActiveBackup = "active-backup"
)

// Interface is an IP interface enN on adapter entN.
type Interface struct {
	Name    string       // en0
	Address netip.Prefix `yaml:"address" need:"yes"`
	Gateway netip.Addr   `yaml:"gateway"` // invalid: none
	Aliases []string     `yaml:"aliases"` // Linux: further addresses, 10.10.10.12/24
}

// Addresses are those of a checked interface, the first one before its aliases.
func (i *Interface) Addresses() []netip.Prefix {
	out := []netip.Prefix{i.Address}
	for _, text := range i.Aliases {
		out = append(out, netip.MustParsePrefix(text))
	}
	return out
}

// Switch is the Ethernet switch.
type Switch struct {
	Name  string `yaml:"name" need:"yes"`
	Ports []Port `yaml:"ports"`
	// It answers as the gateway of the subnets that reach it, one interface a
	// VLAN.
	Gateways   []Gateway
	Gateway    string `yaml:"gateway" def:"last" form:"last or none"` // last: at the last free address of each subnet
	GatewayMTU int    `yaml:"gateway_mtu" def:"9216" form:"576-9216"` // largest IP packet that those take and send
}

// Gateway is the switch's own interface in a VLAN.
type Gateway struct {
	VLAN      int // the tag of its frames; 0: none
	Addresses []netip.Prefix
}

// Port of the Ethernet switch.
type Port struct {
	Name     string        // sw1/1
	MTU      int           `yaml:"mtu" def:"1500" form:"576-9216"` // largest IP packet it passes
	LineRate uint64        `yaml:"rate" def:"10G"`                 // bit/s
	VLAN     int           `yaml:"vlan" form:"1-4094"`             // of the frames without a tag; 0: that of ports without one
	LAG      string        `yaml:"lag" form:"name"`                // the switch aggregates the ports of one name; empty: a port of its own
	Delay    time.Duration `yaml:"delay"`                          // how long a packet is on the port's cable, each way
}

// Nodes are all partitions with AIX or VIOS in the order of the file, each with its system.
func (t *Topology) Nodes() iter.Seq2[*System, *Node] {
	return func(yield func(*System, *Node) bool) {
		for s, n := range t.Hosts() {
			if n.OS != Linux && !yield(s, n) {
				return
			}
		}
	}
}

// Hosts are all nodes, also those with Linux; a server has no system.
func (t *Topology) Hosts() iter.Seq2[*System, *Node] {
	return func(yield func(*System, *Node) bool) {
		each := func(s *System, list []Node) bool {
			for i := range list {
				if !yield(s, &list[i]) {
					return false
				}
			}
			return true
		}
		for i := range t.Systems {
			if s := &t.Systems[i]; !each(s, s.Nodes) || !each(s, s.Linux) {
				return
			}
		}
		each(nil, t.Servers)
	}
}

// Node finds a partition with AIX or VIOS by name.
func (t *Topology) Node(name string) (*System, *Node, bool) {
	for s, n := range t.Nodes() {
		if n.Name == name {
			return s, n, true
		}
	}
	return nil, nil, false
}

// Adapter finds an adapter of the node by name.
func (n *Node) Adapter(name string) *Adapter {
	for i := range n.Adapters {
		if n.Adapters[i].Name == name {
			return &n.Adapters[i]
		}
	}
	return nil
}

// AdapterOf is the adapter below an interface: entN below enN; on Linux both are one device.
func (n *Node) AdapterOf(iface string) string {
	if n.OS == Linux {
		return iface
	}
	return "ent" + strings.TrimPrefix(iface, "en")
}

// Carries are the VLANs of a virtual adapter: its own, whose frames have no
// tag there, then the tagged ones.
func (a *Adapter) Carries() []int { return append([]int{a.PVID}, a.VLANs...) }

// Holds are the adapters that an SEA, EtherChannel or bond keeps for itself: no
// interface of their own may carry an address.
func (a *Adapter) Holds() []string {
	var out []string
	switch a.Kind {
	case SEA:
		out = append([]string{a.Real}, a.Trunks...)
		if a.Control != "" {
			out = append(out, a.Control)
		}
	case Channel, Bond:
		out = slices.Clone(a.Members)
		if a.Backup != "" {
			out = append(out, a.Backup)
		}
	}
	return out
}

// Slot is the virtual slot of a partition that its i-th adapter, from 0, takes if it is a
// virtual one. 0 and 1 are the consoles'.
func Slot(i int) int { return i + 2 }

// PortSlot is the slot of the managed system that a physical adapter is in, one adapter a
// slot; 0 if it is not the system's.
func (s *System) PortSlot(a *Adapter) int {
	slot := 1
	for _, n := range slices.Concat(s.Nodes, s.Linux) {
		for i := range n.Adapters {
			if p := &n.Adapters[i]; p.Kind == Physical {
				slot++
				if p.MAC == a.MAC {
					return slot
				}
			}
		}
	}
	return 0
}
