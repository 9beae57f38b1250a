package report_test

import (
	"fmt"
	"time"

	"seaworthy/internal/audit/diff"
	"seaworthy/internal/audit/finding"
	"seaworthy/internal/change/execute"
	"seaworthy/internal/change/plan"
	"seaworthy/internal/change/task"
	"seaworthy/internal/change/watchdog"
	"seaworthy/internal/inventory/model"
	"seaworthy/internal/measure"
	"seaworthy/internal/measure/stats"
	"seaworthy/internal/ui/report"
)

func ref(host, element string) model.Ref { return model.Ref{Host: host, Element: element} }

// hostile holds what a host may print to take over a terminal.
const hostile = "ent7\x1b[2J\x07\r\u009b31m\u202egnorw"

func attrs(pairs ...string) map[string]*model.Attr {
	m := map[string]*model.Attr{}
	for i := 0; i < len(pairs); i += 2 {
		m[pairs[i]] = &model.Attr{Name: pairs[i], Running: new(pairs[i+1]), NextBoot: new(pairs[i+1])}
	}
	return m
}

func fleet() *model.Fleet {
	en0 := &model.Element{Name: "en0", Kind: model.Interface, On: "ent0",
		Attrs: attrs("mtu", "1500", "mtu_bypass", "off", "tcp_sendspace", "262144", "tcp_recvspace", "262144", "rfc1323", "1", "thread", "off")}
	en0.Attrs["mtu_bypass"].NextBoot = new("on")
	lpar := &model.Host{Name: "lpar1", Platform: model.AIX, Level: "7200-05-03-2148", MachineID: "9119-MHE*21SEA01",
		Elements: map[string]*model.Element{"en0": en0,
			"ent0": {Name: "ent0", Kind: model.Virtual, LinkUp: new(true), Attrs: attrs("chksum_offload", "yes", "buf_mode", "max_min")}}}
	vios := &model.Host{Name: "vios1", Platform: model.VIOS, IOSLevel: "3.1.2.21",
		Elements: map[string]*model.Element{
			"ent0": {Name: "ent0", Kind: model.Physical, LinkUp: new(true), PortFacts: model.PortFacts{SpeedMb: new(int64(10000))},
				Attrs: attrs("jumbo_frames", "no", "large_send", "yes", "large_receive", "yes", "chksum_offload", "yes", "flow_ctrl", "yes", "media_speed", "Auto_Negotiation")},
			"ent5": {Name: "ent5", Kind: model.SEA, SEAFacts: model.SEAFacts{Real: "ent0", Trunks: []string{"ent4"}}, LinkUp: new(false),
				Attrs: attrs("largesend", "1", "large_receive", "no", "jumbo_frames", "no", "thread", "1", "ha_mode", "disabled")},
		}}
	odd := &model.Host{Name: "vios2", Platform: model.VIOS, Elements: map[string]*model.Element{hostile: {Name: hostile, Kind: model.Virtual}},
		Gaps: []model.Gap{{What: "entstat -d " + hostile, Why: "exit status 1: \x1b[31mno such device"}}}
	return &model.Fleet{Hosts: []*model.Host{lpar, vios, odd}}
}

func path() *model.Path {
	hop := func(host, element, kind, note string) model.Hop {
		r := ref(host, element)
		return model.Hop{Ref: &r, Kind: kind, Note: note}
	}
	return &model.Path{From: ref("lpar1", "en0"), To: ref("vios1", "ent0"), Hops: []model.Hop{
		hop("lpar1", "en0", "interface", ""), hop("lpar1", "ent0", "virtual-adapter", ""),
		{Kind: "hypervisor-switch", Note: "VLAN 1 on ETHERNET0"},
		hop("vios1", "ent5", "sea", "trunk ent4"), hop("vios1", "ent0", "physical-adapter", "real adapter"),
		{Kind: "ethernet-switch", Note: "not visible from any host"},
	}, Gaps: []model.Gap{{What: "vios1 ent4", Why: "its VLANs were not read: the SEA on this VLAN was taken because there is no other"}}}
}

