package effect_test

import (
	"math/rand/v2"
	"net/netip"
	"strconv"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"seaworthy/internal/knowledge"
	"seaworthy/lab/effect"
	"seaworthy/lab/odm"
	"seaworthy/lab/topology"
	"seaworthy/lab/wire"
)

func load(t *testing.T, name string) (*topology.Topology, effect.Stores) {
	t.Helper()
	top, err := topology.Load(t.Context(), name)
	if err != nil {
		t.Fatal(err)
	}
	cat, err := knowledge.Load()
	if err != nil {
		t.Fatal(err)
	}
	stores := effect.Stores{}
	for i := range top.Systems {
		s := &top.Systems[i]
		for j := range s.Nodes {
			if stores[s.Nodes[j].Name], err = odm.New(s, &s.Nodes[j], cat); err != nil {
				t.Fatal(err)
			}
		}
	}
	return top, stores
}

func desired(t *testing.T, top *topology.Topology, s effect.Stores) wire.State {
	t.Helper()
	st, err := effect.Desired(top, effect.Lookup{Stores: s})
	if err != nil {
		t.Fatal(err)
	}
	return st
}

// Every attribute with a kernel effect changes exactly the ends it is said to.
func TestOneAttribute(t *testing.T) {
	type change struct{ node, dev, attr, value string }
	tests := []struct {
		name    string
		changes []change
		end     wire.End
		want    func(s *wire.Settings)
	}{
		{"largesend", []change{{"lpar1", "en0", "mtu_bypass", "on"}}, wire.End{Namespace: "lpar1", Device: "en0"},
			func(s *wire.Settings) { s.TSO, s.Segments = true, 0 }},
		{"largesend needs the checksum", []change{{"lpar1", "en0", "mtu_bypass", "on"}, {"lpar1", "ent0", "chksum_offload", "no"}},
			wire.End{Namespace: "lpar1", Device: "en0"}, func(s *wire.Settings) { s.TxChecksum, s.RxChecksum = false, false }},
		{"mtu", []change{{"lpar1", "en0", "mtu", "1400"}}, wire.End{Namespace: "lpar1", Device: "en0"}, func(s *wire.Settings) { s.MTU = 1400 }},
		{"down", []change{{"lpar1", "en0", "state", "down"}}, wire.End{Namespace: "lpar1", Device: "en0"},
			func(s *wire.Settings) { s.Up = false }},
		{"SEA largesend, hypervisor side", []change{{"vios1", "ent5", "largesend", "0"}},
			wire.End{Namespace: "hyp:cec1", Device: "vios1.ent4"}, func(s *wire.Settings) { s.TSO = false }},
		{"SEA largesend, port", []change{{"vios1", "ent5", "largesend", "0"}}, wire.End{Namespace: "vios1", Device: "en0"},
			func(s *wire.Settings) { s.TSO = false }},
		{"SEA large_receive, port", []change{{"vios1", "ent5", "large_receive", "no"}}, wire.End{Namespace: "vios1", Device: "en0"},
			func(s *wire.Settings) { s.GRO, s.RxQueues = false, 8 }},
		{"SEA large_receive, trunk", []change{{"vios1", "ent5", "large_receive", "no"}}, wire.End{Namespace: "vios1", Device: "en4"},
			func(s *wire.Settings) { s.TSO = false }},
		{"SEA jumbo_frames", []change{{"vios1", "ent5", "jumbo_frames", "yes"}}, wire.End{Namespace: "vios1", Device: "en4"},
			func(s *wire.Settings) { s.MTU = 65394 }},
		{"port large_send", []change{{"vios1", "ent0", "large_send", "no"}}, wire.End{Namespace: "vios1", Device: "en0"},
			func(s *wire.Settings) { s.TSO = false }},
		{"port large_receive", []change{{"vios1", "ent0", "large_receive", "no"}}, wire.End{Namespace: "vios1", Device: "en0"},
			func(s *wire.Settings) { s.GRO, s.RxQueues = false, 8 }},
		{"port chksum_offload", []change{{"vios1", "ent0", "chksum_offload", "no"}}, wire.End{Namespace: "vios1", Device: "en0"},
			func(s *wire.Settings) { s.TSO, s.TxChecksum, s.RxChecksum = false, false, false }},
		{"port jumbo_frames", []change{{"vios1", "ent0", "jumbo_frames", "yes"}}, wire.End{Namespace: "vios1", Device: "en0"},
			func(s *wire.Settings) { s.MTU = 9000 }},
		{"port queues of a polled end", []change{{"vios1", "ent0", "queues_rx", "20"}, {"vios1", "ent0", "queues_tx", "12"}},
			wire.End{Namespace: "vios1", Device: "en0"},
			func(s *wire.Settings) { s.TxQueues = 12 }},
		{"port queues", []change{{"vios1", "ent0", "large_receive", "no"}, {"vios1", "ent0", "queues_rx", "20"},
			{"vios1", "ent0", "queues_tx", "12"}}, wire.End{Namespace: "vios1", Device: "en0"},
			func(s *wire.Settings) { s.GRO, s.RxQueues, s.TxQueues = false, 20, 12 }},
		{"the switch fills the port's queues", []change{{"vios1", "ent0", "large_receive", "no"}, {"vios1", "ent0", "queues_rx", "20"},
			{"vios1", "ent0", "queues_tx", "12"}}, wire.End{Namespace: "sw:sw1", Device: "vios1.ent0"},
			func(s *wire.Settings) { s.RxQueues, s.TxQueues = 12, 20 }},
		{"more queues than a port is made with", []change{{"vios1", "ent0", "large_receive", "no"}, {"vios1", "ent0", "queues_rx", "1000"}},
			wire.End{Namespace: "vios1", Device: "en0"},
			func(s *wire.Settings) { s.GRO, s.RxQueues = false, wire.PortQueues }},
		{"another node is left alone", []change{{"lpar1", "en0", "mtu_bypass", "on"}}, wire.End{Namespace: "lpar2", Device: "en0"},
			func(*wire.Settings) {}},
		{"switch port", []change{{"vios1", "ent0", "jumbo_frames", "yes"}}, wire.End{Namespace: "sw:sw1", Device: "vios1.ent0"},
			func(*wire.Settings) {}},
	}
	for _, x := range tests {
		t.Run(x.name, func(t *testing.T) {
			top, stores := load(t, "two-systems")
			want := desired(t, top, stores).Ends[x.end]
			if want.MTU == 0 {
				t.Fatalf("%v: no such end", x.end)
			}
			x.want(&want)
			for _, c := range x.changes {
				if err := stores[c.node].SetRunning(c.dev, c.attr, c.value); err != nil {
					t.Fatal(err)
				}
			}
			got := desired(t, top, stores).Ends[x.end]
			if diff := cmp.Diff(want, got, cmpopts.EquateComparable(netip.Addr{}, netip.Prefix{})); diff != "" {
				t.Errorf("%v (-want +got):\n%s", x.end, diff)
			}
		})
	}
}

