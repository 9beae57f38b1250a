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
		if !w.Own || !w.Up || w.MTU != 1500 || !w.TSO || w.RateBits != tenGigabit || len(w.Addresses) != 1 || !w.Gateway.IsValid() || w.Loss != c.loss {
			t.Errorf("%s: server1 eth0: got %+v", name, w)
		}
		if far := st.Ends[port]; far.Up != c.up || far.Own || far.MTU != 1500 || far.Loss != c.loss || far.TxQueues != 1 {
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

// The switch's end of a bond passes what its ports do; the ports have the bond's MTU.
func TestBondEnds(t *testing.T) {
	top, err := topology.Load(t.Context(), "bond")
	if err != nil {
		t.Fatal(err)
	}
	top.Switch.Ports[1].MTU = 9000 // that of sw1/1 stays 1500
	faults := effect.Faults{{Kind: effect.PortDown, At: [2]string{"lacp1", "eth1"}}: 1}
	st, err := effect.Desired(top, effect.Lookup{Stores: effect.Stores{}, Faults: faults})
	if err != nil {
		t.Fatal(err)
	}
	at := func(ns, device string) wire.Settings { return st.Ends[wire.End{Namespace: ns, Device: device}] }
	if w := at("lacp1", "bond0"); !w.Own || !w.Up || w.MTU != 1500 || len(w.Addresses) != 1 || w.RateBits != 0 {
		t.Errorf("lacp1 bond0: got %+v", w)
	}
	if w := at("lacp1", "eth0"); !w.Own || len(w.Addresses) != 0 || w.RateBits != tenGigabit/10 {
		t.Errorf("lacp1 eth0: got %+v", w)
	}
	if w := at("sw:sw1", "po1"); w.Own || !w.Up || w.MTU != 1500 {
		t.Errorf("the switch's po1: got %+v", w)
	}
	for port, want := range map[string]wire.Settings{"lacp1.eth0": {Up: true}, "lacp1.eth1": {}, "backup1.eth0": {Up: true, MTU: 1500}} {
		if w := at("sw:sw1", port); w.Up != want.Up || w.MTU != want.MTU {
			t.Errorf("%s: got up %t, MTU %d, want %t, %d", port, w.Up, w.MTU, want.Up, want.MTU)
		}
	}
	if len(st.LAGs) != 0 {
		t.Errorf("got classifiers %v, want none", st.LAGs)
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
