package predict

import (
	"math"
	"slices"
	"strings"
	"testing"

	"seaworthy/internal/inventory/model"
	"seaworthy/internal/knowledge"
	testdraw "seaworthy/internal/test/draw"
)

// attrs are attributes with their running values.
func attrs(pairs ...string) map[string]*model.Attr {
	out := map[string]*model.Attr{}
	for i := 0; i < len(pairs); i += 2 {
		out[pairs[i]] = &model.Attr{Name: pairs[i], Running: &pairs[i+1]}
	}
	return out
}

// twoSystems is a path through two SEAs on lines of 10 Gbit/s, as AIX ships it.
func twoSystems() (*model.Fleet, *model.Path) {
	f, p := &model.Fleet{}, &model.Path{}
	speed := int64(10_000)
	add := func(host string, platform model.Platform, elements ...*model.Element) {
		h := &model.Host{Name: host, Platform: platform, Elements: map[string]*model.Element{}, Partition: model.Partition{
			Type: "Shared", Mode: "Capped", Entitled: new(2.0), VirtualCPUs: new(4)}}
		for _, e := range elements {
			h.Elements[e.Name] = e
			p.Hops = append(p.Hops, model.Hop{Ref: &model.Ref{Host: host, Element: e.Name}, Kind: string(e.Kind)})
		}
		f.Hosts = append(f.Hosts, h)
	}
	en := func() *model.Element {
		return &model.Element{Name: "en0", Kind: model.Interface,
			Attrs: attrs("mtu", "1500", "mtu_bypass", "off", "tcp_sendspace", "262144", "tcp_recvspace", "262144", "rfc1323", "1")}
	}
	ent := func() *model.Element {
		return &model.Element{Name: "ent0", Kind: model.Virtual, Attrs: attrs("chksum_offload", "yes")}
	}
	port := func() *model.Element {
		return &model.Element{Name: "ent0", Kind: model.Physical, PortFacts: model.PortFacts{SpeedMb: &speed},
			Attrs: attrs("jumbo_frames", "no", "large_send", "yes", "large_receive", "yes")}
	}
	sea := func() *model.Element {
		return &model.Element{Name: "ent5", Kind: model.SEA, Attrs: attrs("largesend", "1", "large_receive", "yes", "jumbo_frames", "no")}
	}
	add("lpar1", model.AIX, en(), ent())
	p.Hops = append(p.Hops, model.Hop{Kind: model.HypervisorSwitch})
	add("vios1", model.VIOS, sea(), port())
	p.Hops = append(p.Hops, model.Hop{Kind: model.EthernetSwitch})
	add("vios2", model.VIOS, port(), sea())
	p.Hops = append(p.Hops, model.Hop{Kind: model.HypervisorSwitch})
	add("lpar2", model.AIX, ent(), en())
	p.From, p.To = model.Ref{Host: "lpar1", Element: "en0"}, model.Ref{Host: "lpar2", Element: "en0"}
	return f, p
}

func at(s string) Target {
	parts := strings.Split(s, ":")
	return Target{model.Ref{Host: parts[0], Element: parts[1]}, parts[2]}
}

func TestFrames(t *testing.T) {
	on := Values{at("lpar1:en0:mtu_bypass"): "on"}
	with := func(v Values, more ...string) Values {
		out := Values{}
		for k, x := range v {
			out[k] = x
		}
		for i := 0; i < len(more); i += 2 {
			out[at(more[i])] = more[i+1]
		}
		return out
	}
	jumbo := []string{"lpar1:en0:mtu", "9000", "lpar2:en0:mtu", "9000", "vios1:ent5:jumbo_frames", "yes", "vios2:ent5:jumbo_frames", "yes",
		"vios1:ent0:jumbo_frames", "yes", "vios2:ent0:jumbo_frames", "yes"}
	for name, c := range map[string]struct {
		values Values
		load   Load
		frames []float64 // of lpar1, vios1, vios2, lpar2
		why    string    // that nothing is predicted
	}{
		"as shipped":               {frames: []float64{1448, 1448, 2896, 2896}},
		"largesend":                {values: on, frames: []float64{65160, 65160, 65160, 65160}},
		"without large receive":    {values: with(on, "vios2:ent5:large_receive", "no"), frames: []float64{65160, 65160, 1448, 1448}},
		"its port does not join":   {values: with(on, "vios2:ent0:large_receive", "no"), frames: []float64{65160, 65160, 1448, 1448}},
		"without checksum offload": {values: with(on, "lpar1:ent0:chksum_offload", "no"), frames: []float64{1448, 1448, 2896, 2896}},
		"a small window":           {values: on, load: Load{Window: 32768}, frames: []float64{0.7 * 32768, 0.7 * 32768, 0.7 * 32768, 0.7 * 32768}},
		"without timestamps":       {values: Values{at("lpar2:en0:rfc1323"): "0"}, frames: []float64{1460, 1460, 2920, 2920}},
		"jumbo frames":             {values: with(nil, jumbo...), frames: []float64{8948, 8948, 17896, 17896}},
		"jumbo frames at one end":  {values: Values{at("lpar1:en0:mtu"): "9000"}, frames: []float64{1448, 1448, 2896, 2896}},
		"an SEA without them":      {values: with(nil, append(jumbo, "vios2:ent5:jumbo_frames", "no")...), why: "9000 bytes do not pass vios2:ent5"},
		"an SEA without largesend": {values: with(on, "vios1:ent5:largesend", "0"), why: "vios1:ent5 has largesend=0"},
	} {
		f, p := twoSystems()
		s := NewSetup(f, p, c.values, c.load)
		if c.why != "" {
			if !slices.ContainsFunc(s.Unknown, func(x string) bool { return strings.Contains(x, c.why) }) {
				t.Errorf("%s: got unknown %q, want %q", name, s.Unknown, c.why)
			}
			continue
		}
		var got []float64
		for _, n := range s.Nodes {
			got = append(got, n.Frame)
		}
		if len(s.Unknown) > 0 || !slices.Equal(got, c.frames) {
			t.Errorf("%s: got %v %q, want %v", name, got, s.Unknown, c.frames)
		}
	}
}

