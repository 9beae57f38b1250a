package diagnose_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"seaworthy/internal/audit/rule"
	"seaworthy/internal/change/pathmtu"
	"seaworthy/internal/diagnose"
	"seaworthy/internal/inventory/graph"
	"seaworthy/internal/inventory/model"
	"seaworthy/internal/knowledge"
)

type with = map[string]any

// input is one of the catalogue's fleets, now and before, with the path between its
// two clients.
func input(t *testing.T, name string, now, before with) diagnose.Input {
	t.Helper()
	return inputTo(t, name, "lpar2:en0", now, before)
}

// inputTo is input with another far end.
func inputTo(t *testing.T, name, to string, now, before with) diagnose.Input {
	t.Helper()
	cat, err := knowledge.Load()
	if err != nil {
		t.Fatal(err)
	}
	base, _ := cat.Fleet(name)
	in := diagnose.Input{Failed: map[string]string{}}
	if in.Fleet, err = rule.BuildFleet(base, now); err != nil {
		t.Fatal(err)
	}
	if in.Before, err = rule.BuildFleet(base, now, before); err != nil {
		t.Fatal(err)
	}
	if in.Path, err = graph.Of(in.Fleet).Path("lpar1:en0", to); err != nil {
		t.Fatal(err)
	}
	in.Measured = pinged(in.Path)
	return in
}

// pinged is a path that loses nothing and carries what both ends send.
func pinged(path *model.Path) []diagnose.Measured {
	var out []diagnose.Measured
	for _, ends := range [][2]model.Ref{{path.From, path.To}, {path.To, path.From}} {
		out = append(out, diagnose.Measured{From: ends[0], To: ends[1], Sent: 600, RTTms: 0.2, SmallPassed: true,
			MTU: &pathmtu.Direction{From: ends[0], To: ends[1], Wanted: 1500, Largest: 1500, Verdict: pathmtu.Whole}})
	}
	return out
}

func counters(c with) with { return with{"counters": c} }

