package model

import (
	"net/netip"
	"slices"
)

// Kind of an element.
type Kind string

const (
	Interface    Kind = "interface"        // enN, Linux addresses on a netdev
	Virtual      Kind = "virtual-adapter"  // l-lan, ibmveth
	VNIC         Kind = "vnic"             // SR-IOV vNIC client
	SEA          Kind = "sea"              // Shared Ethernet Adapter
	EtherChannel Kind = "etherchannel"     // ibm_ech, bonding
	Physical     Kind = "physical-adapter" // physical or SR-IOV port
	VLANDevice   Kind = "vlan"             // VLAN pseudo device
	Patch        Kind = "patch-port"       // an end of what joins two bridges of Open vSwitch
	TunnelPort   Kind = "tunnel-port"      // of Open vSwitch
	Adapter      Kind = "adapter"          // no output says what it is
)

// GuestDrivers are those of the ports that machines of other hypervisors have: neither physical nor on the
// hypervisor switch of a Power system, they are interfaces.
var GuestDrivers = []string{"virtio_net", "vmxnet3", "hv_netvsc", "netvsc", "xen_netfront", "vif"}

// Element is one part of a host's network stack. What only some kinds have stands in
// structs of their own, which are empty elsewhere. Which element is connected to which
// is a question for package graph.
type Element struct {
	Name     string `json:"name"`
	Kind     Kind   `json:"kind"`
	Driver   string `json:"driver,omitempty"`   // device type as printed, e.g. "Virtual I/O Ethernet Adapter (l-lan)"
	State    string `json:"state,omitempty"`    // Available, Defined
	Location string `json:"location,omitempty"` // physical location code
	MAC      string `json:"mac,omitempty"`      // aa:bb:cc:dd:ee:ff
	LinkUp   *bool  `json:"link_up,omitempty"`
	Up       *bool  `json:"up,omitempty"` // administratively: UP flag of an interface

	PortFacts

	// What drivers and the ODM say.
	Flags    []string         `json:"flags,omitempty"`     // driver or interface flags as printed
	FlagsCut bool             `json:"flags_cut,omitempty"` // the list is damaged: a flag that is not in it may be set
	Attrs    map[string]*Attr `json:"attrs,omitempty"`
	CountedS *int64           `json:"counted_s,omitempty"` // seconds since the counters began, where the driver prints it (Elapsed Time)
	Counters Counters         `json:"counters,omitzero"`   // by printed name, prefixed "tx." or "rx." where two columns share a label

	// Sources are the outputs that counters and states were read from, where they are not those that usually show them.
	Sources []Source `json:"-"`

	// An interface has them; on Linux, where interface and adapter are one, every kind.
	Addrs []netip.Prefix `json:"addrs,omitempty"`

	// How elements build on each other, by name on the same host.
	On       string   `json:"on,omitempty"`        // interface: its adapter; VLAN device: its base; tunnel: what its packets leave by
	Members  []string `json:"members,omitempty"`   // EtherChannel, bridge of a Linux host
	Peer     string   `json:"peer,omitempty"`      // patch port, end of a virtual cable: the other end on this host
	MemberOf string   `json:"member_of,omitempty"` // the SEA, EtherChannel or bridge that owns an adapter or port

	SEAFacts
	VirtualFacts
	VNICFacts
	EtherChannelFacts
	TapFacts

	// Linux: what sets it up at boot; nil: not read.
	Persistence *Persistence `json:"persistence,omitempty"`
}

// Source is an output and what was read from it.
type Source struct {
	Command string
	Of      []string // names of counters; LinkState and its like
}

// What a Source can be of, apart from counters.
const (
	LinkState = "link state"
	LinkSpeed = "link speed"
)

// Source is the command whose output a counter or a state was read from; empty where it is the one that usually shows it.
func (e *Element) Source(of string) string {
	for _, s := range slices.Backward(e.Sources) {
		if slices.Contains(s.Of, of) {
			return s.Command
		}
	}
	return ""
}

// PortFacts are those of a physical port; a vNIC has a speed, too.
type PortFacts struct {
	SpeedMb     *int64 `json:"speed_mbit,omitempty"`
	FlowControl *bool  `json:"flow_control,omitempty"` // pause frames are in force, which takes both ends
	Product     string `json:"product,omitempty"`      // feature code and card id of AIX's adapters: EN0H 2CE3
	Firmware    string `json:"firmware,omitempty"`     // level of its microcode
	Module      string `json:"module,omitempty"`       // AIX: its driver, mlxentdd; the device type is in Driver
	PortShare
}

// PortShare are the shares that an SR-IOV logical port has of its physical port, in per cent.
type PortShare struct {
	Capacity    *float64 `json:"capacity,omitempty"`     // guaranteed
	MaxCapacity *float64 `json:"max_capacity,omitempty"` // largest
	// What an HMC lists of the physical port: its logical ports, and the sum of their largest shares in per cent (nil where one
	// is not known).
	Sharers    *int     `json:"sharers,omitempty"`
	SharersMax *float64 `json:"sharers_max,omitempty"`
}

