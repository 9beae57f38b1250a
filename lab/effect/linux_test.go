package effect_test

import (
	"testing"

	"seaworthy/lab/effect"
	"seaworthy/lab/topology"
	"seaworthy/lab/wire"
)

// A node with Linux begins as a kernel makes it; its cable is the lab's.
func TestLinuxEnds(t *testing.T) {
	top, err := topology.Load(t.Context(), "linux-peer")
	if err != nil {
		t.Fatal(err)
	}
	own, port := wire.End{Namespace: "server1", Device: "eth0"}, wire.End{Namespace: "sw:sw1", Device: "server1.eth0"}
	for name, c := range map[string]struct {
		faults effect.Faults
		up     bool
		loss   uint32
	}{
		"in order":  {nil, true, 0},
		"cable out": {effect.Faults{{Kind: effect.PortDown, At: [2]string{"server1", "eth0"}}: 1}, false, 0},
		"lossy":     {effect.Faults{{Kind: effect.Loss, At: [2]string{"server1", "eth0"}}: 500}, true, 500},
	} {
		st, err := effect.Desired(top, effect.Lookup{Stores: effect.Stores{}, Faults: c.faults})
		if err != nil {
			t.Fatal(err)
		}
		w := st.Ends[own]
		if !w.Own || !w.Up || w.MTU != 1500 || !w.TSO || w.RateBits != 10e9 || len(w.Addresses) != 1 || !w.Gateway.IsValid() || w.Loss != c.loss {
			t.Errorf("%s: server1 eth0: got %+v", name, w)
		}
		if far := st.Ends[port]; far.Up != c.up || far.Own || far.MTU != 1500 || far.Loss != c.loss {
			t.Errorf("%s: its port of the switch: got %+v, want up %v", name, far, c.up)
		}
		if _, set := st.Routes["server1"]; set {
			t.Errorf("%s: the lab sets routes of server1", name)
		}
		if _, set := st.Sysctls["server1"]; set {
			t.Errorf("%s: the lab sets sysctls of server1", name)
		}
	}
}

// What a node's kernel would let pass a port inside large frames is sent in small ones.
func TestLinuxMTU(t *testing.T) {
	top, err := topology.Load(t.Context(), "linux-peer")
	if err != nil {
		t.Fatal(err)
	}
	for mtu, segments := range map[int]int{1500: 0, 9000: 1} {
		st, err := effect.Desired(top, effect.Lookup{Stores: effect.Stores{}, MTU: func(string, string) int { return mtu }})
		if err != nil {
			t.Fatal(err)
		}
		if got := st.Ends[wire.End{Namespace: "server1", Device: "eth0"}].Segments; got != segments {
			t.Errorf("MTU %d: got %d segments at once, want %d", mtu, got, segments)
		}
	}
}