func findings() []finding.Finding {
	return []finding.Finding{
		{ID: "R001/lpar1:en0", Rule: "R001", Title: "largesend is off on an AIX client", Verdict: finding.Found, Severity: finding.High, Element: ref("lpar1", "en0"),
			Evidence: []finding.Evidence{{Host: "lpar1", Command: "lsattr -El en0", Line: 8, Text: "mtu_bypass off Enable/Disable largesend for virtual Ethernet True"},
				{Host: "lpar1", Command: "ifconfig en0", Text: "en0: flags=1e084863,480<UP,BROADCAST,NOTRAILERS,RUNNING,SIMPLEX,MULTICAST,GROUPRT,64BIT,CHECKSUM_OFFLOAD(ACTIVE),CHAIN>"}},
			Why: "TCP cuts the data into frames itself and pays for each of them.", Effect: "1 stream 2500 to 6200 Mbit/s with 4.02 to 3.22 cores (S000)",
			Remedy: []finding.Setting{{Ref: ref("lpar1", "en0"), Attr: "mtu_bypass", Value: "on"}}, Cautions: []string{"Messages of 700 bytes and less gain nothing."}, Sources: []string{"S000:L2-4", "IBM-LSO"}},
		{ID: "R004/vios1:ent5", Rule: "R004", Title: "the SEA does not pass largesend on", Verdict: finding.Found, Severity: finding.Critical, Element: ref("vios1", hostile),
			Evidence: []finding.Evidence{{Host: "vios1", Command: "lsattr -El ent5", Line: 3, Text: "largesend 0 \x1b[32mall well\x1b[0m\ttrue"}},
			Affects:  []model.Ref{ref("lpar1", "en0")}, Advice: []string{"Ask why it was switched off."}},
		{Rule: "R052", Title: "the SEA keeps no figures per client", Verdict: finding.Found, Severity: finding.Info, Element: ref("vios1", "ent5")},
		{Rule: "R060", Title: "the partition has no CPU left for its network", Verdict: finding.NotAssessed, Element: ref("lpar1", "host"), Missing: []string{"lpar1: cores used", "lpar1: entitlement (lparstat -i)"}},
		{Rule: "R060", Title: "the partition has no CPU left for its network", Verdict: finding.NotAssessed, Element: ref("lpar2", "host"), Missing: []string{"lpar2: cores used"}},
		{Rule: "R003", Verdict: finding.Pass, Element: ref("lpar1", "en0")},
	}
}

func samplePlan() *plan.Plan {
	v := func(s string) task.Values { return task.Values{Running: new(s), NextBoot: new(s)} }
	return &plan.Plan{ID: "0123456789ab", Hosts: []string{"lpar1", "vios1"}, Steps: []plan.Step{
		{Task: task.Task{ID: "lpar1:en0:mtu", Host: "lpar1", Element: "en0",
			Changes: []task.Change{{Attr: "mtu", Before: v("1500"), After: v("9000")}},
			Program: task.Program{
				Do:     []string{"chdev -l en0 -a state=down", "chdev -l en0 -a mtu=9000", "chdev -l en0 -a state=up"},
				Verify: []task.Check{{Command: "lsattr -El en0 -a mtu -F value", Attr: "mtu", Want: "9000"}},
				Undo:   []string{"chdev -l en0 -a mtu=1500"},
			}}, Class: "O2", Outage: "the interface is down for some seconds", Why: []string{"R024/lpar1:en0"}, Notes: []string{"takes en0 down and up again: not over a session that uses en0"}},
		{Task: task.Task{ID: "vios1:ent5:largesend", Host: "vios1", Element: "ent5",
			Changes: []task.Change{{Attr: "largesend", Before: task.Values{NextBoot: new("0")}, After: v("1")}},
			Program: task.Program{Do: []string{"ioscli chdev -dev ent5 -attr largesend=1"}, Undo: []string{"ioscli chdev -dev ent5 -attr largesend=0"}},
		}, Class: "O0", Outage: "none (traffic continues)"},
	}, Refused: []plan.Refusal{{Setting: finding.Setting{Ref: ref("vios1", "ent0"), Attr: "jumbo_frames", Value: "yes"},
		Reason: "ent0 is the real adapter of the SEA ent5: the attribute is the SEA's, and every host of the VLAN and the switch must follow"}}}
}

