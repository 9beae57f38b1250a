package replay

import (
	"math"
	"slices"
	"strings"
	"testing"

	"seaworthy/internal/measure"
	"seaworthy/internal/measure/probe/meter"
	"seaworthy/internal/measure/probe/sock"
	"seaworthy/lab/effect"
)

// measuredRatios gives samples of two cases whose ratios, block by block, are these.
func measuredRatios(ratios ...float64) *samples {
	s := newSamples()
	for i, r := range ratios {
		base := 1e9 * float64(i+1)
		s.add("off", measure.Throughput, i+1, base)
		s.add("on", measure.Throughput, i+1, base*r)
	}
	return s
}

func TestJudgeRatios(t *testing.T) {
	for _, tt := range []struct {
		name   string
		ratios []float64
		expect string
		within float64
		seed   float64
		answer string
		less   bool
	}{
		{"rises as much", []float64{2.4, 2.5, 2.6}, Rises, 0, 2.48, Holds, false},
		{"rises less", []float64{1.4, 1.5, 1.45}, Rises, 0, 2.48, Holds, true},
		{"does not rise", []float64{0.99, 1.01, 1.0, 1.0}, Rises, 0, 2.48, Fails, false},
		{"falls where a rise is claimed", []float64{0.8, 0.81, 0.79}, Rises, 0, 2.48, Fails, false},
		{"wide", []float64{0.5, 1.5, 3}, Rises, 0, 2.48, NotShown, false},
		{"one block", []float64{2}, Rises, 0, 2.48, NotShown, false},
		{"nothing", nil, Rises, 0, 2.48, NotShown, false},
		{"falls", []float64{0.31, 0.33, 0.32}, Falls, 0, 0.32, Holds, false},
		{"falls less", []float64{0.8, 0.81, 0.8}, Falls, 0, 0.32, Holds, true},
		{"rises where a fall is claimed", []float64{1.2, 1.21, 1.2}, Falls, 0, 0.32, Fails, false},
		{"same", []float64{1.01, 0.99, 1.0, 1.0}, Same, 0.03, 1, Holds, false},
		{"not the same", []float64{1.2, 1.21, 1.2}, Same, 0.03, 1, Fails, false},
		{"perhaps the same", []float64{1.0, 1.1, 0.95}, Same, 0.03, 1, NotShown, false},
		{"no rise", []float64{0.9, 0.91, 0.9}, NotRises, 0, 0.95, Holds, false},
		{"a rise after all", []float64{1.5, 1.51, 1.5}, NotRises, 0, 0.95, Fails, false},
	} {
		c := Claim{Text: tt.name, Figure: measure.Throughput, Of: "on", To: "off", Expect: tt.expect, Within: tt.within}
		v := judgeClaim(c, measuredRatios(tt.seed), measuredRatios(tt.ratios...), nil)
		if v.Answer != tt.answer || v.Less != tt.less {
			t.Errorf("%s: got %q, less %v (%v); want %q, less %v", tt.name, v.Answer, v.Less, v.Why, tt.answer, tt.less)
		}
		if v.Published == nil || math.Abs(*v.Published-tt.seed) > 1e-9 {
			t.Errorf("%s: got the source's ratio %v, want %v", tt.name, v.Published, tt.seed)
		}
		if tt.answer == NotShown && len(v.Why) == 0 {
			t.Errorf("%s: not shown, and no reason", tt.name)
		}
	}
}

func TestJudgeFigures(t *testing.T) {
	for _, tt := range []struct {
		name   string
		values []float64
		claim  Claim
		answer string
	}{
		{"above", []float64{11, 11.2, 11}, Claim{Expect: Above, Value: 10}, Holds},
		{"not above", []float64{9, 8.9, 9}, Claim{Expect: Above, Value: 10}, Fails},
		{"around the limit", []float64{8, 12, 10}, Claim{Expect: Above, Value: 10}, NotShown},
		{"below", []float64{1, 1.1, 1}, Claim{Expect: Below, Value: 2}, Holds},
		{"not below", []float64{3, 3.1, 3}, Claim{Expect: Below, Value: 2}, Fails},
		{"about", []float64{45.9}, Claim{Expect: Equals, Value: 44, Within: 0.06}, Holds},
		{"not about", []float64{60}, Claim{Expect: Equals, Value: 44, Within: 0.06}, Fails},
		{"exactly", []float64{1, 1}, Claim{Expect: Equals, Value: 1}, Holds},
		{"not exactly", []float64{1.1, 1.1}, Claim{Expect: Equals, Value: 1}, Fails},
		{"nothing", nil, Claim{Expect: Above, Value: 10}, NotShown},
	} {
		s := newSamples()
		for i, v := range tt.values {
			s.add("live", "size", i+1, v)
		}
		tt.claim.Of, tt.claim.Figure = "live", "size"
		if v := judgeClaim(tt.claim, newSamples(), s, nil); v.Answer != tt.answer {
			t.Errorf("%s: got %q (%v), want %q", tt.name, v.Answer, v.Why, tt.answer)
		}
	}
}