// What was not read is unknown: neither off nor healthy.
func TestUnread(t *testing.T) {
	for want, damage := range map[string]func(*model.Fleet, *model.Path){
		"mtu of lpar1:en0 was not read":           func(f *model.Fleet, _ *model.Path) { delete(f.Hosts[0].Elements["en0"].Attrs, "mtu") },
		"mtu_bypass of lpar1:en0 was not read":    func(f *model.Fleet, _ *model.Path) { delete(f.Hosts[0].Elements["en0"].Attrs, "mtu_bypass") },
		"tcp_recvspace of lpar2:en0 was not read": func(f *model.Fleet, _ *model.Path) { delete(f.Hosts[3].Elements["en0"].Attrs, "tcp_recvspace") },
		"large_receive of vios2:ent5": func(f *model.Fleet, _ *model.Path) {
			delete(f.Hosts[2].Elements["ent5"].Attrs, "large_receive")
		},
		"does not say its speed": func(f *model.Fleet, _ *model.Path) { f.Hosts[1].Elements["ent0"].SpeedMb = nil },
		"lpar2 runs linux":       func(f *model.Fleet, _ *model.Path) { f.Hosts[3].Platform = model.Linux },
		"vios1 ent4: not visible": func(_ *model.Fleet, p *model.Path) {
			p.Gaps = []model.Gap{{What: "vios1 ent4", Why: "not visible"}}
		},
	} {
		f, p := twoSystems()
		damage(f, p)
		costs, _ := knowledge.BuiltIn().Costs("power")
		got, err := (&Question{Fleet: f, Path: p, Load: Load{Streams: 1}, Costs: costs}).Answer()
		if err != nil {
			t.Fatal(err)
		}
		if got.Now.BPS != nil || !slices.ContainsFunc(got.Now.Unknown, func(x string) bool { return strings.Contains(x, want) }) {
			t.Errorf("got %+v, want unknown: %s", got.Now, want)
		}
	}
}

// The article's path (source S000) from published figures alone: what was measured
// there lies within, and largesend gains.
func TestPublishedPath(t *testing.T) {
	costs, _ := knowledge.BuiltIn().Costs("power")
	f, p := twoSystems()
	q := &Question{Fleet: f, Path: p, Load: Load{Streams: 1}, Costs: costs, Values: Values{at("lpar1:en0:mtu_bypass"): "on"}}
	got, err := q.Answer()
	if err != nil {
		t.Fatal(err)
	}
	for what, c := range map[string]struct {
		of       *Estimate
		measured float64
	}{
		"throughput now": {got.Now.BPS, 2500e6}, "cores now": {got.Now.Cores, 4.02},
		"throughput after": {got.After.BPS, 6200e6}, "cores after": {got.After.Cores, 3.22}, "gain": {got.Gain, 6200.0 / 2500},
	} {
		if c.of == nil || c.measured < c.of.Low || c.measured > c.of.High || math.Abs(c.of.Median/c.measured-1) > 0.25 {
			t.Errorf("%s: got %+v, measured %v", what, c.of, c.measured)
		}
	}
	if got.Gain.Low <= 1 {
		t.Errorf("largesend: got %+v, want a gain", got.Gain)
	}
	again, err := q.Answer()
	if err != nil || *again.After.BPS != *got.After.BPS {
		t.Errorf("asked again: got %+v, want %+v", again.After.BPS, got.After.BPS)
	}
}