var day = time.Date(2026, 3, 4, 5, 6, 7, 0, time.UTC)

func undone() *execute.Run {
	why := "vios1 ent5: ioscli chdev -dev ent5 -attr largesend=1: exit status 1: 0514-062 Cannot perform the requested function because the specified device is busy."
	return &execute.Run{ID: "20260304-050607-0a1b2c", Plan: "0123456789ab", Started: day, Ended: day.Add(time.Minute), Outcome: execute.RolledBack, Error: why,
		Steps: []execute.StepRun{{Step: "lpar1:en0:mtu", State: "undone"}, {Step: "vios1:ent5:largesend", State: "undone", Error: why}}}
}

func pending() *execute.Run {
	return &execute.Run{ID: "20260304-060607-0a1b2c", Plan: "0123456789ab", Started: day.Add(time.Hour), Outcome: execute.Pending, Within: "2m0s",
		Steps: []execute.StepRun{{Step: "lpar1:en0:mtu", State: "done"}},
		Hosts: []watchdog.State{{Run: "20260304-060607-0a1b2c", Host: "lpar1", Phase: watchdog.Armed, Left: 90, Watchers: 2}}}
}

// measured is a comparison of one stream workload and one of sessions.
func measured() *measure.Result {
	figure := func(workload, variant, name string, median, low, high float64) measure.Figure {
		return measure.Figure{Workload: workload, Variant: variant, Figure: name,
			Summary: stats.Summary{N: 9, Median: median, Low: new(low), High: new(high)}}
	}
	effect := func(workload, name string, ratio, low, high float64, v stats.Verdict) measure.Contrast {
		return measure.Contrast{Workload: workload, Figure: name, Effect: stats.Effect{Blocks: 9, Ratio: ratio, Low: new(low), High: new(high), Verdict: v}}
	}
	stream, session := "8 TCP streams", "10 sessions × 700 B"
	once := figure(session, "after", measure.Cores, 0.61, 0, 0)
	once.N, once.Low, once.High = 1, nil, nil
	return &measure.Result{Mode: "compare", Started: day, Ended: day.Add(time.Minute),
		Options: measure.Options{From: "lpar1", To: "lpar2", Target: "10.10.10.12", Driver: "builtin", Repetitions: 9, Control: 4, Seed: 42, Variants: []string{"before", "after"},
			Changes: []measure.Change{{Variant: "after", Plan: "040e353c1e41e3fcb2b5fa37", Values: []string{"lpar1:en0 mtu_bypass: off → on"}}},
			Program: "seaworthy 0.1.0 (go1.26, linux/amd64)", Workloads: []measure.Workload{{Name: stream}, {Name: session}}},
		Hosts: []measure.HostInfo{{Name: "lpar1", Role: "from", Meter: "/proc/stat"}, {Name: "lpar2", Role: "to", Meter: "/proc/stat"}, {Name: "vios1", Role: "via", Meter: "none: lparstat is not there"}},
		Figures: []measure.Figure{
			figure(stream, "before", measure.Throughput, 5.612e9, 5.5e9, 5.7e9), figure(stream, "after", measure.Throughput, 9.41e9, 9.38e9, 9.44e9),
			figure(stream, "before", measure.Cores, 1.41, 1.38, 1.44), figure(stream, "after", measure.Cores, 0.55, 0.52, 0.58),
			figure(stream, "before", measure.PerCore, 3.98, 3.9, 4.05), figure(stream, "after", measure.PerCore, 17.1, 16.8, 17.6),
			figure(session, "before", measure.Transactions, 52345.6, 52000, 52700), figure(session, "after", measure.Transactions, 52200, 51900, 52600),
			figure(session, "before", measure.Cores, 0.62, 0.6, 0.64), once,
			figure(session, "before", measure.LatencyP50, 180, 178, 185), figure(session, "before", measure.Retransmits, 0.25, 0, 0.5),
		},
		Contrast: []measure.Contrast{effect(stream, measure.Throughput, 1.677, 1.65, 1.70, stats.Improved), effect(stream, measure.Cores, 0.39, 0.37, 0.41, stats.Improved),
			effect(session, measure.Transactions, 0.9972, 0.985, 1.01, stats.NoDifference), effect(session, measure.Cores, 1.2, 1.1, 1.3, stats.Worse)},
		Controls: []measure.Contrast{effect(stream, measure.Throughput, 1.001, 0.99, 1.01, stats.NoDifference), effect(session, measure.Transactions, 1.08, 1.04, 1.12, stats.Unsteady)},
		Trials:   []measure.Trial{{Number: 1, NoCores: []string{"vios1: lparstat is not there"}}, {Number: 2, NoCores: []string{"vios1: lparstat is not there"}}},
	}
}