// A network with an element that passes less than an interface sends has real
// frames in front of every element.
func TestBlackHole(t *testing.T) {
	top, stores := load(t, "two-systems")
	for _, c := range []struct{ dev, attr, value string }{{"ent0", "jumbo_frames", "yes"}, {"ent5", "jumbo_frames", "yes"}} {
		for _, v := range []string{"vios1", "vios2"} {
			if err := stores[v].SetRunning(c.dev, c.attr, c.value); err != nil {
				t.Fatal(err)
			}
		}
	}
	for i := range top.Switch.Ports {
		top.Switch.Ports[i].MTU = 9000
	}
	for _, l := range []string{"lpar1", "lpar2"} {
		for attr, v := range map[string]string{"mtu": "9000", "mtu_bypass": "on"} {
			if err := stores[l].SetRunning("en0", attr, v); err != nil {
				t.Fatal(err)
			}
		}
	}
	trunk := wire.End{Namespace: "hyp:cec1", Device: "vios1.ent4"}
	port := wire.End{Namespace: "vios1", Device: "en0"}
	if effect.MTUMismatch(top, effect.Lookup{Stores: stores}) {
		t.Error("a complete jumbo path: got an MTU mismatch, want none")
	}
	if st := desired(t, top, stores); !st.Ends[trunk].TSO || !st.Ends[port].TSO {
		t.Errorf("a complete jumbo path: got TSO %v, %v, want both on", st.Ends[trunk].TSO, st.Ends[port].TSO)
	}
	breaks := map[string]func() func(){
		"far port": func() func() {
			stores["vios2"].SetRunning("ent0", "jumbo_frames", "no")
			return func() { stores["vios2"].SetRunning("ent0", "jumbo_frames", "yes") }
		},
		"far SEA": func() func() {
			stores["vios2"].SetRunning("ent5", "jumbo_frames", "no")
			return func() { stores["vios2"].SetRunning("ent5", "jumbo_frames", "yes") }
		},
		"switch": func() func() {
			top.Switch.Ports[1].MTU = 1500
			return func() { top.Switch.Ports[1].MTU = 9000 }
		},
	}
	for name, f := range breaks {
		mend := f()
		if st := desired(t, top, stores); st.Ends[trunk].TSO || st.Ends[port].TSO {
			t.Errorf("%s too small: got TSO %v, %v, want both off", name, st.Ends[trunk].TSO, st.Ends[port].TSO)
		}
		mend()
	}
}

