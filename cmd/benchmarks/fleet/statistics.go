package fleet

import (
	"fmt"
	"time"

	"seaworthy/dialect/aix/entstat"
)

func count(n uint64) *uint64 { return &n }

func truth(b bool) *bool { return &b }

// statistics adds an adapter's entstat -d.
func (h *host) statistics(name string, s *entstat.Statistics) {
	h.ran("entstat-d", name, "", "entstat -d "+name, entstat.Format(s))
}

// head is what all drivers print, with traffic drawn.
func (h *host) head(name, device, mac string, flags ...string) entstat.Head {
	elapsed := 40*24*time.Hour + time.Duration(h.rng.IntN(86400))*time.Second
	c := map[string]uint64{}
	for _, n := range entstat.HeadCounters() {
		c[n] = 0
	}
	for _, n := range []string{"tx.Packets", "rx.Packets", "tx.Interrupts", "rx.Interrupts"} {
		c[n] = h.rng.Uint64N(1 << 34)
	}
	c["tx.Bytes"], c["rx.Bytes"] = c["tx.Packets"]*1180, c["rx.Packets"]*1420
	c["tx.Broadcast Packets"], c["rx.Broadcast Packets"] = h.rng.Uint64N(1<<20), h.rng.Uint64N(1<<24)
	c["Adapter Data Rate"] = 20000
	return entstat.Head{Name: name, DeviceType: device, HardwareAddress: mac, Elapsed: &elapsed, Counters: c,
		Flags: append([]string{"Up", "Broadcast", "Running", "Simplex", "64BitSupport", "ChecksumOffload", "DataRateSet"}, flags...)}
}

// pool sizes of the l-lan driver: minimum and maximum.
var pools = []struct {
	name     string
	min, max uint64
}{{"Tiny", 512, 2048}, {"Small", 512, 2048}, {"Medium", 128, 256}, {"Large", 24, 64}, {"Huge", 24, 64}}

// lan is the block of the l-lan driver. Pools are at their maximum from the
// start, except where they starved: those grew to it.
func (h *host) lan(pvid int, starved bool) entstat.Virtual {
	v := entstat.Virtual{
		RQLength: count(4481), LANState: "Operational", PVID: count(uint64(pvid)), VLANsKnown: true, SwitchID: "ETHERNET0", SwitchMode: "VEB",
		SendFailures: count(0), ReceiverFailures: count(0), SendErrors: count(0), ReceiveFailures: count(0), InvalidVLAN: count(0),
		TransmitBufferSize: count(65536), TransmitBuffers: count(32), TransmitNoBuffers: count(0), Trunk: truth(false), BufferMode: "Max Min",
	}
	if starved {
		v.BufferMode = "Min"
		v.ReceiveFailures = count(1 + h.rng.Uint64N(90000))
	}
	for _, p := range pools {
		least, grown, low := p.max, p.max, p.max-p.max/8
		if starved {
			least, grown, low = p.min, p.min, p.min-p.min/8
			if p.name == "Small" {
				grown, low = p.max, 3
			}
		}
		v.Pools = append(v.Pools, entstat.Pool{Name: p.name, Min: count(least), Max: count(p.max), Allocated: count(grown), Registered: count(grown),
			MaxAllocated: count(grown), LowestRegistered: count(low)})
	}
	return v
}

// client is an LPAR's adapter.
func (h *host) client(name, mac string, vlan int, starved bool) *entstat.Statistics {
	head := h.head(name, "Virtual I/O Ethernet Adapter (l-lan)", mac, "LargeSend", "VIOENT")
	v := h.lan(vlan, starved)
	if v.ReceiveFailures != nil {
		head.Counters["rx.No Resource Errors"] = *v.ReceiveFailures
	}
	s := entstat.New(head)
	s.AddVirtual(v)
	return s
}

// trunk is a VIOS's adapter on a VLAN.
func (h *host) trunk(name, mac string, vlan int, owner bool) *entstat.Statistics {
	s := entstat.New(h.head(name, "Virtual I/O Ethernet Adapter (l-lan)", mac, "LargeSend", "VIOENT", "Promiscuous"))
	v := h.lan(vlan, false)
	if owner {
		v.Trunk, v.Priority, v.Active = truth(true), count(uint64(h.number)), truth(h.number == 1)
	}
	s.AddVirtual(v)
	return s
}

