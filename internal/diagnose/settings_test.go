package diagnose_test

import (
	"slices"
	"strings"
	"testing"

	"seaworthy/internal/audit/finding"
	"seaworthy/internal/change/pathmtu"
	"seaworthy/internal/diagnose"
	"seaworthy/internal/knowledge"
)

// tcp is a host that sent packets and none of them again.
var tcp = with{"protocols": with{"tcp.packets_sent": 30000, "tcp.packets_sent.data_packets_retransmitted": 0}}

// off has largesend off on the sender.
var off = with{"lpar1": tcp, "lpar2": tcp, "lpar1:en0": with{"attrs": with{"mtu_bypass": "off"}, "flags": nil}}

func judged(t *testing.T, in diagnose.Input) *diagnose.Diagnosis {
	t.Helper()
	d, err := diagnose.Judge(t.Context(), in)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func moved(mbit float64, streams int) diagnose.Stream {
	bps := mbit * 1e6
	return diagnose.Stream{Streams: streams, Seconds: 3, BPS: &bps}
}

// predicted is a forecaster: without settings, and with any.
func predicted(now, after diagnose.Interval) func([]finding.Setting) diagnose.Forecast {
	return func(s []finding.Setting) diagnose.Forecast {
		f := diagnose.Forecast{Now: &now, Limit: "the threads of the streams"}
		if len(s) > 0 {
			f.After, f.Then = &after, "the line"
		}
		return f
	}
}

// A setting that limits a path is not a fault, and no health either.
func TestSettingsToFix(t *testing.T) {
	in := input(t, "two-systems", off, nil)
	in.Ends, in.Hosts = "lpar1 lpar2 -i lab", "-i lab"
	d := judged(t, in)
	if d.Verdict != diagnose.Settings || len(d.Causes) > 0 {
		t.Fatalf("got %q, %+v, want %q and no cause", d.Verdict, d.Causes, diagnose.Settings)
	}
	if want := "seaworthy plan -i lab --only R001/lpar1:en0"; d.Plan() != want {
		t.Errorf("got the plan %q, want %q", d.Plan(), want)
	}
	d = judged(t, input(t, "two-systems", with{"lpar1": tcp, "lpar2": tcp}, nil))
	if d.Verdict != diagnose.NotNetwork || d.Plan() != "" {
		t.Errorf("with largesend on: got %q, plan %q, want %q and none", d.Verdict, d.Plan(), diagnose.NotNetwork)
	}
}

// A slow stream makes the setting a cause, with what was measured and what is expected.
func TestSettingUnderLoad(t *testing.T) {
	now, after := diagnose.Interval{Median: 1400, Low: 450, High: 4100}, diagnose.Interval{Median: 9200, Low: 6400, High: 9400}
	in := input(t, "two-systems", off, nil)
	in.Load = []diagnose.Stream{moved(1800, 1), moved(2100, 32)}
	in.Predict = predicted(now, after)
	d := judged(t, in)
	if len(d.Causes) != 1 || d.Causes[0].ID != "offload" || d.Causes[0].Certainty != "proved" {
		t.Fatalf("got %+v, want offload proved", d.Causes)
	}
	c := d.Causes[0]
	if c.Speed == nil || c.Speed.Measured != 1800 || c.Speed.Expected != after || !strings.Contains(c.Speed.By, "the threads of the streams") {
		t.Errorf("got the speed %+v, want 1800 of %+v Mbit/s, and the limit", c.Speed, after)
	}
	if c.Plan == "" {
		t.Error("got no plan, want the command that plans it")
	}
	in.Predict = nil // a path of which nothing can be predicted
	d = judged(t, in)
	if len(d.Causes) != 1 || d.Causes[0].Speed == nil || d.Causes[0].Speed.Expected.Median != 10000 {
		t.Errorf("without a prediction: got %+v, want the line expected", d.Causes)
	}
	in.Load = []diagnose.Stream{moved(9000, 1)}
	d = judged(t, in)
	if len(d.Causes) > 0 || d.Verdict != diagnose.Settings {
		t.Errorf("a stream that fills the line: got %q, %+v, want %q", d.Verdict, d.Causes, diagnose.Settings)
	}
}

// A slow stream has one cause where one plan mends it: what asks for nothing, or for no more, is named there.
func TestOneCauseForOnePlan(t *testing.T) {
	now, after := diagnose.Interval{Median: 1400, Low: 450, High: 4100}, diagnose.Interval{Median: 9200, Low: 6400, High: 9400}
	for name, one := range map[string]struct {
		now  with
		want string
	}{
		"checksum offload off": {with{"lpar1": tcp, "lpar2": tcp, "lpar1:ent0": with{"attrs": with{"chksum_offload": "no"}}}, "offload/lpar1:ent0"},
		"a small window":       {with{"lpar1": tcp, "lpar2": tcp, "lpar1:en0": with{"attrs": with{"tcp_sendspace": "16384"}}}, "window/lpar1:en0"},
	} {
		t.Run(name, func(t *testing.T) {
			in := input(t, "two-systems", one.now, nil)
			in.Load, in.Predict = []diagnose.Stream{moved(1800, 1)}, predicted(now, after)
			d := judged(t, in)
			if len(d.Causes) != 1 || d.Causes[0].At() != one.want || d.Causes[0].Plan == "" {
				t.Errorf("got %+v, want %s alone, with a plan", d.Causes, one.want)
			}
		})
	}
}

// Live, what rests on a round trip that diagnose measured is planned by its values: plan does not measure it.
func TestPlanOfWhatWasMeasured(t *testing.T) {
	in := input(t, "two-systems", with{"lpar1": tcp, "lpar2": tcp, "lpar1:en0": with{"attrs": with{"tcp_sendspace": "16384"}}}, nil)
	in.Ends, in.Hosts, in.Live = "lpar1 lpar2 -i lab", "-i lab", true
	for i := range in.Measured {
		in.Measured[i].RTTms = 0.3
	}
	d := judged(t, in)
	want := "seaworthy plan -i lab --set lpar1:en0:tcp_sendspace=524288"
	if len(d.Causes) != 1 || !strings.HasPrefix(d.Causes[0].Plan, want) || strings.Contains(d.Causes[0].Plan, "--only") {
		t.Fatalf("got %+v, want the plan %q …", d.Causes, want)
	}
	in.Live = false
	d = judged(t, in)
	if want := "seaworthy plan -i lab --only R070/lpar1:en0"; len(d.Causes) != 1 || !strings.HasPrefix(d.Causes[0].Plan, want) {
		t.Errorf("from a folder, which has the round trip: got %+v, want the plan %q …", d.Causes, want)
	}
}

// What the streams of diagnose brought about themselves is not a cause while they moved what
// the settings let expect; below that it is.
func TestOwnDoing(t *testing.T) {
	settings, after := diagnose.Interval{Median: 1400, Low: 450, High: 4100}, diagnose.Interval{Median: 9200, Low: 6400, High: 9400}
	full := with{"lpar2:ent0": counters(with{"Hypervisor Receive Failures": 500, "rx.Packets": 610000})}
	before := with{"lpar2:ent0": counters(with{"Hypervisor Receive Failures": 0, "rx.Packets": 600000})}
	ids := func(d *diagnose.Diagnosis) (out []string) {
		for _, c := range d.Causes {
			out = append(out, c.ID)
		}
		return out
	}
	for name, one := range map[string]struct {
		mbit float64
		want []string
	}{
		"as expected":    {1800, []string{"offload"}},
		"a quarter less": {300, []string{"offload"}},
		"far below":      {60, []string{"slow-receiver"}},
	} {
		t.Run(name, func(t *testing.T) {
			now := with{"lpar1": tcp, "lpar2": tcp, "lpar1:en0": off["lpar1:en0"], "lpar2:ent0": full["lpar2:ent0"]}
			in := input(t, "two-systems", now, before)
			in.Load, in.Predict = []diagnose.Stream{moved(one.mbit, 1), moved(one.mbit, 32)}, predicted(settings, after)
			if got := ids(judged(t, in)); len(got) == 0 || got[0] != one.want[0] || one.mbit > 100 && len(got) > 1 {
				t.Errorf("got %q, want %q", got, one.want)
			}
		})
	}
}

// Echo requests that were too large for the path made the SEA drop packets: not a cause.
func TestOwnPingsAreTakenOff(t *testing.T) {
	dropped := func(n int) with {
		return with{"lpar1": tcp, "lpar2": tcp, "vios2:ent5": counters(with{"Real Side Statistics.Packets dropped": n, "Real Side Statistics.Packets received": 20000})}
	}
	zero := with{"vios2:ent5": counters(with{"Real Side Statistics.Packets dropped": 0, "Real Side Statistics.Packets received": 0})}
	causes := func(n int, live bool) []string {
		in := input(t, "two-systems", dropped(n), zero)
		in.Live = live
		probes := make([]pathmtu.Probe, 10)
		for i := range probes {
			probes[i] = pathmtu.Probe{Size: 9000 - i, Outcome: pathmtu.Lost}
		}
		m := slices.Clone(in.Measured)
		way := *m[0].MTU
		way.Wanted, way.Probes, way.Verdict = 9000, probes, pathmtu.BlackHole
		m[0].MTU, m[0].LargeSent = &way, 4
		if live {
			in.Measured = m
		} else {
			in.Earlier = m
		}
		var out []string
		for _, c := range judged(t, in).Causes {
			if c.ID == "sea-drops" {
				out = append(out, c.At())
			}
		}
		return out
	}
	for _, live := range []bool{true, false} {
		if got := causes(32, live); len(got) > 0 {
			t.Errorf("live %v, 32 dropped, of 34 own ones: got %q, want none", live, got)
		}
		if got := causes(400, live); len(got) != 1 {
			t.Errorf("live %v, 400 dropped, of 34 own ones: got %q, want the SEA's drops", live, got)
		}
	}
}

// The answer says how busy the path was.
func TestState(t *testing.T) {
	in := input(t, "two-systems", nil, nil)
	if d := judged(t, in); d.State.Kind != diagnose.Unknown {
		t.Errorf("without byte counters: got %q, want %q", d.State.Kind, diagnose.Unknown)
	}
	in.Load = []diagnose.Stream{moved(9000, 1)}
	if d := judged(t, in); d.State.Kind != diagnose.Loaded {
		t.Errorf("with own streams: got %q, want %q", d.State.Kind, diagnose.Loaded)
	}
}

// What was ruled out says by which reading.
func TestRuledOutBy(t *testing.T) {
	d := judged(t, input(t, "two-systems", with{"lpar1": tcp, "lpar2": tcp}, nil))
	i := slices.IndexFunc(d.RuledOut, func(r diagnose.RuledOut) bool { return r.ID == "packet-loss" })
	if i < 0 || !slices.Contains(d.RuledOut[i].By, "lpar1: loss_percent 0") {
		t.Errorf("got %+v, want packet-loss ruled out by the loss that was measured", d.RuledOut)
	}
}

// What a cause's properties refer to exists.
func TestPropertiesOfCauses(t *testing.T) {
	cat, err := knowledge.Load()
	if err != nil {
		t.Fatal(err)
	}
	shown := map[string]int{}
	for _, c := range cat.Causes() {
		shown[c.Shown]++
		for _, id := range slices.Concat(c.Cures, c.Limits) {
			if _, ok := cat.Rule(id); !ok && id != c.ID {
				t.Errorf("%s: got %s, want a rule", c.ID, id)
			}
		}
		for _, id := range c.Limits {
			if !slices.Contains(c.Witnesses, id) && id != c.ID {
				t.Errorf("%s: %s limits and is no witness", c.ID, id)
			}
		}
		if !slices.Contains([]string{"", knowledge.LocatedByMTU, knowledge.LocatedByTrip}, c.Located) {
			t.Errorf("%s: located %q", c.ID, c.Located)
		}
	}
	if shown[knowledge.ShownUnread] != 1 || shown[knowledge.ShownSilent] != 1 || len(shown) != 3 {
		t.Errorf("got %v, want one cause for a host that cannot be read and one for a silent end", shown)
	}
	r := cat.Ranking()
	if r.Reason == "" || r.FullShare <= 0 || r.SlowShare <= 0 || r.LongTripMS <= 0 || r.Explained <= 0 || r.IdleShare <= 0 ||
		len(r.Certainties) != 3 || len(r.Severities) != 5 {
		t.Errorf("got %+v, want every figure, and what they rest on", r)
	}
}