func published() []report.Reference {
	return []report.Reference{{Workload: "8 TCP streams", Figure: measure.Throughput, Before: 3900e6, After: 8800e6, Source: "seed 000, POWER8"},
		{Workload: "8 TCP streams", Figure: measure.Cores, Before: 5.52, After: 4.13, Source: "seed 000, POWER8"}}
}

// fleetPlan changes the same on many hosts, and then more on one of them.
func fleetPlan(n int) *plan.Plan {
	off, on := "off", "on"
	p := &plan.Plan{ID: "0123456789ab", Parts: []plan.Part{{Window: plan.AnyTime, Steps: n + 1, Worst: "O0", Outage: "none (traffic continues)"}}}
	step := func(host, attr string) {
		p.Steps = append(p.Steps, plan.Step{Task: task.Task{ID: host + ":en0:" + attr, Host: host, Element: "en0",
			Changes: []task.Change{{Attr: attr, Before: task.Values{Running: &off, NextBoot: &off}, After: task.Values{Running: &on, NextBoot: &on}}},
			Program: task.Program{Do: []string{"chdev -l en0 -a " + attr + "=on"}, Undo: []string{"chdev -l en0 -a " + attr + "=off"}},
		}, Class: "O0", Outage: "none (traffic continues)", Why: []string{"R001/" + host + ":en0"}})
	}
	for i := range n {
		host := fmt.Sprintf("lpar%d", i+1)
		p.Hosts = append(p.Hosts, host)
		p.Parts[0].Hosts = p.Hosts
		step(host, "mtu_bypass")
	}
	step("lpar1", "rfc1323")
	return p
}

// changed is a setting, a failover and counters between two readings.
func changed() *diff.Diff {
	counter := func(host, element, name string, n, packets uint64) diff.Counter {
		return diff.Counter{Ref: ref(host, element), Name: name, Growth: n, Text: fmt.Sprintf("+%d in 1 d", n), Packets: packets}
	}
	return &diff.Diff{
		Failovers: []diff.Failover{{System: "9009-22A*7812345", VSwitch: "ETHERNET0", VLANs: []int{1, 10, 11},
			Before: []model.Ref{ref("vios1", "ent5")}, After: []model.Ref{ref("vios2", "ent5")}}},
		Changes: []diff.Change{{Ref: ref("vios1", "ent5"), Kind: diff.Setting, What: "large_receive", Before: new("yes"), After: new("no")}},
		Counters: []diff.Counter{counter("vios1", "ent0", "CRC Errors", 600, 20_000), counter("lpar1", "ent0", "No Resource Errors", 3, 9_000_000),
			counter("lpar2", "ent0", "No Resource Errors", 1, 9_000_000), counter("lpar2", "host", "ip.bad_header_checksums", 1, 0)},
	}
}
