package diagnose_test

import (
	"slices"
	"strings"
	"testing"

	"seaworthy/internal/diagnose"
	"seaworthy/internal/knowledge"
)

// reading has a connection of the path whose program leaves so much unread at the far end.
func reading(unread int) diagnose.Activity {
	return diagnose.Activity{Connections: []diagnose.Connection{
		{Host: "lpar1", Local: "192.0.2.11.40000", Remote: "192.0.2.12.5201", SendQ: unread},
		{Host: "lpar2", Local: "192.0.2.12.5201", Remote: "192.0.2.11.40000", RecvQ: unread},
	}}
}

// pointed are the places that something points to, with the host of each.
func pointed(d *diagnose.Diagnosis) (out []string) {
	for _, x := range d.Elsewhere {
		if len(x.Seen) > 0 {
			out = append(out, x.ID+"/"+x.Host)
		}
	}
	return out
}

// A program that reads slowly over a clean path: it is not the network, and that is proved.
func TestSlowReaderIsNotTheNetwork(t *testing.T) {
	well := with{"lpar1": tcp, "lpar2": tcp}
	in := input(t, "two-systems", well, nil)
	in.Activity = reading(200000)
	d := judged(t, in)
	if d.Verdict != diagnose.NotNetwork || len(d.Causes) > 0 {
		t.Fatalf("got %q, %+v, want %q and no cause", d.Verdict, d.Causes, diagnose.NotNetwork)
	}
	if got := pointed(d); !slices.Equal(got, []string{"reader/lpar2"}) {
		t.Errorf("got %q, want the reader on lpar2", got)
	}
	if seen := strings.Join(d.Elsewhere[0].Seen, "\n"); !strings.Contains(seen, "200000 bytes wait in 192.0.2.12.5201") {
		t.Errorf("got %q, want the receive queue as evidence", seen)
	}
	var parts []string
	for _, c := range d.Clean {
		parts = append(parts, c.ID)
		if len(c.By) == 0 {
			t.Errorf("%s: nothing shows that it is clean", c.ID)
		}
	}
	for _, want := range []string{"links", "virtual", "addresses", "size", "delivery", "trip"} {
		if !slices.Contains(parts, want) {
			t.Errorf("got %q clean, want %s among them", parts, want)
		}
	}
}

// The same with a fault of the network: that is the answer, and the reader stays a cause.
func TestSlowReaderBesideAFault(t *testing.T) {
	in := input(t, "two-systems", with{"lpar1": tcp, "lpar2": tcp}, nil)
	in.Activity = reading(200000)
	in.Measured[0].Lost = 6
	d := judged(t, in)
	if d.Verdict != diagnose.Found || len(d.Causes) != 2 || d.Causes[0].ID != "packet-loss" || len(d.Elsewhere) > 0 {
		t.Errorf("got %q, %+v, want the loss first and the reader second", d.Verdict, d.Causes)
	}
	in = input(t, "two-systems", with{"lpar1": tcp, "lpar2": tcp}, nil)
	in.Activity = reading(200000)
	in.Load = []diagnose.Stream{moved(90, 1)}
	d = judged(t, in)
	if d.Verdict == diagnose.NotNetwork || !strings.Contains(d.NotSeen[0].What, "90 Mbit/s") {
		t.Errorf("with a stream of its own that creeps: got %q, %+v, want it open why", d.Verdict, d.NotSeen)
	}
	in = input(t, "two-systems", off, nil)
	in.Activity = reading(200000)
	d = judged(t, in)
	if d.Verdict != diagnose.Found || d.Plan() == "" {
		t.Errorf("with largesend off: got %q, plan %q, want both named", d.Verdict, d.Plan())
	}
}

// Of one saved reading the counters of TCP prove that packets arrive, and no more than that.
func TestCountersProveDelivery(t *testing.T) {
	for name, one := range map[string]struct {
		packets, again int
		clean          bool
	}{
		"many packets, few again": {80_000_000, 300, true},
		"too few packets":         {8_000, 0, false},
		"too many again":          {80_000_000, 60_000, false},
	} {
		t.Run(name, func(t *testing.T) {
			in := input(t, "two-systems", with{"lpar1": with{"protocols": with{"tcp.packets_sent": one.packets,
				"tcp.packets_sent.data_packets": one.packets, "tcp.packets_sent.data_packets_retransmitted": one.again}}}, nil)
			in.Before, in.Measured = nil, nil
			d := judged(t, in)
			if d.Verdict != diagnose.Inconclusive || len(d.Decide) != 3 {
				t.Fatalf("got %q, %+v, want %q and three readings that would decide", d.Verdict, d.Decide, diagnose.Inconclusive)
			}
			i := slices.IndexFunc(d.Clean, func(c diagnose.Clean) bool { return c.ID == "delivery" })
			if i >= 0 != one.clean {
				t.Fatalf("got %+v clean, want delivery among them: %v", d.Clean, one.clean)
			}
			by := "300 of 80000000 data packets sent again"
			if one.clean && !strings.Contains(strings.Join(d.Clean[i].By, "; "), by) {
				t.Errorf("got %q, want %q", d.Clean[i].By, by)
			}
		})
	}
}