func TestCausesOfAPath(t *testing.T) {
	lossy := with{
		"vios2:ent0": counters(with{"rx.Receive Errors": 90, "rx.CRC Errors": 0, "rx.Packets": 1030000}),
		"lpar1":      with{"protocols": with{"tcp.packets_sent": 30000, "tcp.packets_sent.data_packets_retransmitted": 300}},
	}
	quiet := with{
		"vios2:ent0": counters(with{"rx.Receive Errors": 0, "rx.CRC Errors": 0, "rx.Packets": 1000000}),
		"lpar1":      with{"protocols": with{"tcp.packets_sent": 0, "tcp.packets_sent.data_packets_retransmitted": 0}},
	}
	tcp := with{"protocols": with{"tcp.packets_sent": 30000, "tcp.packets_sent.data_packets_retransmitted": 0}}
	well := with{"lpar1": tcp, "lpar2": tcp}
	en0 := model.Ref{Host: "lpar1", Element: "en0"}
	far := model.Ref{Host: "lpar2", Element: "en0"}
	port := model.Ref{Host: "vios2", Element: "ent0"}
	tests := []struct {
		name        string
		now, before with
		more        func(*diagnose.Input)
		want        []string // causes in order, with their certainty
		hidden      []string // by the first
		says        string   // among the words of the first
	}{
		{name: "healthy", now: well},
		{name: "loss at a port", now: lossy, before: quiet, want: []string{"damaged-frames/vios2:ent0 proved"},
			hidden: []string{"retransmissions/lpar1:host"}},
		{name: "totals make likely", now: lossy, before: quiet, more: func(in *diagnose.Input) { in.Before = nil },
			want: []string{"damaged-frames/vios2:ent0 likely"}, hidden: []string{"retransmissions/lpar1:host"}},
		{name: "no element counts the loss", more: func(in *diagnose.Input) {
			in.Measured = []diagnose.Measured{{From: en0, To: far, Sent: 600, Lost: 4, RTTms: 0.2}}
		}, want: []string{"packet-loss/lpar1:en0 proved"}},
		{name: "loss, and a VIOS was not read", now: with{"vios2": nil}, more: func(in *diagnose.Input) {
			in.Measured = []diagnose.Measured{{From: en0, To: far, Sent: 600, Lost: 4, RTTms: 0.2}}
		}, want: []string{"packet-loss/lpar1:en0 proved"}, says: "no VIOS with an SEA was read from managed system IBM,9009-42A*0200002"},
		{name: "a longer way", more: func(in *diagnose.Input) {
			in.Measured = []diagnose.Measured{{From: en0, To: far, Sent: 600, RTTms: 10}}
			in.Earlier = []diagnose.Measured{{From: en0, To: far, Sent: 600, RTTms: 0.2}}
		}, want: []string{"delay/lpar1:en0 proved"}, hidden: []string{"distance-window/lpar1:en0"}},
		{name: "a port that delays", more: func(in *diagnose.Input) {
			late := &pathmtu.Suspect{Is: "the switch port of vios2:ent0", Why: "10.0.0.1 answers lpar1 soon", Port: &port}
			in.Measured = []diagnose.Measured{{From: en0, To: far, Sent: 600, RTTms: 10, Late: late}, {From: far, To: en0, Sent: 600, RTTms: 10}}
		}, want: []string{"delay/vios2:switch port of ent0 proved"}, hidden: []string{"distance-window/lpar1:en0"}},
		{name: "duplex at one port, a bad cable at the other", now: with{
			"vios1:ent0": counters(with{"rx.CRC Errors": 1000, "rx.Packets": 1020000}),
			"vios2:ent0": counters(with{"rx.Receive Errors": 90, "rx.CRC Errors": 0, "rx.Packets": 1030000})}, before: with{
			"vios1:ent0": counters(with{"rx.CRC Errors": 0, "rx.Packets": 1000000}),
			"vios2:ent0": counters(with{"rx.Receive Errors": 0, "rx.CRC Errors": 0, "rx.Packets": 1000000})},
			want: []string{"duplex-mismatch/vios1:ent0 proved", "damaged-frames/vios2:ent0 proved"}, hidden: []string{"damaged-frames/vios1:ent0"}},
		{name: "no answer to small packets, in a folder", more: func(in *diagnose.Input) {
			in.Measured = []diagnose.Measured{{From: en0, To: far,
				MTU: &pathmtu.Direction{From: en0, To: far, Wanted: 1500, Verdict: pathmtu.NoAnswer}}}
		}, want: []string{"no-answer/lpar1:en0 proved"}},
		{name: "the far end has the sender's address too, and answers itself", now: with{"lpar2:en0": with{"addrs": []string{"192.0.2.12/24", "192.0.2.11/24"}}},
			more: func(in *diagnose.Input) {
				in.Measured = []diagnose.Measured{{From: en0, To: far, Sent: 36, Lost: 36}, {From: far, To: en0, Sent: 600, RTTms: 0.01}}
			}, want: []string{"duplicate-address/lpar1:en0 likely", "duplicate-address/lpar2:en0 likely"}, hidden: []string{"no-answer/lpar1:en0"}},
		{name: "a default route that is lost, on a path that needs none", now: with{"lpar1": with{"protocols": tcp["protocols"],
			"routes": []with{{"to": "192.0.2.0/24", "gateway": "192.0.2.11", "interface": "en0"}}, "odm_routes": []with{
				{"to": "0.0.0.0/0", "gateway": "192.0.2.1", "interface": ""}}}, "lpar2": tcp}},
		{name: "a default route that is lost, and no answer", now: with{"lpar1": with{"protocols": tcp["protocols"],
			"routes": []with{{"to": "192.0.2.0/24", "gateway": "192.0.2.11", "interface": "en0"}}, "odm_routes": []with{
				{"to": "0.0.0.0/0", "gateway": "192.0.2.1", "interface": ""}}}, "lpar2": tcp}, more: func(in *diagnose.Input) {
			in.Measured = []diagnose.Measured{{From: en0, To: far, Sent: 36, Lost: 36}}
		}, want: []string{"no-route/lpar1:host proved"}, hidden: []string{"no-answer/lpar1:en0"}},
		{name: "nobody answers for the address of the far end", now: with{"lpar1": with{"protocols": tcp["protocols"],
			"unmet_arp": []string{"192.0.2.12"}}, "lpar2": tcp}, more: func(in *diagnose.Input) {
			in.Measured = []diagnose.Measured{{From: en0, To: far, Sent: 36, Lost: 36}}
		}, want: []string{"no-neighbour/lpar1:en0 likely"}, hidden: []string{"no-answer/lpar1:en0"}},
		{name: "a distance that was always there", more: func(in *diagnose.Input) {
			in.Measured = []diagnose.Measured{{From: en0, To: far, Sent: 600, RTTms: 10}}
			in.Earlier = in.Measured
		}, want: []string{"distance-window/lpar1:en0 proved"}},
		{name: "a small window", now: with{"lpar1:en0": with{"attrs": with{"tcp_sendspace": "16384"}}}, more: func(in *diagnose.Input) {
			in.Measured = []diagnose.Measured{{From: en0, To: far, Sent: 600, RTTms: 0.2}}
		}, want: []string{"window/lpar1:en0 proved"}},
		{name: "a switch port without jumbo frames", now: with{"lpar1:en0": with{"attrs": with{"mtu": "9000"}}, "lpar2:en0": with{"attrs": with{"mtu": "9000"}}},
			more: func(in *diagnose.Input) {
				in.Measured = []diagnose.Measured{{From: en0, To: far, Sent: 600, MTU: &pathmtu.Direction{From: en0, To: far, Wanted: 9000,
					Largest: 1500, Verdict: pathmtu.BlackHole, Suspect: []pathmtu.Suspect{{Is: "the switch port of vios2:ent0", Port: &port}}}}}
			}, want: []string{"mtu-black-hole/vios2:switch port of ent0 proved"}, hidden: []string{"mtu-settings/lpar1:en0", "mtu-settings/lpar2:en0"}},
		{name: "jumbo frames at one end only", now: with{"lpar1:en0": with{"attrs": with{"mtu": "9000"}}}, more: func(in *diagnose.Input) {
			in.Measured = []diagnose.Measured{{From: en0, To: far, Sent: 600, MTU: &pathmtu.Direction{From: en0, To: far, Wanted: 9000,
				Largest: 1504, Verdict: pathmtu.BlackHole, Suspect: []pathmtu.Suspect{{Is: "lpar2:en0"}}}}}
		}, want: []string{"mtu-ends/lpar1:en0 proved"}, hidden: []string{"mtu-settings/lpar1:en0"}},
		{name: "a switch port without jumbo frames, and the next boot's MTU is another", now: with{
			"lpar1:en0": with{"attrs": with{"mtu": "9000"}}, "lpar2:en0": with{"attrs": with{"mtu": with{"running": 9000, "next_boot": 1500}}}},
			more: func(in *diagnose.Input) {
				in.Measured = []diagnose.Measured{{From: en0, To: far, Sent: 600, MTU: &pathmtu.Direction{From: en0, To: far, Wanted: 9000,
					Largest: 1500, Verdict: pathmtu.BlackHole, Suspect: []pathmtu.Suspect{{Is: "the switch port of vios2:ent0", Port: &port}}}}}
			}, want: []string{"mtu-black-hole/vios2:switch port of ent0 proved"}, hidden: []string{"mtu-settings/lpar1:en0", "mtu-settings/lpar2:en0"}},
		{name: "one of two switch ports without jumbo frames", now: with{"lpar1:en0": with{"attrs": with{"mtu": "9000"}}, "lpar2:en0": with{"attrs": with{"mtu": "9000"}}},
			more: func(in *diagnose.Input) {
				way := pathmtu.Direction{From: en0, To: far, Wanted: 9000, Largest: 1500, Verdict: pathmtu.BlackHole,
					Suspect: []pathmtu.Suspect{{Is: "the switch port of vios1:ent0", Port: &port}, {Is: "the switch port of vios2:ent0", Port: &port}}}
				back := way
				back.From, back.To = far, en0
				in.Measured = []diagnose.Measured{{From: en0, To: far, Sent: 600, MTU: &way}, {From: far, To: en0, Sent: 600, MTU: &back}}
			}, want: []string{"mtu-black-hole/lpar1:en0 proved"}, hidden: []string{"mtu-settings/lpar1:en0", "mtu-settings/lpar2:en0"}},
		{name: "a host that is down", more: func(in *diagnose.Input) { in.Failed["lpar2"] = "lpar2: unreachable" },
			want: []string{"host-down/lpar2:host likely"}},
		{name: "a VIOS that is down, and nothing passes", more: func(in *diagnose.Input) {
			in.Failed["vios1"] = "vios1: unreachable"
			in.Measured = []diagnose.Measured{{From: en0, To: far, Sent: 600, Lost: 600}}
		}, want: []string{"host-down/vios1:host likely"}},
		{name: "no link", now: with{"vios1:ent0": with{"link_up": false}}, want: []string{"no-link/vios1:ent0 proved"}},
		{name: "a link that comes and goes, and no driver says so", now: with{"vios1:ent0": with{"link_up": false}}, more: func(in *diagnose.Input) {
			in.Measured = []diagnose.Measured{{From: en0, To: far, Sent: 16, Lost: 9}}
			in.Links = []diagnose.Link{{Port: model.Ref{Host: "vios1", Element: "ent0"}, Looks: 5, Changes: 2}}
		}, want: []string{"link-flap/vios1:ent0 proved"}, hidden: []string{"no-link/vios1:ent0"}},
		{name: "a full receiver makes queues", now: with{"lpar2:ent0": counters(with{"Hypervisor Receive Failures": 500, "rx.Packets": 610000})},
			before: with{"lpar2:ent0": counters(with{"Hypervisor Receive Failures": 0, "rx.Packets": 600000})}, more: func(in *diagnose.Input) {
				in.Measured = []diagnose.Measured{{From: en0, To: far, Sent: 600, RTTms: 70}}
			}, want: []string{"slow-receiver/lpar2:ent0 proved"}, hidden: []string{"delay/lpar1:en0"}},
		{name: "a far end that lets no pings in", now: well, more: func(in *diagnose.Input) {
			in.Measured[0] = diagnose.Measured{From: en0, To: far, Sent: 36, Lost: 36}
		}},
		{name: "one small packet of a direction passes, and no other", now: well, more: func(in *diagnose.Input) {
			in.Measured[0].Lost = in.Measured[0].Sent
		}, want: []string{"packet-loss/lpar1:en0 proved"}},
		{name: "large packets vanished by chance, and then passed", now: with{"lpar1:en0": with{"attrs": with{"mtu": "9000"}}, "lpar2:en0": with{"attrs": with{"mtu": "9000"}}},
			more: func(in *diagnose.Input) {
				in.Measured[0].MTU = &pathmtu.Direction{From: en0, To: far, Wanted: 9000, Largest: 1500, Verdict: pathmtu.BlackHole,
					Suspect: []pathmtu.Suspect{{Is: "the switch port of vios2:ent0", Port: &port}}}
				in.Measured[0].LargeSent, in.Measured[0].LargePassed = 20, 13
				in.Measured[1].MTU.Wanted, in.Measured[1].MTU.Largest = 9000, 9000
			}, want: []string{"mtu-settings/lpar1:en0 likely", "mtu-settings/lpar2:en0 likely"}},
		{name: "a route that only one direction has", now: with{"lpar2:en0": with{"addrs": []any{"198.51.100.12/24"}}}, more: func(in *diagnose.Input) {
			in.Measured = []diagnose.Measured{{From: en0, To: far, Sent: 36, Lost: 36}, {From: far, To: en0, Sent: 616, RTTms: 0.2}}
		}, want: []string{"no-answer/lpar1:en0 proved"}},
		{name: "pings of both ends are lost", more: func(in *diagnose.Input) {
			in.Measured = []diagnose.Measured{{From: en0, To: far, Sent: 36, Lost: 36}, {From: far, To: en0, Sent: 36, Lost: 36}}
		}, want: []string{"no-answer/lpar1:en0 proved"}},
		{name: "a VLAN that no SEA carries", now: with{"lpar2:ent0": with{"pvid": 77}}, more: func(in *diagnose.Input) {
			in.Measured = []diagnose.Measured{{From: en0, To: far, Sent: 36, Lost: 36}}
		}, want: []string{"vlan/lpar2:ent0 likely"}, hidden: []string{"no-answer/lpar1:en0"}, says: "no SEA of the system carries the VLAN of a client"},
		{name: "streams that fill the line", now: with{"lpar1": lossy["lpar1"], "lpar2": tcp}, before: with{"lpar1": quiet["lpar1"]},
			more: func(in *diagnose.Input) {
				bps := 9.4e9
				in.Load = []diagnose.Stream{{Streams: 32, BPS: &bps}}
			}},
		{name: "streams that do not", now: with{"lpar1": lossy["lpar1"], "lpar2": tcp}, before: with{"lpar1": quiet["lpar1"]},
			more: func(in *diagnose.Input) {
				bps := 2e9
				in.Load = []diagnose.Stream{{Streams: 32, BPS: &bps}}
			}, want: []string{"retransmissions/lpar1:host proved"}},
		{name: "a wrong clock", more: func(in *diagnose.Input) { in.Clocks = map[string]float64{"lpar1": 3600, "lpar2": 0} },
			want: []string{"clock/lpar1:host proved"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			in := input(t, "two-systems", tt.now, tt.before)
			if tt.more != nil {
				tt.more(&in)
			}
			d, err := diagnose.Judge(t.Context(), in)
			if err != nil {
				t.Fatal(err)
			}
			var got, hidden []string
			for i, c := range d.Causes {
				got = append(got, c.At()+" "+c.Certainty)
				if i == 0 && len(c.Hides) > 0 {
					hidden = c.Hides
				}
				for _, text := range c.Explains {
					if strings.Contains(text, ", and no ") || len(c.Explains) != len(c.Hides) {
						t.Errorf("%s explains %q, which %q says, want it in words", c.ID, c.Hides, text)
					}
				}
				if c.Harm <= 0 || c.Harm > 1 || len(c.Do) == 0 || len(c.Verify) == 0 {
					t.Errorf("%s: got harm %g, do %q, verify %q, want all of them", c.ID, c.Harm, c.Do, c.Verify)
				}
			}
			if tt.says != "" && !strings.Contains(strings.Join(d.Causes[0].Says, "; "), tt.says) {
				t.Errorf("got %q, want %q in it", d.Causes[0].Says, tt.says)
			}
			if diff := cmp.Diff([][]string{tt.want, tt.hidden}, [][]string{got, hidden}); diff != "" {
				t.Errorf("causes, hidden by the first (-want +got):\n%s", diff)
			}
			want := diagnose.Found
			if len(tt.want) == 0 {
				want = diagnose.NotNetwork
			}
			if d.Verdict != want {
				t.Errorf("got the verdict %q, want %q; not seen: %+v", d.Verdict, want, d.NotSeen)
			}
		})
	}
}