// An interval that leaves a claim open is told in the words of its table.
func TestOpenIntervalIsReadable(t *testing.T) {
	for figure, want := range map[string]string{
		"bps": "goes from 8.00 Gbit/s to 12.00 Gbit/s and holds the limit, 10.00 Gbit/s",
		"bdp": "goes from 8000000000 to 12000000000 and holds the limit, 10000000000",
	} {
		s := newSamples()
		for block, v := range []float64{8e9, 9e9, 10e9, 10e9, 11e9, 12e9} {
			s.add("live", figure, block, v)
		}
		v := judgeClaim(Claim{Figure: figure, Of: "live", Expect: Above, Value: 10e9}, newSamples(), s, nil)
		if v.Answer != NotShown || !strings.Contains(strings.Join(v.Why, ""), want) {
			t.Errorf("%s: got %q because of %q, want %q", figure, v.Answer, v.Why, want)
		}
	}
}

// A machine whose processors are all busy in both cases says nothing about how
// many the path needs; one that has some left does.
func TestJudgeFullMachine(t *testing.T) {
	for busy, want := range map[float64]string{0.99: NotShown, 0.6: Fails} {
		s := newSamples()
		for i := range 5 {
			s.add("on", measure.Cores, i+1, 2)
			s.add("off", measure.Cores, i+1, 2)
		}
		s.add("on", cpuShare, 1, 1)
		s.add("off", cpuShare, 1, busy)
		v := judgeClaim(Claim{Figure: measure.Cores, Of: "on", To: "off", Expect: Falls}, newSamples(), s, nil)
		if v.Answer != want {
			t.Errorf("%.0f %% busy: got %q (%v), want %q", 100*busy, v.Answer, v.Why, want)
		}
	}
}

// What no lab does is said with the lab's own reason, and no figure is needed.
func TestJudgeWithout(t *testing.T) {
	c := Claim{Text: "threads cost CPU", Needs: []Attribute{{"sea", "thread"}}}
	recorded := effects{c.Needs[0]: {Outcome: effect.Recorded, What: "no twin at a bridge"}}
	v := judgeClaim(c, newSamples(), newSamples(), recorded)
	if v.Answer != NotInLab || !strings.Contains(strings.Join(v.Why, " "), "no twin at a bridge") {
		t.Errorf("got %q, %v; want it not in this lab, with the reason", v.Answer, v.Why)
	}
	// Nor is a path that no lab has.
	out := &Outcome{}
	(&runner{}).sum(experiment(t, "E002-RTT"), out, newSamples())
	last := out.Claims[len(out.Claims)-1]
	if last.Answer != NotInLab || !strings.Contains(last.Why[0], "VMware ESX") {
		t.Errorf("got %q, %v; want not in this lab, for lack of VMware", last.Answer, last.Why)
	}
}

func number[T any](v T) *T { return &v }

