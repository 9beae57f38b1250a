package assemble_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"seaworthy/internal/test/await"
	"seaworthy/internal/test/draw"
	"seaworthy/internal/test/needs"
	"seaworthy/lab"
	"seaworthy/lab/capture"
	"seaworthy/lab/fault"
	"seaworthy/lab/wire"
)

// largest is the largest frame that an end sent or received.
func largest(t *testing.T, p lab.Proof, node, adapter string, place wire.Place, sends bool) int {
	t.Helper()
	for _, h := range p.Hops {
		if h.Node == node && h.Adapter == adapter && h.Place == place && h.Sends == sends {
			return h.Largest
		}
	}
	t.Errorf("%s %s %s: no frame was seen there", place, node, adapter)
	return 0
}

func prove(t *testing.T, l *lab.Lab, from, to string) lab.Proof {
	t.Helper()
	p, err := l.ProveLargesend(t.Context(), from, to)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// Who cuts a large frame follows from the settings of every element.
func TestWhoSegments(t *testing.T) {
	needs.Tool(t, "iperf")
	t.Parallel()
	l := up(t, "two-systems")
	const wireSize, pair, large = 1514, 2962, 30000 // pairs: as a sender without largesend lets go
	for _, x := range []struct {
		name, node, user, change  string
		lpar, trunk, port, client int // largest frame, at least: it leaves the LPAR, reaches the trunk, leaves the port, reaches the far client
	}{
		{"mtu_bypass off", "lpar1", "", "true", wireSize, wireSize, wireSize, pair},
		{"mtu_bypass on", "lpar1", "", "chdev -l en0 -a mtu_bypass=on", large, large, large, large},
		{"SEA largesend 0", "vios1", "padmin", "chdev -dev ent5 -attr largesend=0", large, wireSize, wireSize, large},
		{"far SEA large_receive no", "vios2", "padmin", "chdev -dev ent5 -attr large_receive=no", large, wireSize, wireSize, wireSize},
		{"SEA largesend 1 again", "vios1", "padmin", "chdev -dev ent5 -attr largesend=1", large, large, large, wireSize},
		{"port large_send no", "vios1", "root", "chdev -l ent0 -a large_send=no -P", large, large, wireSize, wireSize},
	} {
		if _, errs, exit := run(t, l, x.node, x.user, x.change); exit != 0 {
			t.Fatalf("%s: %s", x.change, errs)
		}
		if strings.HasSuffix(x.change, "-P") { // a boot makes it so
			breakIt(t, l, fault.Fault{Kind: "crash", Target: x.node})
			mend(t, l, fault.Fault{Target: x.node})
		}
		p := prove(t, l, "lpar1", "lpar2")
		for _, at := range []struct {
			node, adapter string
			place         wire.Place
			sends         bool
			want          int
		}{
			{"lpar1", "ent0", wire.Virtual, true, x.lpar},
			{"vios1", "ent4", wire.Virtual, false, x.trunk},
			{"vios1", "ent0", wire.Physical, true, x.port},
			{"vios2", "ent0", wire.SwitchPort, true, wireSize},
			{"lpar2", "ent0", wire.Virtual, false, x.client},
		} {
			got := largest(t, p, at.node, at.adapter, at.place, at.sends)
			if got < at.want || at.want == wireSize && got > wireSize {
				t.Errorf("%s: %s at %s %s: got frames up to %d bytes, want %d", x.name, at.place, at.node, at.adapter, got, at.want)
			}
		}
	}
	if _, err := l.ProveLargesend(t.Context(), "lpar1", "nobody"); err == nil {
		t.Error("an unknown node: got success")
	}
}

// Who segments, in every combination of what an LPAR, its SEA and the SEA's
// port are set to.
func TestWhoSegmentsInAllCombinations(t *testing.T) {
	draw.Rarely(t, 4)
	needs.Tool(t, "iperf")
	t.Parallel()
	l := up(t, "two-systems")
	const wireSize, large = 1514, 30000
	set := func(node, user, line string) {
		t.Helper()
		if _, errs, exit := run(t, l, node, user, line); exit != 0 {
			t.Fatalf("%s: %s: %s", node, line, errs)
		}
	}
	for _, port := range []string{"yes", "no"} {
		if port == "no" { // of a port below an SEA only a boot makes it so
			set("vios1", "root", "chdev -l ent0 -a large_send=no -P")
			breakIt(t, l, fault.Fault{Kind: "crash", Target: "vios1"})
			mend(t, l, fault.Fault{Target: "vios1"})
		}
		for _, sea := range []string{"1", "0"} {
			set("vios1", "padmin", "chdev -dev ent5 -attr largesend="+sea)
			for _, bypass := range []string{"on", "off"} {
				set("lpar1", "", "chdev -l en0 -a mtu_bypass="+bypass)
				name := "mtu_bypass=" + bypass + ", SEA largesend=" + sea + ", port large_send=" + port
				p := prove(t, l, "lpar1", "lpar2")
				sends := bypass == "on"
				for _, at := range []struct {
					node, adapter string
					place         wire.Place
					sends, large  bool
				}{
					{"lpar1", "ent0", wire.Virtual, true, sends},
					{"lpar1", "ent0", wire.Hypervisor, false, sends},
					{"vios1", "ent4", wire.Virtual, false, sends && sea == "1"},
					{"vios1", "ent0", wire.Physical, true, sends && sea == "1" && port == "yes"},
					{"vios2", "ent0", wire.SwitchPort, true, false},
				} {
					got := largest(t, p, at.node, at.adapter, at.place, at.sends)
					if at.large && got < large || !at.large && got > wireSize {
						t.Errorf("%s: %s at %s %s: got frames up to %d bytes, want large: %v", name, at.place, at.node, at.adapter, got, at.large)
					}
				}
				// Where they are cut follows: nowhere, on the way to the trunk, in
				// the VIOS, or behind its port.
				cut := ""
				if p.Cut != nil {
					cut = string(p.Cut.Small.Place) + " " + p.Cut.Small.Node
				}
				want := ""
				if sends {
					want = "switch-port vios2"
				}
				switch {
				case sends && sea == "0":
					want = "virtual vios1"
				case sends && port == "no":
					want = "physical vios1"
				}
				if cut != want && !(want == "virtual vios1" && cut == "hypervisor vios1") {
					t.Errorf("%s: large frames are cut at %q, want %q", name, cut, want)
				}
				cutters := map[string]string{"switch-port vios2": "the port vios1 ent0",
					"virtual vios1": "the hypervisor switch", "physical vios1": "the processors of vios1"}
				by := cutters[want]
				if by != "" && p.Cut != nil && !strings.HasPrefix(p.Cut.By, by) {
					t.Errorf("%s: got cut by %q, want %s", name, p.Cut.By, by)
				}
				// vios2 puts them together again, no matter who cut them.
				if p.Joined == nil || p.Joined.Node != "vios2" || p.Joined.Adapter != "ent0" {
					t.Errorf("%s: got frames put together at %+v, want vios2 ent0", name, p.Joined)
				}
			}
		}
	}
}

// A forgotten element swallows jumbo frames; partitions of one system do not
// need any of them.
func TestEveryElementNeedsJumbo(t *testing.T) {
	draw.Rarely(t, 4)
	needs.Tool(t, "iperf")
	t.Parallel()
	l := up(t, "testdata/mtu.yaml")
	lost := func(what, to, size string, want int) {
		t.Helper()
		if n := ping(t, l, "lpar1", to, twice(want)+"-s "+size); n != want {
			t.Errorf("%s: %d of 2 pings of %s bytes to %s lost, want %d", what, n, size, to, want)
		}
	}
	reboot := func(node string) {
		t.Helper()
		breakIt(t, l, fault.Fault{Kind: "crash", Target: node})
		mend(t, l, fault.Fault{Target: node})
	}
	must := func(node, line string) {
		t.Helper()
		if _, errs, exit := run(t, l, node, "root", line); exit != 0 {
			t.Fatalf("%s: %s: %s", node, line, errs)
		}
	}
	lost("all set", "10.10.10.12", "8900", 0)
	for _, x := range []struct{ element, node, set, back string }{
		{"SEA", "vios1", "chdev -l ent5 -a jumbo_frames=no", "chdev -l ent5 -a jumbo_frames=yes"},
		{"EtherChannel", "vios1", "chdev -l ent2 -a use_jumbo_frame=no -P", "chdev -l ent2 -a use_jumbo_frame=yes -P"},
		{"ports", "vios1", "chdev -l ent0 -a jumbo_frames=no -P; chdev -l ent1 -a jumbo_frames=no -P",
			"chdev -l ent0 -a jumbo_frames=yes -P; chdev -l ent1 -a jumbo_frames=yes -P"},
	} {
		must(x.node, x.set)
		if strings.HasSuffix(x.set, "-P") {
			reboot(x.node)
		}
		lost(x.element+" forgotten", "10.10.10.12", "8900", 2)
		lost(x.element+" forgotten", "10.10.10.12", "1472", 0) // 1500 with headers, and not a byte more
		lost(x.element+" forgotten", "10.10.10.12", "1473", 2)
		lost(x.element+" forgotten, inside the system", "10.10.10.13", "8900", 0)
		must(x.node, x.back)
		if strings.HasSuffix(x.set, "-P") {
			reboot(x.node)
		}
	}
	breakIt(t, l, fault.Fault{Kind: "no-jumbo", Target: "sw1/3"})
	lost("switch forgotten", "10.10.10.12", "1472", 0)
	lost("switch forgotten", "10.10.10.12", "1473", 2)
	mend(t, l, fault.Fault{})
	lost("all set again", "10.10.10.12", "8900", 0)
	// Virtual Ethernet takes packets of almost 64 KB, and no SEA sees them.
	for _, node := range []string{"lpar1", "peer"} {
		must(node, "chdev -l en0 -a state=detach; chdev -l en0 -a mtu=65390 -a state=up")
	}
	lost("64 KB inside the system", "10.10.10.13", "60000", 0)
	for _, h := range prove(t, l, "lpar1", "peer").Hops {
		if h.Node == "vios1" && h.Frames > 0 {
			t.Errorf("traffic inside the system was seen at %s %s", h.Node, h.Adapter)
		}
		if h.Node == "lpar1" && h.Sends && h.Place == wire.Virtual && h.Largest < 65000 {
			t.Errorf("with MTU 65390 lpar1 sent frames up to %d bytes, want 65404", h.Largest)
		}
	}
}

func total(h capture.Hop) (n uint64) {
	for _, c := range h.Classes {
		n += c.Frames
	}
	return n
}

// Every frame is in one class, and all of a stream is on the first cable.
func TestProofAddsUp(t *testing.T) {
	needs.Tool(t, "iperf")
	t.Parallel()
	l := up(t, "dedicated")
	p := prove(t, l, "lpar1", "lpar2")
	if len(p.Hops) != 4 {
		t.Fatalf("got %d hops, want two cables with two ends", len(p.Hops))
	}
	for _, h := range p.Hops {
		if total(h) != h.Frames || h.Frames == 0 || h.Largest < h.Median {
			t.Errorf("%+v: classes do not add up", h)
		}
		if h.Missed == 0 && h.Bytes < 16<<20 {
			t.Errorf("%s %s: %d bytes seen of a stream of 16 MB", h.Node, h.Adapter, h.Bytes)
		}
	}
}

// Anyone who gives a proof up leaves no receiver behind: the next one gets the port.
func TestProofInterrupted(t *testing.T) {
	needs.Tool(t, "iperf")
	t.Parallel()
	l := up(t, "two-systems")
	listens := func() bool {
		out, _, _ := run(t, l, "lpar2", "root", "netstat -an")
		return strings.Contains(out, ".5099 ") && strings.Contains(out, "LISTEN")
	}
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	ended := make(chan error, 1)
	go func() {
		_, err := l.ProveLargesend(ctx, "lpar1", "lpar2")
		ended <- err
	}()
	await.Until(t, "the proof's receiver listens", func() bool { return len(ended) > 0 || listens() })
	cancel()
	if err := <-ended; !errors.Is(err, context.Canceled) {
		t.Errorf("got %v, want that it was given up", err)
	}
	if listens() {
		t.Error("its receiver still listens")
	}
	if _, err := l.ProveLargesend(t.Context(), "lpar1", "lpar2"); err != nil {
		t.Errorf("once more: %v", err)
	}
}
