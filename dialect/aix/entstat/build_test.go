package entstat_test

import (
	"flag"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"seaworthy/dialect/aix/entstat"
	"seaworthy/dialect/codectest"
)

var update = flag.Bool("update", false, "write the golden files")

func num(n uint64) *uint64 { return &n }
func yes(b bool) *bool     { return &b }
func mbit(n int64) *int64  { return &n }

// seed makes counters that are all different, so that one in the wrong place
// or on the wrong member shows.
func seed(base uint64) map[string]uint64 {
	all := map[string]uint64{}
	for i, name := range entstat.HeadCounters() {
		all[name] = base + uint64(i)*7
	}
	return all
}

func sampleVirtual(name string, base uint64) *entstat.Statistics {
	elapsed := 26*time.Hour + 3*time.Minute + 9*time.Second
	s := entstat.New(entstat.Head{
		Name: name, DeviceType: "Virtual I/O Ethernet Adapter (l-lan)", HardwareAddress: "0a:11:22:33:44:55", Elapsed: &elapsed,
		Counters: seed(base),
		Flags:    []string{"Up", "Broadcast", "Running", "Simplex", "64BitSupport", "ChecksumOffload", "LargeSend", "VIOENT"},
	})
	s.AddVirtual(entstat.Virtual{
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
	})
	return s
}

func samplePhysical(name string, base uint64) *entstat.Statistics {
	s := entstat.New(entstat.Head{
		Name: name, DeviceType: "2-Port 10 Gigabit Ethernet Adapter (a219100714100904)", HardwareAddress: "00:1a:64:00:00:01",
		Counters: seed(base), Flags: []string{"Up", "Broadcast", "Running", "Simplex", "LargeSend"},
	})
	s.AddPhysical(entstat.Physical{
		LinkUp: yes(true), MediaSelected: "Auto negotiation", SpeedMbit: mbit(10000), JumboFrames: yes(true),
		LargeSend: yes(true), LargeSends: num(base + 1), LargeReceive: yes(false), LargeReceives: num(base + 2),
		FlowControl: yes(true), XOFFSent: num(base + 3), XONSent: num(base + 4), XOFFReceived: num(base + 5), XONReceived: num(base + 6),
	})
	return s
}

func sampleChannel(name string) *entstat.Statistics {
	s := entstat.New(entstat.Head{
		Name: name, DeviceType: "IEEE 802.3ad Link Aggregation", HardwareAddress: "00:1a:64:00:00:01",
		Counters: seed(2_000_000), Flags: []string{"Up", "Broadcast", "Running", "ETHERCHANNEL"},
	})
	s.AddChannel("IEEE 802.3ad Link Aggregation", entstat.Channel{
		Primary: num(2), Backup: num(0), Active: "primary channel", OperatingMode: "Standard mode (IEEE 802.3ad)",
		Aggregation: "Aggregated", Interval: "Long", HashMode: "Source and destination TCP/UDP ports", MACSwap: "disabled",
	})
	s.AddMember("", samplePhysical("ent0", 3_000_000))
	s.AddMember("", samplePhysical("ent1", 4_000_000))
	return s
}

func sampleBridge() *entstat.Statistics {
	s := entstat.New(entstat.Head{
		Name: "ent8", DeviceType: "Shared Ethernet Adapter", HardwareAddress: "00:1a:64:00:00:01",
		Counters: seed(1_000_000), Flags: []string{"Up", "Broadcast", "Running", "SEA", "VIRTUAL_PORT"},
	})
	side := func(base uint64) map[string]uint64 {
		return map[string]uint64{"Packets received": base, "Packets bridged": base + 1, "Packets dropped": base + 2, "Packets dropped(VlanId)": base + 3}
	}
	s.AddBridge(entstat.Bridge{
		Adapters: num(2), FlagWord: "00000003", Flags: []string{"THREAD", "LARGESEND"},
		VLANs: []entstat.TrunkVLANs{{Adapter: "ent4", IDs: []int{99, 10, 20}}},
		Real:  side(11_000), Virtual: side(12_000), Other: map[string]uint64{"Thread queue overflow packets": 13_000},
		HA: &entstat.HA{State: "PRIMARY", BridgeMode: "All", Mode: "Auto", Priority: num(1), ControlPVID: num(4095), ControlIn: num(14_000),
			ControlOut: num(14_001), KeepAlive: num(14_002), Recovery: num(14_003), Notify: num(14_004), Limbo: num(14_005),
			BecameBackup: num(14_006), BecamePrimary: num(14_007)},
	})
	s.AddMember(entstat.RealAdapter, sampleChannel("ent6"))
	s.AddMember(entstat.VirtualAdapter, sampleVirtual("ent4", 5_000_000))
	s.AddMember(entstat.ControlChannel, sampleVirtual("ent5", 6_000_000))
	return s
}