// What was not seen is not healthy, and is named.
func TestTooLittleSeen(t *testing.T) {
	in := input(t, "two-systems", nil, nil)
	in.Before = nil
	d, err := diagnose.Judge(t.Context(), in)
	if err != nil || d.Verdict != diagnose.Inconclusive {
		t.Fatalf("one reading: got %+v, %v, want %q", d, err, diagnose.Inconclusive)
	}
	in = input(t, "two-systems", nil, nil)
	bps := 95e6
	in.Load = []diagnose.Stream{{Streams: 1, BPS: &bps}}
	if d, err = diagnose.Judge(t.Context(), in); err != nil || d.Verdict != diagnose.Inconclusive || !strings.Contains(d.NotSeen[0].What, "95 Mbit/s") {
		t.Errorf("a stream that creeps: got %+v, %v, want it open why", d, err)
	}
	in = input(t, "two-systems", with{"vios2": nil}, nil)
	if d, err = diagnose.Judge(t.Context(), in); err != nil || d.Verdict != diagnose.Inconclusive || !strings.Contains(d.NotSeen[0].What, "no VIOS") {
		t.Errorf("a VIOS that was not read: got %+v, %v, want it named", d, err)
	}
	in = input(t, "two-systems", with{"vios1:ent0": with{"counters": nil}}, nil)
	if d, err = diagnose.Judge(t.Context(), in); err != nil {
		t.Fatal(err)
	}
	open := slices.ContainsFunc(d.NotSeen, func(n diagnose.NotSeen) bool { return strings.Contains(n.What, "counter") })
	if d.Verdict != diagnose.Inconclusive {
		t.Errorf("a port without counters: got %q, want %q", d.Verdict, diagnose.Inconclusive)
	}
	if !open && slices.ContainsFunc(d.RuledOut, func(r diagnose.RuledOut) bool { return r.ID == "damaged-frames" }) {
		t.Errorf("got %+v ruled out, %+v not seen, want the port's counters among what was not seen", d.RuledOut, d.NotSeen)
	}
}