// SEAFacts are those of a Shared Ethernet Adapter; adapters are names on its host.
type SEAFacts struct {
	Real    string      `json:"real,omitempty"`    // adapter to the outside
	Trunks  []string    `json:"trunks,omitempty"`  // virtual adapters
	Control string      `json:"control,omitempty"` // virtual adapter of the control channel
	Clients []SEAClient `json:"clients,omitempty"` // those that its statistics name (seastat -d)

	// High availability as entstat prints it; empty if not configured.
	HAState    string `json:"ha_state,omitempty"`
	BridgeMode string `json:"bridge_mode,omitempty"` // All, Partial, None
	Shared     []int  `json:"shared,omitempty"`      // VLANs that it bridges of those it shares with its pair
}

// VirtualFacts are those of a virtual Ethernet adapter. A VLAN device has its tag in
// VLANs, a port of Open vSwitch in PVID, and an SEA the priority of its trunk adapters.
type VirtualFacts struct {
	Buffers  []Buffer `json:"buffers,omitempty"` // receive pools
	PVID     *int     `json:"pvid,omitempty"`
	VLANs    []int    `json:"vlans,omitempty"` // tagged
	VSwitch  string   `json:"vswitch,omitempty"`
	Trunk    *bool    `json:"trunk,omitempty"`
	Bridges  *bool    `json:"bridges,omitempty"`        // a trunk adapter carries its VLANs now: of two SEAs that share, each does with some
	Priority *int     `json:"trunk_priority,omitempty"` // of a trunk adapter: the lowest number goes first
}

// VNICFacts are those of a vNIC client.
type VNICFacts struct {
	Backing      []Backing `json:"backing,omitempty"`       // the devices that can carry it, the active one first if known
	ListedBy     string    `json:"listed_by,omitempty"`     // the HMC that lists them: there are no others
	AutoFailover *bool     `json:"auto_failover,omitempty"` // it goes back to the operational device of the lowest number
}

// EtherChannelFacts are those of an EtherChannel or bond.
type EtherChannelFacts struct {
	Channel string `json:"channel,omitempty"` // with a backup adapter: what carries its frames, "primary" or "backup"
}

// TapFacts join a virtual machine to its KVM host.
type TapFacts struct {
	Guest   *Guest   `json:"guest,omitempty"`   // tap device: the virtual machine that it leads to
	Learned []string `json:"learned,omitempty"` // tap device: the MAC addresses that its bridge has learned there
	Tap     *Ref     `json:"tap,omitempty"`     // port of a virtual machine: the tap device of its host
}

// Attr is one attribute. An empty string can be a value; nil means not known.
type Attr struct {
	Name     string   `json:"name"`
	Running  *string  `json:"running,omitempty"`
	NextBoot *string  `json:"next_boot,omitempty"`
	Default  *string  `json:"default,omitempty"`
	Allowed  []string `json:"allowed,omitempty"` // lsattr -R, as printed
	Settable *bool    `json:"settable,omitempty"`
	From     []Origin `json:"from,omitempty"` // where the values were read
}

// Current is the running value, or that of the next boot where only it is
// known; "" when a is nil or neither is.
func (a *Attr) Current() string {
	switch {
	case a == nil:
		return ""
	case a.Running != nil:
		return *a.Running
	case a.NextBoot != nil:
		return *a.NextBoot
	}
	return ""
}

// Origin names the output line a value came from.
type Origin struct {
	Command string `json:"command"`
	Line    int    `json:"line,omitempty"` // 1-based
	Text    string `json:"text,omitempty"`
}

// Buffer is one receive pool; nil means not printed.
type Buffer struct {
	Pool             string  `json:"pool"` // Tiny, Control, Small, Medium, Large, Huge
	Min              *uint64 `json:"min,omitempty"`
	Max              *uint64 `json:"max,omitempty"`
	Allocated        *uint64 `json:"allocated,omitempty"`
	Registered       *uint64 `json:"registered,omitempty"`
	MaxAllocated     *uint64 `json:"max_allocated,omitempty"`
	LowestRegistered *uint64 `json:"lowest_registered,omitempty"`
}

// SEAClient is a client whose frames an SEA counted.
type SEAClient struct {
	MAC  string `json:"mac"`            // aa:bb:cc:dd:ee:ff
	VLAN *int   `json:"vlan,omitempty"` // of its tagged frames
	IP   string `json:"ip,omitempty"`
}

// Backing is a port of a VIOS that can carry a vNIC.
type Backing struct {
	VIOS        string `json:"vios"`                   // the partition's name, as the HMC or the VIOS has it
	Host        string `json:"host,omitempty"`         // the VIOS, if it was read
	Device      string `json:"device,omitempty"`       // entN there
	Server      string `json:"server,omitempty"`       // vnicserverN there
	Active      *bool  `json:"active,omitempty"`       // it carries the vNIC now
	State       string `json:"state,omitempty"`        // as printed
	Ready       *bool  `json:"ready,omitempty"`        // it carries the vNIC, or can
	Priority    *int   `json:"priority,omitempty"`     // of failover: the lowest number goes first
	LogicalPort string `json:"logical_port,omitempty"` // the HMC's id of it
	Port        string `json:"port,omitempty"`         // the physical port: the HMC's ids of adapter and port, 1/0
	PortShare
}

// Backup is the adapter that an EtherChannel keeps for the loss of its members;
// empty if it has none, or was not asked.
func (e *Element) Backup() string {
	if b := e.Attrs["backup_adapter"].Current(); b != "NONE" {
		return b
	}
	return ""
}