// After any sequence of changes the state names every device, breaks no rule,
// and is the same if asked twice.
func TestAnySequence(t *testing.T) {
	for seed := range uint64(40) {
		r := rand.New(rand.NewPCG(seed, 1))
		name := "two-systems"
		if seed%2 == 1 {
			name = "dedicated"
		}
		top, stores := load(t, name)
		lay, err := wire.BuildLayout(top)
		if err != nil {
			t.Fatal(err)
		}
		var nodes []string
		for _, s := range top.Systems {
			for _, n := range s.Nodes {
				nodes = append(nodes, n.Name)
			}
		}
		var did []string
		for range 30 {
			on := nodes[r.IntN(len(nodes))]
			did = append(did, on+" "+mutate(r, stores[on]))
			st := desired(t, top, stores)
			if diff := cmp.Diff(st, desired(t, top, stores), cmpopts.EquateComparable(netip.Addr{}, netip.Prefix{})); diff != "" {
				t.Fatalf("seed %d: asked twice:\n%s", seed, diff)
			}
			for _, d := range lay.Devices {
				w, ok := st.Ends[d.End]
				switch {
				case !ok:
					t.Fatalf("seed %d after %v: no settings for %v", seed, did, d.End)
				case w.TSO && !w.TxChecksum:
					t.Fatalf("seed %d after %v: %v: TSO without checksum: %+v", seed, did, d.End, w)
				case w.MTU < 60 || w.MTU > 65536:
					t.Fatalf("seed %d after %v: %v: MTU %d", seed, did, d.End, w.MTU)
				case d.Place == wire.SwitchPort && (w.TSO || w.RateBits == 0):
					t.Fatalf("seed %d after %v: %v: a switch port with %+v", seed, did, d.End, w)
				case len(w.Addresses) > 0 && d.Bridge != "":
					t.Fatalf("seed %d after %v: %v: a bridge's port with an address", seed, did, d.End)
				}
			}
			for _, n := range nodes {
				if st.Sysctls[n]["net.ipv4.tcp_rmem"] == "" {
					t.Fatalf("seed %d after %v: %s: no tcp_rmem", seed, did, n)
				}
			}
		}
	}
}