// A symptom that users name puts the causes that show so first.
func TestSymptomRanks(t *testing.T) {
	en0 := model.Ref{Host: "lpar1", Element: "en0"}
	in := input(t, "two-systems", with{"lpar1:en0": with{"attrs": with{"tcp_sendspace": "65536"}}}, nil)
	in.Measured = []diagnose.Measured{{From: en0, To: model.Ref{Host: "lpar2", Element: "en0"}, Sent: 600, RTTms: 1.1}}
	in.Symptom = "latency"
	d, err := diagnose.Judge(t.Context(), in)
	if err != nil || len(d.Causes) < 2 || d.Causes[0].ID != "delay" {
		t.Errorf("got %+v, %v, want delay before window", d, err)
	}
}

// The far end is a Linux host, and is judged too.
func TestCausesAtALinuxHost(t *testing.T) {
	protocols := func(name string, n int) with {
		return with{"linux1": with{"protocols": with{name: n, "softnet.processed": n * 1000, "Tcp.PassiveOpens": n * 10}}}
	}
	tests := []struct {
		name        string
		now, before with
		want        string // the first cause, with its certainty
		possible    bool
	}{
		{name: "healthy"},
		{name: "a full backlog", now: protocols("softnet.dropped", 900), before: protocols("softnet.dropped", 0),
			want: "receive-backlog/linux1:host proved"},
		{name: "its total", now: protocols("softnet.dropped", 9000), want: "receive-backlog/linux1:host likely"},
		{name: "a program that does not listen", now: protocols("TcpExt.ListenOverflows", 900), before: protocols("TcpExt.ListenOverflows", 0),
			want: "socket-overflow/linux1:host proved"},
		{name: "receive pools", now: with{"linux1:eth0": counters(with{"rx_no_buffer": 9000, "rx_packets": 200000})},
			before: with{"linux1:eth0": counters(with{"rx_no_buffer": 0, "rx_packets": 100000})}, want: "slow-receiver/linux1:eth0 proved"},
		{name: "pools that were short for a few of millions", now: with{"linux1:eth0": counters(with{"rx_no_buffer": 120, "rx_packets": 27000000})}},
		{name: "its total, of so many", now: with{"linux1:eth0": counters(with{"rx_no_buffer": 90000, "rx_packets": 27000000})},
			want: "slow-receiver/linux1:eth0 likely"},
		{name: "refused by the hypervisor", now: with{"linux1:eth0": counters(with{"tx_send_failed": 9000, "tx_map_failed": 0})},
			before: with{"linux1:eth0": counters(with{"tx_send_failed": 0, "tx_map_failed": 0})}, want: "send-drops/linux1:eth0 proved"},
		{name: "a discipline that drops", now: with{"linux1:eth0": counters(with{"qdisc_drops": 9000, "qdisc_packets": 200000})},
			before: with{"linux1:eth0": counters(with{"qdisc_drops": 0, "qdisc_packets": 100000})}, want: "send-drops/linux1:eth0 proved"},
		{name: "a full table of connections", now: with{"linux1:sysctl": with{"net.netfilter.nf_conntrack_max": "262144"}, "linux1": with{
			"figures": with{"conntrack_flows": with{"value": 262144}}}}, want: "connection-table/linux1:sysctl likely"},
		{name: "the lowest clock", now: with{"linux1:sysctl": with{"cpufreq.scaling_governor": "powersave",
			"cpufreq.scaling_driver": "powernv-cpufreq"}}, want: "cpu-settings/linux1:sysctl possible", possible: true},
		{name: "offload off", now: with{"linux1:eth0": with{"attrs": with{"tso": "off"}}}, want: "offload/linux1:eth0 possible", possible: true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			in := inputTo(t, "linux", "linux1:eth0", tt.now, tt.before)
			if tt.before == nil {
				in.Before = nil
			}
			d, err := diagnose.Judge(t.Context(), in)
			if err != nil {
				t.Fatal(err)
			}
			list := d.Causes
			if tt.possible {
				list = d.Possible
			}
			var got []string
			for _, c := range list {
				got = append(got, c.At()+" "+c.Certainty)
			}
			if tt.want == "" && len(got) > 0 || tt.want != "" && !slices.Contains(got, tt.want) {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}

// A known defect that left a sign of its own explains what shows by the same counter, and ranks above it, also
// where a distribution's kernel does not say whether it has the fix. Without the sign it is possible at most.
func TestDefectExplainsItsSign(t *testing.T) {
	now := func(large int) with {
		return with{"linux1": with{"level": "5.3.18-150.7-default", "protocols": with{"Tcp.InCsumErrors": 4400, "Tcp.InSegs": 900000}},
			"linux1:eth0": counters(with{"rx_large_packets": large})}
	}
	for large, want := range map[int]string{0: "413f142cc05c/linux1:eth0", 7700: "bad-checksums/linux1:host"} {
		in := inputTo(t, "linux", "linux1:eth0", now(large), nil)
		in.Before = nil
		d, err := diagnose.Judge(t.Context(), in)
		if err != nil {
			t.Fatal(err)
		}
		if len(d.Causes) == 0 || d.Causes[0].At() != want {
			t.Errorf("%d large packets seen: got causes %v, want %s first", large, d.Causes, want)
		}
	}
}