// A capped VIOS limits the path once its clients no longer do.
func TestEntitlementLimits(t *testing.T) {
	costs, _ := knowledge.BuiltIn().Costs("power")
	f, p := twoSystems()
	f.Host("vios2").Partition.Entitled = new(0.1)
	got, err := (&Question{Fleet: f, Path: p, Load: Load{Streams: 1}, Costs: costs}).Answer()
	if err != nil {
		t.Fatal(err)
	}
	if l := got.Now.Limits; len(l) == 0 || l[0].What != "vios2's entitlement" || l[0].Share < 0.9 {
		t.Errorf("got %+v, want vios2's entitlement", l)
	}
	if l := got.Now.Next; len(l) == 0 || l[0].What == "vios2's entitlement" {
		t.Errorf("next: got %+v, want another", l)
	}
	if use := got.Now.Hosts[2]; use.Host != "vios2" || use.Cores.Median > 0.12 {
		t.Errorf("got %+v, want what the entitlement allows", use)
	}
}

// Measurements of a slower machine move the priors, and narrow the interval.
func TestMeasurementsMovePriors(t *testing.T) {
	costs, _ := knowledge.BuiltIn().Costs("power")
	f, p := twoSystems()
	s := NewSetup(f, p, nil, Load{Streams: 1})
	var seen []Observation
	for _, bps := range []float64{0.49e9, 0.5e9, 0.51e9} {
		seen = append(seen, Observation{Setup: s, BPS: bps, Cores: map[string]float64{"lpar1": bps / 1e9, "vios1": bps / 2e9}})
	}
	got, err := predict(costs, s, nil, seen, draws)
	if err != nil {
		t.Fatal(err)
	}
	n := got.Now
	if math.Abs(n.BPS.Median/0.5e9-1) > 0.05 || n.BPS.High/n.BPS.Low > 2 {
		t.Errorf("got %+v, measured 0.5 Gbit/s three times", n.BPS)
	}
	if c := n.Hosts[0].Cores; math.Abs(c.Median/0.5-1) > 0.05 {
		t.Errorf("lpar1: got %+v, measured 0.5 cores", c)
	}
}

// The clock that a host's outputs say scales the published cycles, and is then not assumed.
func TestClock(t *testing.T) {
	costs, _ := knowledge.BuiltIn().Costs("power")
	f, p := twoSystems()
	q := &Question{Fleet: f, Path: p, Load: Load{Streams: 1}, Costs: costs}
	assumed, err := q.Answer()
	if err != nil {
		t.Fatal(err)
	}
	for _, h := range f.Hosts {
		h.Figures = map[string]model.Figure{model.ClockMHz: {Value: 2000}}
	}
	read, err := q.Answer()
	if err != nil {
		t.Fatal(err)
	}
	perBit := func(p *Prediction) float64 { return (p.Now.Hosts[1].Cores.Median - 0.02) / p.Now.BPS.Median }
	if r := perBit(read) / perBit(assumed); math.Abs(r-2) > 0.1 || read.Now.BPS.Median > 0.7*assumed.Now.BPS.Median {
		t.Errorf("half the clock: %.2f times the cores a bit, %.2f Gbit/s, at 4 GHz %.2f", r, read.Now.BPS.Median/1e9, assumed.Now.BPS.Median/1e9)
	}
	says := func(p *Prediction) bool {
		return slices.ContainsFunc(p.Assumed, func(a Assumption) bool { return strings.Contains(a.What, "GHz") })
	}
	if !says(assumed) || says(read) {
		t.Errorf("assumed: %v, then %v", assumed.Assumed, read.Assumed)
	}
}

// A regression finds the coefficients that made the figures, none of them below zero.
func TestRegress(t *testing.T) {
	random := testdraw.Fixed(t, 7, 7)
	f := func(theta []float64, i int) float64 {
		return math.Log(math.Exp(theta[0]) + math.Exp(theta[1])*float64(i%6))
	}
	var y []float64
	for i := range 60 {
		y = append(y, math.Log(3+0.5*float64(i%6))+0.05*random.NormFloat64())
	}
	p, err := regress([]param{{0, 2}, {0, 2}}, noise, y, f)
	if err != nil {
		t.Fatal(err)
	}
	if a, b := math.Exp(p.mean[0]), math.Exp(p.mean[1]); math.Abs(a-3) > 0.15 || math.Abs(b-0.5) > 0.05 {
		t.Errorf("got %v and %v, want 3 and 0.5", a, b)
	}
	if p.sd < 0.04 || p.sd > 0.07 {
		t.Errorf("noise: got %v, want 0.05", p.sd)
	}
	inside := 0
	for _, theta := range p.sample(random, 500) {
		if math.Abs(math.Exp(theta[0])-3) < 0.15 {
			inside++
		}
	}
	if inside < 450 {
		t.Errorf("draws: %d of 500 near the truth", inside)
	}
}

func TestScaled(t *testing.T) {
	for _, c := range []struct{ n, contention, coherency, want float64 }{{1, 0.5, 0.1, 1}, {4, 0, 0, 4}, {8, 1, 0, 1}, {2, 0.5, 0, 4.0 / 3}} {
		if got := scaled(c.n, c.contention, c.coherency); math.Abs(got-c.want) > 1e-9 {
			t.Errorf("%+v: got %v", c, got)
		}
	}
}