func TestGolden(t *testing.T) {
	for file, s := range map[string]*entstat.Statistics{
		"virtual.txt":  sampleVirtual("ent0", 100_000),
		"physical.txt": samplePhysical("ent1", 200_000),
		"channel.txt":  sampleChannel("ent2"),
		"sea.txt":      sampleBridge(),
	} {
		t.Run(file, func(t *testing.T) {
			text := entstat.Format(s)
			codectest.Golden(t, *update, file, text)
			again := codec.RoundTrip(t, text)
			if n := len(again.Unknown) + len(again.Warnings); n > 0 {
				t.Errorf("what Format prints is not understood: %v %v", again.Unknown, again.Warnings)
			}
			if diff := cmp.Diff(codectest.Facts(s), codectest.Facts(again)); diff != "" {
				t.Errorf("values built and values read (-built +read):\n%s", diff)
			}
			if file == "virtual.txt" || file == "physical.txt" {
				codec.EveryValue(t, text, skipped...) // one by one; the others at once
			}
			allChanged(t, text)
		})
	}
}

// skipped are values that a change of the text cannot carry: what is derived
// from the text around them, and the two names of one member, which must agree.
var skipped = []string{".Kind", ".Section", ".Level", ".Label", ".Side", ".Role", "Members[0].Name", "Members[1].Name", "Members[2].Name"}

// allChanged changes every number and every word of a parsed text at once and
// expects all of them in the output.
func allChanged(t *testing.T, text []byte) {
	t.Helper()
	s := codec.RoundTrip(t, text)
	n := uint64(7_000_000_000)
	s.Walk(func(s *entstat.Statistics) {
		for _, f := range s.Fields {
			if f.Number != nil && !strings.HasPrefix(f.Label, "Number of") {
				n++
				*f.Number = n
			}
			for _, c := range f.Cells {
				if c != nil {
					n++
					*c = n
				}
			}
			for i := range f.Items {
				f.Items[i] = fmt.Sprintf("X%s%d", f.Items[i], i)
			}
			if f.Text != "" && f.Label != "Device Type" && f.Kind != entstat.Heading {
				f.Text += " or so"
			}
		}
	})
	again, err := entstat.Parse(entstat.Format(s))
	if err != nil {
		t.Fatal(err)
	}
	want, got := codectest.Facts(s), codectest.Facts(again)
	for path := range want { // a queue's number is part of its section's name
		if strings.HasSuffix(path, ".Section") {
			delete(want, path)
			delete(got, path)
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("changed and read again (-want +got):\n%s", diff)
	}
}

// TestAbsentBlocks leaves everything away that a lab may not be able to measure.
func TestAbsentBlocks(t *testing.T) {
	s := entstat.New(entstat.Head{Name: "ent0", DeviceType: "Virtual I/O Ethernet Adapter (l-lan)", Counters: map[string]uint64{"tx.Packets": 5}})
	s.AddVirtual(entstat.Virtual{LANState: "Operational", PVID: num(1), VLANsKnown: true})
	again := codec.RoundTrip(t, entstat.Format(s))
	if v := again.Virtual(); v == nil || v.Pools != nil || v.ReceiveFailures != nil || v.Trunk != nil || v.BufferMode != "" || !v.VLANsKnown {
		t.Errorf("got %+v, want only LAN state, PVID and an empty VLAN list", v)
	}
	if _, ok := again.Counter(entstat.Receive, "Packets"); ok {
		t.Error("a counter that was not given reads as known")
	}
	if again.Flags() != nil || again.Flag("LargeSend") != nil {
		t.Error("flags that were not given read as known")
	}
}