// Why a case went no faster is read from its trials.
func TestLimits(t *testing.T) {
	trial := func(bps, cores float64, peer uint64) *measure.Trial {
		return &measure.Trial{
			Cores: &cores,
			CPU: map[string]measure.HostCPU{"a": {Usage: meter.Usage{CPUs: 2, Cores: cores}, Counted: true},
				"b": {Usage: meter.Usage{CPUs: 2}, Counted: false}},
			Measure: measure.Measure{BPS: &bps, Bytes: number(uint64(1 << 30)), Retransmits: number(uint64(0)), Sockets: map[string][]sock.State{
				"a": {{Info: sock.TCPState{MSS: number(1448), BusyMicros: number(uint64(1000)), PeerLimited: &peer,
					BufferLimit: number(uint64(0)), MinRTTMicros: number(uint64(100))}}},
			}},
		}
	}
	for _, tt := range []struct {
		name       string
		trial      *measure.Trial
		line       uint64
		want, lack string
	}{
		{"line", trial(9.41e9, 1.0, 0), 10e9, "the line was 98 % full", "nothing measured"},
		{"processors", trial(5e9, 1.95, 0), 10e9, "the machine's processors were 98 % busy", "line"},
		{"window", trial(2e9, 0.7, 800), 10e9, "receiver's window held the sender back for 80 %", "processors"},
		{"nothing", trial(2e9, 0.7, 0), 10e9, "nothing measured was at its limit: the line was 21 % full", "one processor"},
		{"no line", trial(12e9, 1.0, 0), 0, "nothing measured was at its limit", "line"},
	} {
		s := newSamples()
		s.trial("x", 1, tt.trial, "a", line{rate: tt.line})
		got := strings.Join(s.heldBack("x"), "; ")
		if !strings.Contains(got, tt.want) || strings.Contains(got, tt.lack) {
			t.Errorf("%s: got %q, want %q and nothing of %q", tt.name, got, tt.want, tt.lack)
		}
		share := s.of("x", LineShare)
		if tt.line > 0 && (len(share) != 1 || math.Abs(share[0]-*tt.trial.BPS*1514/1448/float64(tt.line)) > 1e-9) {
			t.Errorf("%s: got %v of the line, want the share with headers", tt.name, share)
		}
		if tt.line == 0 && share != nil {
			t.Errorf("%s: got %v of a line that is not there", tt.name, share)
		}
	}
}

// What held back a node's own tool is described as for a measurement's trials.
func TestLimitsOfATool(t *testing.T) {
	for _, x := range []struct {
		machine, tool float64
		want          string
	}{
		{0.99, 0.4, "the machine's processors were 99 % busy"},
		{0.6, 0.97, "the sender had one processor, the most it can use, for 97 % of the time"},
		{0.25, 0.15, "nothing measured was at its limit: the machine's processors were 25 % busy, " +
			"the sender had one processor, the most it can use, for 15 % of the time"},
	} {
		s := newSamples()
		s.add("x", cpuShare, 1, x.machine)
		s.add("x", toolShare, 1, x.tool)
		if got := strings.Join(s.heldBack("x"), "; "); got != x.want {
			t.Errorf("got %q, want %q", got, x.want)
		}
	}
}

// A quotient needs both figures in the same block, and something to divide by.
func TestQuotients(t *testing.T) {
	e := &Experiment{Quotients: []Quotient{{Figure: "failures_an_error", Of: "failures", Per: "errors", Times: 1}}}
	s := newSamples()
	for block, got := range []map[string]float64{
		{"failures": 7, "errors": 7}, {"failures": 7}, {"errors": 7}, {"failures": 0, "errors": 0}, {"failures": 6, "errors": 4},
	} {
		(&trial{stage: &stage{Experiment: e, samples: s}, kase: kase{name: "x"}, block: block}).keep(got)
	}
	if got := s.of("x", "failures_an_error"); !slices.Equal(got, []float64{1, 1.5}) {
		t.Errorf("got %v, want 1 and 1.5", got)
	}
}

// Counts have no interval below zero, however few trials there were.
func TestNoCountBelowZero(t *testing.T) {
	s := newSamples()
	for block, n := range []float64{0, 0, 2, 3, 25} {
		s.add("x", "losses", block, n)
		s.add("x", "change", block, n-1)
	}
	if sum := s.summary("x", "losses"); sum == nil || sum.Low == nil || *sum.Low != 0 {
		t.Errorf("counts: got %+v, want an interval from 0", sum)
	}
	if sum := s.summary("x", "change"); sum == nil || sum.Low == nil || *sum.Low >= 0 {
		t.Errorf("changes: got %+v, want an interval from below zero", sum)
	}
}

// A block that lacks a member of a group has no value of the group; shares may be 0.
func TestGroup(t *testing.T) {
	s := newSamples()
	s.add("a", "bps", 1, 2)
	s.add("b", "bps", 1, 8)
	s.add("a", "bps", 2, 3)
	s.group("both", []string{"a", "b"})
	if got := s.of("both", "bps"); len(got) != 1 || got[0] != 4 {
		t.Errorf("got %v, want the geometric mean of block 1 alone: 4", got)
	}
	s.add("a", windowShare, 1, 0)
	s.add("b", windowShare, 1, 0.8)
	s.group("both", []string{"a", "b"})
	if got := s.of("both", windowShare); len(got) != 1 || got[0] != 0.4 {
		t.Errorf("got %v, want the mean share: 0.4", got)
	}
}
