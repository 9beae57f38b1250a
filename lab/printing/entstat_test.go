package printing_test

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"seaworthy/internal/parse"
	"seaworthy/internal/parse/aix/entstat"
	"seaworthy/internal/test/codectest"
	"seaworthy/lab/printing"
)

func num(n uint64) *uint64 { return &n }
func yes(b bool) *bool     { return &b }
func mbit(n int64) *int64  { return &n }

// entstatText is a text about one adapter, with its members.
type entstatText struct {
	*entstat.Statistics
	parse.Report
}

func readAdapter(t *testing.T, text string) entstatText {
	t.Helper()
	l, err := entstat.Parse([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	all := l.Adapters()
	if len(all) != 1 {
		t.Fatalf("got %d adapters, want one", len(all))
	}
	return entstatText{all[0], l.Report}
}

// seed makes counters that are all different, so that one in the wrong place
// or on the wrong member shows.
func seed(base uint64) map[string]uint64 {
	all := map[string]uint64{}
	for i, name := range []string{"tx.Packets", "rx.Packets", "tx.Bytes", "rx.Bytes", "tx.Transmit Errors", "rx.Receive Errors",
		"tx.Packets Dropped", "rx.Packets Dropped", "rx.Bad Packets", "S/W Transmit Queue Overflow", "Current S/W+H/W Transmit Queue Length",
		"tx.Broadcast Packets", "rx.Broadcast Packets", "rx.Multicast Packets", "rx.CRC Errors", "rx.No Resource Errors", "Multiple Collision Count",
		"No mbuf Errors", "Adapter Reset Count", "Adapter Data Rate"} {
		all[name] = base + uint64(i)*7
	}
	return all
}

func as(role entstat.Role, a *printing.Adapter) *printing.Adapter {
	a.Role = role
	return a
}

func sampleVirtual(name string, base uint64) *printing.Adapter {
	elapsed := 26*time.Hour + 3*time.Minute + 9*time.Second
	return &printing.Adapter{Head: printing.Head{
		Name: name, DeviceType: "Virtual I/O Ethernet Adapter (l-lan)", HardwareAddress: "0a:11:22:33:44:55", Elapsed: &elapsed,
		Counters: seed(base),
		Flags:    []string{"Up", "Broadcast", "Running", "Simplex", "64BitSupport", "ChecksumOffload", "LargeSend", "VIOENT"},
	}, Virtual: &entstat.Virtual{
		RQLength: num(4481), Trunk: yes(true), Priority: num(1), Active: yes(true), LANState: "Operational",
		SendFailures: num(base + 1), ReceiverFailures: num(base + 2), SendErrors: num(base + 3), ReceiveFailures: num(base + 4),
		InvalidVLAN: num(base + 5),
		PVID:        num(99), VLANs: []int{10, 20, 30, 40, 50, 60, 70, 80, 90, 100, 4094}, VLANsKnown: true,
		SwitchID: "ETHERNET0", SwitchMode: "VEB",
		TransmitBufferSize: num(65536), TransmitBuffers: num(32), TransmitNoBuffers: num(base + 6),
		Pools: []entstat.Pool{
			{Name: "Tiny", Min: num(512), Max: num(2048), Allocated: num(513), Registered: num(511), MaxAllocated: num(600), LowestRegistered: num(500)},
			{Name: "Small", Min: num(514), Max: num(2049), Allocated: num(515), Registered: num(510), MaxAllocated: num(2047), LowestRegistered: num(3)},
			{Name: "Medium", Min: num(128), Max: num(256), Allocated: num(129), Registered: num(127), MaxAllocated: num(130), LowestRegistered: num(120)},
			{Name: "Large", Min: num(24), Max: num(64), Allocated: num(25), Registered: num(23), MaxAllocated: num(26), LowestRegistered: num(22)},
			{Name: "Huge", Min: num(27), Max: num(65), Allocated: num(28), Registered: num(21), MaxAllocated: num(66), LowestRegistered: num(20)},
		},
		BufferMode: "Max Min", PlatformLargeSend: yes(true), PlatformLargeSendPackets: num(base + 7),
		TotalLargeSendPackets: num(base + 8), PlatformLargeSendDropped: num(base + 9),
	}}
}

func samplePhysical(name string, base uint64) *printing.Adapter {
	return &printing.Adapter{Head: printing.Head{
		Name: name, DeviceType: "2-Port 10 Gigabit Ethernet Adapter (a219100714100904)", HardwareAddress: "00:1a:64:00:00:01",
		Counters: seed(base), Flags: []string{"Up", "Broadcast", "Running", "Simplex", "LargeSend"},
	}, Physical: &printing.Physical{
		LinkUp: yes(true), MediaSelected: "Auto negotiation", SpeedMbit: mbit(10000), JumboFrames: yes(true),
		LargeSend: yes(true), LargeSends: num(base + 1), LargeReceive: yes(false), LargeReceives: num(base + 2),
		FlowControl: yes(true), XOFFSent: num(base + 3), XONSent: num(base + 4), XOFFReceived: num(base + 5), XONReceived: num(base + 6),
	}}
}

func sampleChannel(name string) *printing.Adapter {
	return &printing.Adapter{Head: printing.Head{
		Name: name, DeviceType: "IEEE 802.3ad Link Aggregation", HardwareAddress: "00:1a:64:00:00:01",
		Counters: seed(2_000_000), Flags: []string{"Up", "Broadcast", "Running", "ETHERCHANNEL"},
	}, Channel: &entstat.Channel{
		Primary: num(2), Backup: num(0), Active: "primary channel", OperatingMode: "Standard mode (IEEE 802.3ad)",
		Aggregation: "Aggregated", Interval: "Long", HashMode: "Source and destination TCP/UDP ports", MACSwap: "disabled",
	}, Members: []*printing.Adapter{samplePhysical("ent0", 3_000_000), samplePhysical("ent1", 4_000_000)}}
}

func sampleBridge() *printing.Adapter {
	side := func(base uint64) map[string]uint64 {
		return map[string]uint64{"Packets received": base, "Packets bridged": base + 1, "Packets dropped": base + 2, "Packets dropped(VlanId)": base + 3}
	}
	return &printing.Adapter{Head: printing.Head{
		Name: "ent8", DeviceType: "Shared Ethernet Adapter", HardwareAddress: "00:1a:64:00:00:01",
		Counters: seed(1_000_000), Flags: []string{"Up", "Broadcast", "Running", "SEA", "VIRTUAL_PORT"},
	}, Bridge: &entstat.Bridge{
		Adapters: num(2), FlagWord: "00000003", Flags: []string{"THREAD", "LARGESEND"},
		VLANs: []entstat.TrunkVLANs{{Adapter: "ent4", IDs: []int{99, 10, 20}}},
		Real:  side(11_000), Virtual: side(12_000), Other: map[string]uint64{"Thread queue overflow packets": 13_000},
		HA: &entstat.HA{State: "PRIMARY", BridgeMode: "All", Mode: "Auto", Priority: num(1), ControlPVID: num(4095), ControlIn: num(14_000),
			ControlOut: num(14_001), KeepAlive: num(14_002), Recovery: num(14_003), Notify: num(14_004), Limbo: num(14_005),
			BecameBackup: num(14_006), BecamePrimary: num(14_007)},
	}, Members: []*printing.Adapter{
		as(entstat.RealAdapter, sampleChannel("ent6")), as(entstat.VirtualAdapter, sampleVirtual("ent4", 5_000_000)),
		as(entstat.ControlChannel, sampleVirtual("ent5", 6_000_000)),
	}}
}

// TestFormatEntstat prints every block, and reads it back.
func TestFormatEntstat(t *testing.T) {
	for file, a := range map[string]*printing.Adapter{
		"virtual.txt":  sampleVirtual("ent0", 100_000),
		"physical.txt": samplePhysical("ent1", 200_000),
		"channel.txt":  sampleChannel("ent2"),
		"sea.txt":      sampleBridge(),
	} {
		t.Run(file, func(t *testing.T) {
			text := printing.FormatEntstat(a)
			codectest.Golden(t, *update, "entstat_"+file, text)
			s := readAdapter(t, string(text))
			if n := len(s.Unknown) + len(s.Warnings); n > 0 {
				t.Errorf("what FormatEntstat prints is not understood: %v %v", s.Unknown, s.Warnings)
			}
			sameAdapter(t, a, s.Statistics)
		})
	}
}

// sameAdapter compares what was printed with what was read, members too.
func sameAdapter(t *testing.T, a *printing.Adapter, s *entstat.Statistics) {
	t.Helper()
	check := func(what string, want, got any) {
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s %s (-printed +read):\n%s", a.Name, what, diff)
		}
	}
	check("name", []string{a.Name, a.DeviceType, a.HardwareAddress, string(a.Role)}, []string{s.Name, s.DeviceType(), s.HardwareAddress(), string(s.Role)})
	check("elapsed", a.Elapsed, s.Elapsed())
	check("flags", a.Flags, s.Flags())
	all := s.Counters()
	for name, want := range a.Counters {
		check(name, want, all[name])
	}
	if p := a.Physical; p != nil {
		up, speed := s.Link()
		check("link", []any{p.LinkUp, p.SpeedMbit}, []any{up, speed})
		check("offloads", []*bool{p.LargeSend, p.LargeReceive, p.JumboFrames, p.FlowControl, p.TransmitChecksum},
			[]*bool{s.Offload(entstat.LargeSend), s.Offload(entstat.LargeReceive), s.Offload(entstat.JumboFrames),
				s.Offload(entstat.FlowControl), s.Offload(entstat.TransmitChecksum)})
		check("pause frames", []uint64{*p.XOFFSent, *p.XONReceived}, []uint64{all["Number of XOFF packets transmitted"], all["Number of XON packets received"]})
	} else {
		check("virtual", a.Virtual, s.Virtual())
	}
	check("channel", a.Channel, s.Channel())
	check("bridge", a.Bridge, s.Bridge())
	check("LACP", a.LACP, s.LACP())
	if len(a.Members) != len(s.Members) {
		t.Fatalf("%s: got %d members, want %d", a.Name, len(s.Members), len(a.Members))
	}
	for i, m := range a.Members {
		sameAdapter(t, m, s.Members[i])
	}
}

// TestFormatEntstatWithoutBlocks leaves out everything that a lab may not be able to measure.
func TestFormatEntstatWithoutBlocks(t *testing.T) {
	s := readAdapter(t, string(printing.FormatEntstat(&printing.Adapter{
		Head:    printing.Head{Name: "ent0", DeviceType: "Virtual I/O Ethernet Adapter (l-lan)", Counters: map[string]uint64{"tx.Packets": 5}},
		Virtual: &entstat.Virtual{LANState: "Operational", PVID: num(1), VLANsKnown: true}})))
	if v := s.Virtual(); v == nil || v.Pools != nil || v.ReceiveFailures != nil || v.Trunk != nil || v.BufferMode != "" || !v.VLANsKnown {
		t.Errorf("got %+v, want only LAN state, PVID and an empty VLAN list", v)
	}
	if _, ok := s.Counters()["rx.Packets"]; ok {
		t.Error("a counter that was not given reads as known")
	}
	if s.Flags() != nil {
		t.Error("flags that were not given read as known")
	}
}

// What is built is printed as a switch's answer is, and read back as it was.
func TestFormatEntstatLACP(t *testing.T) {
	want := entstat.LACP{
		Actor: entstat.LACPState{SystemPriority: "0x8000", System: "02-00-00-00-00-03", Key: "0xBEEF", PortPriority: "0x0080", Port: "0x0001", Activity: "Active", Timeout: "Long",
			Aggregation: "Aggregatable", Synchronization: "IN_SYNC", Collecting: "Enabled", Distributing: "Enabled", Defaulted: "False", Expired: "False"},
		Partner: entstat.LACPState{SystemPriority: "0x0000", System: "02-00-00-00-00-09", Key: "0x0002", PortPriority: "0x0000", Port: "0x0017", Activity: "Passive", Timeout: "Short",
			Aggregation: "Individual", Synchronization: "OUT_OF_SYNC", Collecting: "Disabled", Distributing: "Disabled", Defaulted: "True", Expired: "True"},
	}
	text := string(printing.FormatEntstat(&printing.Adapter{Head: printing.Head{Name: "ent0", DeviceType: "2-Port 10/100/1000 Base-TX PCI-X Adapter (14108902)"}, LACP: &want}))
	got := readAdapter(t, text)
	if diff := cmp.Diff(&want, got.LACP()); diff != "" {
		t.Errorf("read back (-want +got):\n%s\n%s", diff, text)
	}
	for _, line := range []string{"IEEE 802.3ad Port Statistics:\n----", "\n\tActor State: \n\t\tLACP activity: Active\n", "\n\n\tPartner System Priority: 0x0000\n"} {
		if !strings.Contains(text, line) {
			t.Errorf("%q is missing in\n%s", line, text)
		}
	}
}

func TestFormatEntstatSharedVLANs(t *testing.T) {
	made := printing.FormatEntstat(&printing.Adapter{Head: printing.Head{Name: "ent9"}, Bridge: &entstat.Bridge{HA: &entstat.HA{State: "BACKUP_SH", Shared: []int{2, 20}}}})
	if !strings.Contains(string(made), "VID shared: 2 20\n") {
		t.Errorf("got\n%s\nwant a line VID shared: 2 20", made)
	}
}