// port is a physical adapter.
func (h *host) port(name, mac string, b bridge) *entstat.Statistics {
	s := entstat.New(h.head(name, "PCIe3 2-Port 10GbE NIC&ROCE SR Adapter", mac, "LargeSend", "SEA_ELEM"))
	speed := int64(10000)
	s.AddPhysical(entstat.Physical{LinkUp: truth(true), MediaSelected: "Auto negotiation", SpeedMbit: &speed, JumboFrames: truth(b.jumbo),
		LargeSend: truth(true), LargeSends: count(h.rng.Uint64N(1 << 30)), LargeReceive: truth(b.receive), LargeReceives: count(h.rng.Uint64N(1 << 30)),
		FlowControl: truth(true), XOFFSent: count(0), XONSent: count(0), XOFFReceived: count(0), XONReceived: count(0)})
	return s
}

// bridge is how the SEAs of a system are set.
type bridge struct{ receive, threads, jumbo bool }

// channel is the EtherChannel of both ports.
func (h *host) channel(b bridge) *entstat.Statistics {
	s := entstat.New(h.head("ent2", "IEEE 802.3ad Link Aggregation", h.mac(0), "LargeSend", "SEA_ELEM"))
	s.AddChannel("IEEE 802.3ad Link Aggregation", entstat.Channel{Primary: count(2), Backup: count(0), Active: "primary channel",
		OperatingMode: "Standard mode (IEEE 802.3ad)", Aggregation: "Aggregated", Interval: "Long", HashMode: "Source and destination port", MACSwap: "Disabled"})
	for i := range 2 {
		s.AddMember("", h.port(fmt.Sprintf("ent%d", i), h.mac(i), b))
	}
	return s
}

// bridgeStatistics adds entstat -d of the SEA and of each adapter below it.
func (h *host) bridgeStatistics(b bridge) {
	head := h.head("ent6", "Shared Ethernet Adapter", h.mac(0), "SEA")
	head.Counters["Adapter Data Rate"] = 0
	s := entstat.New(head)
	v := entstat.Bridge{Adapters: count(3), Flags: []string{"LARGESEND"},
		VLANs: []entstat.TrunkVLANs{{Adapter: "ent3", IDs: []int{production}}, {Adapter: "ent4", IDs: []int{backup}}},
		Real:  map[string]uint64{"Packets received": h.rng.Uint64N(1 << 34), "Packets bridged": h.rng.Uint64N(1 << 34), "Packets transmitted": h.rng.Uint64N(1 << 34), "Packets dropped": 0},
		Virtual: map[string]uint64{"Packets received": h.rng.Uint64N(1 << 34), "Packets bridged": h.rng.Uint64N(1 << 34), "Packets transmitted": h.rng.Uint64N(1 << 34),
			"Packets dropped": 0},
		Other: map[string]uint64{"Output packets generated": 0, "Output packets dropped": 0, "Device output failures": 0, "Memory allocation failures": 0},
		HA: &entstat.HA{State: "PRIMARY", BridgeMode: "All", Mode: "Auto", Priority: count(uint64(h.number)), ControlPVID: count(control),
			ControlIn: count(h.rng.Uint64N(1 << 20)), ControlOut: count(h.rng.Uint64N(1 << 24)), KeepAlive: count(h.rng.Uint64N(1 << 20)),
			BecameBackup: count(0), BecamePrimary: count(1)},
	}
	if h.number != 1 {
		v.HA.State, v.HA.BridgeMode = "BACKUP", "None"
	}
	if b.threads {
		v.Flags = append(v.Flags, "THREAD")
	}
	if b.receive {
		v.Flags = append(v.Flags, "LARGE_RECEIVE")
	}
	s.AddBridge(v)
	s.AddMember(entstat.RealAdapter, h.channel(b))
	s.AddMember(entstat.VirtualAdapter, h.trunk("ent3", h.mac(3), production, true))
	s.AddMember(entstat.VirtualAdapter, h.trunk("ent4", h.mac(4), backup, true))
	s.AddMember(entstat.ControlChannel, h.trunk("ent5", h.mac(5), control, false))
	h.statistics("ent6", s)
	h.statistics("ent2", h.channel(b))
	h.statistics("ent3", h.trunk("ent3", h.mac(3), production, true))
	h.statistics("ent4", h.trunk("ent4", h.mac(4), backup, true))
}