// Persist timeouts of a saved host: its far end reads slowly.
func TestPersistTimeouts(t *testing.T) {
	in := input(t, "two-systems", with{"lpar1": with{"protocols": with{"tcp.packets_sent": 3_000_000, "tcp.packets_sent.data_packets": 2_900_000,
		"tcp.packets_sent.data_packets_retransmitted": 12, "tcp.persist_timeouts": 4100, "tcp.packets_received.window_probes": 0,
		"tcp.packets_received": 2_000_000}}}, nil)
	in.Before, in.Measured = nil, nil
	d := judged(t, in)
	if d.Verdict != diagnose.NotNetwork || !slices.Equal(pointed(d), []string{"reader/lpar1"}) {
		t.Errorf("got %q, %q, want %q for a far end that reads slowly", d.Verdict, pointed(d), diagnose.NotNetwork)
	}
}

// The readings that would decide begin with what is missing most, as commands.
func TestDecidingReadings(t *testing.T) {
	in := input(t, "two-systems", with{"vios2": nil}, nil)
	in.Before, in.Measured = nil, nil
	d := judged(t, in)
	var got []string
	for _, x := range d.Decide {
		got = append(got, x.How)
	}
	if len(got) != 3 || !strings.HasPrefix(got[0], "seaworthy diagnose lpar1 lpar2 VIOS1") || got[1] != "seaworthy diagnose lpar1 lpar2" ||
		!strings.HasPrefix(got[2], "seaworthy collect lpar1 lpar2 ") {
		t.Errorf("got %q, want the VIOS, the pings and a second reading", got)
	}
}

// What waits for processors and disks points there.
func TestPressurePoints(t *testing.T) {
	in := input(t, "two-systems", with{"lpar1": tcp, "lpar2": tcp}, nil)
	in.Activity.Pressure = map[string]diagnose.Pressure{
		"lpar1": {Ready: 21, Processors: 8},
		"lpar2": {Ready: 1, Blocked: 4, WaitPercent: 61, Processors: 8},
	}
	if got := pointed(judged(t, in)); !slices.Equal(got, []string{"processors/lpar1", "disk/lpar2"}) {
		t.Errorf("got %q, want lpar1's processors and lpar2's disks", got)
	}
}

// Of vmstat the last row counts; a column that shows no number is unknown.
func TestVmstat(t *testing.T) {
	const aix = `
System configuration: lcpu=16 mem=8192MB ent=1.00

kthr    memory              page              faults              cpu
----- ----------- ------------------------ ------------ -----------------------
 r  b   avm   fre  re  pi  po  fr   sr  cy  in   sy  cs us sy id wa    pc    ec
 1  0 700123 90210   0   0   0   0    0   0  11  510 210  1  1 98  0  0.02   2.1
19  3 700125 90100   0   0   0   0    0   0 412 9510 910 61 12  2 25  0.99  99.1
`
	const linux = `procs -----------memory---------- ---swap-- -----io---- -system-- ------cpu-----
 r  b   swpd   free   buff  cache   si   so    bi    bo   in   cs us sy id wa st
 2  0      0 812344  40960 900000    0    0     4     9   60   80  3  1 96  0  0
 5  1      0 812000  40960 900000    0    0     0  9000  900 1800 20  5 40 35  0
`
	const lab = "hr mi se\n r  b    avm    fre  re  pi  po   fr   sr  cy   in   sy  cs  us  sy id wa    pc    ec\n" +
		" -  -      -      -   -   -   -    -    -   -    -    -   -   2   1  -  -  0.03   3.0\n"
	for _, one := range []struct {
		text string
		want diagnose.Pressure
		ok   bool
	}{
		{aix, diagnose.Pressure{Ready: 19, Blocked: 3, WaitPercent: 25, Processors: 16}, true},
		{linux, diagnose.Pressure{Ready: 5, Blocked: 1, WaitPercent: 35}, true},
		{lab, diagnose.Pressure{}, false},
		{"", diagnose.Pressure{}, false},
	} {
		if got, ok := diagnose.ReadVmstat(one.text); ok != one.ok || ok && got != one.want {
			t.Errorf("%.40q: got %+v, %v, want %+v, %v", one.text, got, ok, one.want, one.ok)
		}
	}
}

// Each cause of the network is in one part; what the data refers to exists.
func TestPartsHoldEachCause(t *testing.T) {
	cat, err := knowledge.Load()
	if err != nil {
		t.Fatal(err)
	}
	in := map[string]string{}
	for _, p := range cat.Innocence().Parts {
		for _, id := range p.Causes {
			if in[id] != "" {
				t.Errorf("%s is in the parts %s and %s, want one", id, in[id], p.ID)
			}
			in[id] = p.ID
		}
	}
	beside := map[string]bool{}
	for _, x := range cat.Innocence().Elsewhere {
		for _, id := range x.Causes {
			beside[id] = true
		}
		if len(x.AIX) == 0 || len(x.Linux) == 0 {
			t.Errorf("%s: no commands for AIX or for Linux", x.ID)
		}
	}
	for _, c := range cat.Causes() {
		if c.Beside && !beside[c.ID] || !c.Beside && in[c.ID] == "" {
			t.Errorf("%s: beside the network %v, in the part %q: want it to point elsewhere, or to be in a part", c.ID, c.Beside, in[c.ID])
		}
		delete(in, c.ID)
	}
	if len(in) > 0 {
		t.Errorf("parts have %v, which are no causes", in)
	}
	if r := cat.Innocence().Readings; len(r) < 3 || r[len(r)-1].Lacks != knowledge.LacksProgram {
		t.Errorf("got %+v, want three readings at least, the last of which always applies", r)
	}
	if d := cat.Ranking().Delivered; d.Packets == 0 || d.AgainPPM <= 0 {
		t.Errorf("got %+v, want how many packets prove delivery", d)
	}
}
