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
		if l := st.Ends[wire.End{Namespace: e.Namespace, Device: line}]; !l.Up || l.RateBits != 10e9 || l.RateBits != s.RateBits {
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