// mutate makes one change that may be refused.
func mutate(r *rand.Rand, s *odm.Store) string {
	ds := s.Devices()
	d := ds[r.IntN(len(ds))]
	switch r.IntN(12) {
	case 0:
		s.Reboot()
		return "reboot"
	case 1:
		_ = s.Unconfigure(d.Name, r.IntN(3) == 0)
		return "rmdev " + d.Name
	case 2:
		_ = s.Configure(d.Name)
		return "mkdev " + d.Name
	case 3:
		s.Discover()
		return "cfgmgr"
	}
	as, _ := s.Attributes(d.Name)
	if len(as) == 0 {
		return "nothing"
	}
	a := as[r.IntN(len(as))]
	v := a.Default
	switch {
	case len(a.Values) > 0:
		v = a.Values[r.IntN(len(a.Values))]
	case a.Min != nil && a.Max != nil && *a.Max-*a.Min > 0 && *a.Max < 1<<40:
		v = itoa(*a.Min + r.Int64N(*a.Max-*a.Min+1))
	case a.Name == "state":
		states := []string{"up", "down", "detach"}
		v = states[r.IntN(len(states))]
	}
	err := s.Change(d.Name, []odm.Setting{{Attr: a.Name, Value: v}}, odm.Mode(r.IntN(3)))
	word := "chdev "
	if err != nil {
		word = "refused "
	}
	return word + d.Name + " " + a.Name + "=" + v
}

func itoa(n int64) string { return strconv.FormatInt(n, 10) }

// The table has an entry for every attribute, each with a reason, and names
// no attribute the catalogue lacks.
func TestTable(t *testing.T) {
	cat, err := knowledge.Load()
	if err != nil {
		t.Fatal(err)
	}
	var all []knowledge.Attribute
	for _, l := range cat.Layers() {
		all = append(all, cat.Attributes(l)...)
	}
	got := effect.Table(all, effect.Machine{})
	if len(got) != len(all) {
		t.Errorf("got %d entries, want %d", len(got), len(all))
	}
	kernel := 0
	for _, e := range got {
		if e.What == "" || e.Outcome == "" {
			t.Errorf("%s %s: got %+v, want an outcome and a reason", e.Layer, e.Attribute, e)
		}
		if e.Outcome == effect.Kernel {
			kernel++
		}
	}
	if want := effect.Known(); kernel != want {
		t.Errorf("got %d attributes with a kernel effect, want the %d that this package knows", kernel, want)
	}
}

// Where the lab loses frames one by one it has large ones cut early, but a
// sender with largesend still hands down 64 KB.
func TestLargesendWithheld(t *testing.T) {
	top, stores := load(t, "dedicated")
	at := wire.End{Namespace: "lpar1", Device: "en0"}
	check := func(what string, f effect.Faults, tso, withheld bool, segments int) {
		t.Helper()
		look := effect.Lookup{Stores: stores, Faults: f}
		st, err := effect.Desired(top, look)
		if err != nil {
			t.Fatal(err)
		}
		got, err := effect.Withheld(top, look, at)
		if w := st.Ends[at]; err != nil || w.TSO != tso || w.Segments != segments || got != withheld {
			t.Errorf("%s: got TSO %v, %d segments, withheld %v, %v; want %v, %d, %v", what, w.TSO, w.Segments, got, err, tso, segments, withheld)
		}
	}
	loss := effect.Faults{{Kind: effect.Loss, At: [2]string{"lpar1", "ent0"}}: 10000}
	check("mtu_bypass off", effect.Faults{}, false, false, 2)
	check("mtu_bypass off, frames are lost", loss, false, false, 2)
	if err := stores["lpar1"].SetRunning("en0", "mtu_bypass", "on"); err != nil {
		t.Fatal(err)
	}
	check("mtu_bypass on", effect.Faults{}, true, false, 0)
	check("frames are lost", loss, false, true, 0)
	check("frames collide", effect.Faults{{Kind: effect.HalfDuplex, At: [2]string{"lpar1", "ent0"}}: 10000}, false, true, 0)
	check("a small element", effect.Faults{{Kind: effect.NoJumbo, At: [2]string{"sw1/2"}}: 1400}, false, true, 0)
	if err := stores["lpar1"].SetRunning("ent0", "large_send", "no"); err != nil {
		t.Fatal(err)
	}
	check("large_send off, frames are lost", loss, false, false, 2)
}
