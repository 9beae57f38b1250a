package wire

import (
	"net/netip"
	"time"

	"seaworthy/lab/topology"
)

// End is one network device in one namespace.
type End struct {
	Namespace string
	Device    string
}

// Settings is the wanted state of an end. It is complete: Apply changes what differs.
type Settings struct {
	Up         bool
	MTU        int
	TSO        bool // TCP segmentation offload, with GSO: frames of 64 KB may leave by this end
	GSO        bool // the kernel cuts what this end cannot, just above the driver; with TSO it does so anyway
	GRO        bool // received segments are aggregated at this end
	Segments   int  // most segments that TCP hands to this end at once; 0: what 64 KB hold
	TxChecksum bool
	RxChecksum bool
	RxQueues   int    // queues that arriving frames are spread over, each polled by itself; 0: left alone
	TxQueues   int    // queues of leaving frames, likewise
	RateBits   uint64 // token bucket at line rate on egress; 0: none
	QueueBytes uint32 // what may wait before the token bucket; 0: 4 MB
	Line       string // device of the same namespace that shares its RateBits among those that name it; empty: the rate is this end's own
	Addresses  []netip.Prefix
	Unplugged  bool          // not a port of its bridge now: it carries nothing there
	Own        bool          // the node's own once it is set up: from then on only Segments, Loss and Damage follow
	Gateway    netip.Addr    // of an Own end: its default route; invalid: none
	Routes     []Route       // of an Own end: its static routes
	NoARP      bool          // answers nobody: a port of an EtherChannel
	Loss       uint32        // share of the arriving frames that is lost, in millionths
	Damage     uint32        // share that is damaged while many arrive: the far end has another duplex
	Delay      time.Duration // of what a bridge passes from here or to here; of ports of the Ethernet switch only
}

// late says whether frames wait at an end for a receiver.
func (w Settings) late() bool { return w.RateBits > 0 && w.QueueBytes > 0 }

// Aggregate is how the frames of an EtherChannel, or of the switch's end of
// it, are spread over its ports now.
type Aggregate struct {
	Ports []string // devices of the same namespace that carry frames, in order
	Hash  string   // hash_mode, or round_robin
}

// State is the wanted state of a lab's kernel side.
type State struct {
	Ends    map[End]Settings
	Routes  map[string][]Route           // by namespace
	Sysctls map[string]map[string]string // by namespace: net.ipv4.tcp_rmem -> value
	LAGs    map[End]Aggregate            // by the device that spreads: a Place Distributor
}

// Route is a static route of a namespace.
type Route struct {
	To  netip.Prefix // 0.0.0.0/0: default
	Via netip.Addr
}

// Stats are the kernel's counters of an end since it was made.
type Stats struct {
	TxPackets, TxBytes, TxErrors, TxDropped uint64
	RxPackets, RxBytes, RxErrors, RxDropped uint64
	Multicast, CRCErrors                    uint64
}

// GatewayEnd are the settings of an end of the switch's own interface.
func GatewayEnd(sw topology.Switch, d Device) Settings {
	s := Settings{Up: true, MTU: sw.GatewayMTU, TxChecksum: true, RxChecksum: true}
	for _, g := range sw.Gateways {
		if g.VLAN == d.VLAN && d.Place == Gateway {
			s.Addresses = g.Addresses
		}
	}
	return s
}

// GatewaySysctls are those of the switch: each of its interfaces answers for
// its own addresses only, and it does not route between VLANs, which no lab's
// path needs.
func GatewaySysctls() map[string]string {
	return map[string]string{"net.ipv4.conf.all.arp_ignore": "1", "net.ipv4.ip_forward": "0"}
}
