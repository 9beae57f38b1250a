package effect_test

import (
	"testing"

	"seaworthy/lab/wire"
)

// Every VLAN instance of a port leads to its line at both ends, and a port with a
// single VLAN instance has none.
func TestSharedLines(t *testing.T) {
	top, stores := load(t, "vlans")
	st := desired(t, top, stores)
	for e, line := range map[wire.End]string{
		{Namespace: "lpar4", Device: "en0"}: "en0.line", {Namespace: "lpar4", Device: "en1"}: "en0.line",
		{Namespace: "lpar3", Device: "en1.20"}:                  "en1.line",
		{Namespace: "sw:sw1", Device: "lpar4.ent0"}:             "lpar4.ent0.line",
		{Namespace: "sw:sw1", Device: "lpar4.ent0.20"}:          "lpar4.ent0.line",
		{Namespace: "lpar1", Device: "en0"}:                     "", // virtual Ethernet has no line
		{Namespace: "lpar3", Device: wire.DistributorOf("en2")}: "",
	} {
		s, ok := st.Ends[e]
		if !ok || s.Line != line {
			t.Errorf("%v: got line %q (%v), want %q", e, s.Line, ok, line)
		}
		if line == "" {
			continue
		}
		if l := st.Ends[wire.End{Namespace: e.Namespace, Device: line}]; !l.Up || l.RateBits != tenGigabit || l.RateBits != s.RateBits {
			t.Errorf("%v: its line: got %+v, want it up at 10 Gbit/s", e, l)
		}
	}
	top, stores = load(t, "two-systems")
	for e, s := range desired(t, top, stores).Ends {
		if s.Line != "" {
			t.Errorf("%v: got line %s, want none where a port has one VLAN instance", e, s.Line)
		}
	}
}

// tenGigabit holds what a line of 10 Gbit/s passes in frames of 1514 bytes, each of
// which takes 1538.
const tenGigabit = 9843953185

// The larger the frames, the less of a line goes to preamble, checksum and gap; a port's own
// jumbo frames bring nothing to partitions that send ordinary ones.
func TestLineRateByFrameSize(t *testing.T) {
	top, stores := load(t, "two-systems")
	port := wire.End{Namespace: "sw:sw1", Device: "vios1.ent0"}
	rate := func() uint64 { return desired(t, top, stores).Ends[port].RateBits }
	if got := rate(); got != tenGigabit {
		t.Errorf("packets of 1500 bytes: got %d, want %d", got, tenGigabit)
	}
	for i := range top.Switch.Ports {
		top.Switch.Ports[i].MTU = 9000
	}
	if got := rate(); got != tenGigabit {
		t.Errorf("packets of 1500 bytes, ports that pass 9000: got %d, want %d", got, tenGigabit)
	}
	if err := stores["lpar1"].SetRunning("en0", "mtu", "9000"); err != nil {
		t.Fatal(err)
	}
	if got, want := rate(), uint64(9973445452); got != want {
		t.Errorf("packets of 9000 bytes: got %d, want %d", got, want)
	}
}
