package predict

import (
	"math"
	"slices"
	"strings"
	"testing"

	"seaworthy/internal/knowledge"
)

// sessionsOf is the path of S000, whose hosts have more processors than it used.
func sessionsOf(values Values, sessions, bytes int) *Setup {
	f, path := twoSystems()
	for _, h := range f.Hosts {
		h.Partition.Mode, h.Partition.VirtualCPUs = "Uncapped", new(16)
	}
	return NewSetup(f, path, values, Load{Sessions: sessions, Request: bytes, Response: bytes})
}

// The figures that the priors were taken from come out again, and each interval holds them;
// largesend changes nothing.
func TestTransactionsOfE000(t *testing.T) {
	costs, _ := knowledge.BuiltIn().Costs("power")
	for id, sessions := range map[string]int{"E000-TPS10": 10, "E000-TPS50": 50} {
		figures := published(t, "e000.yaml", id)["mtu_bypass=on"]
		p, err := predict(costs, sessionsOf(nil, sessions, 700), sessionsOf(Values{at("lpar1:en0:mtu_bypass"): "on"}, sessions, 700), nil, draws)
		if err != nil || p.Now.TPS == nil {
			t.Fatalf("%v, %v", err, p.Now.Unknown)
		}
		for what, x := range map[string]struct {
			e    *Estimate
			want float64
		}{"tps": {p.Now.TPS, figures["tps"]}, "cores": {p.Now.Cores, figures["cores"]}, "latency": {p.Now.Latency, float64(sessions) / figures["tps"] * 1e6}} {
			t.Logf("%s %s: %.4g (%.4g to %.4g), published %.4g", id, what, x.e.Median, x.e.Low, x.e.High, x.want)
			if x.want < x.e.Low || x.want > x.e.High || math.Abs(math.Log(x.e.Median/x.want)) > 0.2 {
				t.Errorf("%s %s: %.4g (%.4g to %.4g), published %.4g", id, what, x.e.Median, x.e.Low, x.e.High, x.want)
			}
		}
		if r := p.MoreTPS; r == nil || r.Low > 1 || r.High < 1 || math.Abs(r.Median-1) > 0.03 || p.Gain != nil {
			t.Errorf("%s: largesend changes transactions by %+v", id, r)
		}
	}
}

// S000's transactions, held out: with the lab's figures of a session for priors, which know nothing of S000, each cell is
// predicted from the one of the other setting of largesend. From the other number of sessions it is not: how transactions
// grow with sessions differs by machine, and one number does not show it.
func TestTransactionsOfE000LeftOut(t *testing.T) {
	power, _ := knowledge.BuiltIn().Costs("power")
	lab, _ := knowledge.BuiltIn().Costs("lab")
	var cells []Observation
	var names []string
	for id, sessions := range map[string]int{"E000-TPS10": 10, "E000-TPS50": 50} {
		for name, figures := range published(t, "e000.yaml", id) {
			values := Values{at("lpar1:en0:mtu_bypass"): strings.TrimPrefix(name, "mtu_bypass=")}
			o := Observation{Setup: sessionsOf(values, sessions, 700), TPS: figures["tps"], Cores: map[string]float64{}}
			for _, n := range o.Setup.Nodes {
				o.Cores[n.Host] = figures["cores"] / 4 // the article gives their sum
			}
			cells, names = append(cells, o), append(names, id+" "+name)
		}
	}
	var tps, cores score
	for i, c := range cells {
		var same, rest []Observation
		for j, o := range cells {
			switch {
			case i == j:
			case o.Setup.Sessions == c.Setup.Sessions:
				same = append(same, o)
			default:
				rest = append(rest, o)
			}
		}
		costs := *power
		costs.Session = lab.Session
		costs.Span.Sessions = [2]float64{float64(rest[0].Setup.Sessions), float64(rest[0].Setup.Sessions)} // nothing else was published
		p, err := predict(&costs, c.Setup, nil, same, draws)
		if err != nil || p.Now.TPS == nil {
			t.Fatalf("%s: %v, %v", names[i], err, p.Now.Unknown)
		}
		used := 0.0
		for _, x := range c.Cores {
			used += x
		}
		tps.add(p.Now.TPS, c.TPS)
		cores.add(p.Now.Cores, used)
		t.Logf("%s: %.0f (%.0f to %.0f) TPS, published %.0f; %.2f (%.2f to %.2f) cores, published %.2f", names[i],
			p.Now.TPS.Median, p.Now.TPS.Low, p.Now.TPS.High, c.TPS, p.Now.Cores.Median, p.Now.Cores.Low, p.Now.Cores.High, used)
		if p, err = predict(&costs, c.Setup, nil, rest, draws); err != nil || p.Now.TPS != nil || !strings.Contains(p.Now.Unknown[0], "number of sessions") {
			t.Errorf("%s from %d sessions: %+v, %v", names[i], rest[0].Setup.Sessions, p.Now, err)
		}
	}
	wantWithin(t, "transactions", tps, 0.15, 1)
	wantWithin(t, "cores", cores, 0.15, 1)
}

// IBM's table of an SEA on POWER5: 23,022 cycles for a transaction of 64 bytes, 25,406 of 1,024.
func TestCyclesOfSEA(t *testing.T) {
	costs, _ := knowledge.BuiltIn().Costs("power")
	for bytes, want := range map[int]float64{64: 23_022, 1024: 25_406} {
		p, err := predict(costs, sessionsOf(nil, 50, bytes), nil, nil, draws)
		if err != nil || p.Now.TPS == nil {
			t.Fatalf("%v, %v", err, p.Now.Unknown)
		}
		used := p.Now.Hosts[1]
		cycles := func(cores float64) float64 { return cores / p.Now.TPS.Median * costs.ClockMHz * 1e6 }
		if used.Role != Bridge || cycles(used.Cores.Low) > want || cycles(used.Cores.High) < want {
			t.Errorf("%d bytes: %.0f (%.0f to %.0f) cycles, published %.0f", bytes,
				cycles(used.Cores.Median), cycles(used.Cores.Low), cycles(used.Cores.High), want)
		}
	}
}

// A host's processors bound transactions, and that is said.
func TestTransactionsLimit(t *testing.T) {
	costs, _ := knowledge.BuiltIn().Costs("power")
	s := sessionsOf(nil, 50, 700)
	s.Nodes[1].Most, s.Nodes[1].Limit = new(0.1), "vios1's entitlement"
	p, err := predict(costs, s, nil, nil, draws)
	if err != nil {
		t.Fatal(err)
	}
	if p.Now.Limits[0].What != "vios1's entitlement" || p.Now.Limits[0].Share < 0.99 || p.Now.Hosts[1].Cores.High > 0.1001 ||
		p.Now.Next[0].What != limitSessions {
		t.Errorf("%+v, then %+v, vios1 with %+v", p.Now.Limits, p.Now.Next, p.Now.Hosts[1].Cores)
	}
	small := sessionsOf(nil, 50, 1000)
	small.Rate = 1e9
	if small.Segment != 1448 || small.frames() != 2 {
		t.Errorf("segment %g, %g frames", small.Segment, small.frames())
	}
	if got, want := lineTPS(small), 1e9/8/1090; math.Abs(got/want-1) > 1e-9 {
		t.Errorf("1 Gbit/s carries %g transactions/s, want %g", got, want)
	}
}

// Beyond what was published there is no number, until it was measured.
func TestTransactionsBeyond(t *testing.T) {
	costs, _ := knowledge.BuiltIn().Costs("power")
	for want, s := range map[string]*Setup{
		"the number of sessions is 200": sessionsOf(nil, 200, 700),
		"the request in bytes is 8192":  sessionsOf(nil, 50, 8192),
	} {
		p, err := predict(costs, s, nil, nil, draws)
		if err != nil || p.Now.TPS != nil || len(p.Now.Unknown) == 0 || !strings.Contains(p.Now.Unknown[0], want) {
			t.Errorf("want %q: %+v, %v", want, p.Now, err)
		}
		seen := []Observation{{Setup: s, TPS: 10_000}}
		if p, err = predict(costs, s, nil, seen, draws); err != nil || p.Now.TPS == nil || p.Fitted != 1 {
			t.Errorf("once measured: %+v, %v", p.Now, err)
		}
	}
	f, path := twoSystems()
	q := Question{Fleet: f, Path: path, Costs: costs, Load: Load{Sessions: 20, Request: 100, Response: 4000},
		Values: Values{at("lpar1:en0:mtu_bypass"): "on"}, Changes: []Change{{at("lpar1:en0:mtu_bypass"), "mtu_bypass"}}}
	if p, err := q.Answer(); err != nil || !strings.Contains(strings.Join(p.After.Unknown, ""), "messages of several frames") {
		t.Errorf("largesend with messages of several frames: %+v, %v", p.After, err)
	}
}

// Each cell of the lab is predicted from all others of its topology; the priors are
// those of POWER, which know nothing of it.
func TestTransactionsLeftOut(t *testing.T) {
	costs, _ := knowledge.BuiltIn().Costs("power")
	ofLab, _ := knowledge.BuiltIn().Costs("lab")
	var tps, cores, unmeasured score
	for _, r := range resultsOf(t, "transactions") {
		seen, unused := Observe(r, &r.Path.Path)
		if len(unused) > 0 || len(seen) < 15 {
			t.Fatalf("%s: %d cells, not used: %v", r.Name, len(seen), unused)
		}
		for i, o := range seen {
			p, err := predict(costs, o.Setup, nil, slices.Delete(slices.Clone(seen), i, i+1), 400)
			if err != nil {
				t.Fatal(err)
			}
			if p.Now.TPS == nil {
				continue // at the edge of what the others span
			}
			used := 0.0
			for _, c := range o.Cores {
				used += c
			}
			prior, err := predict(ofLab, o.Setup, nil, nil, 400)
			if err != nil {
				t.Fatal(err)
			}
			unmeasured.add(prior.Now.TPS, o.TPS)
			tps.add(p.Now.TPS, o.TPS)
			cores.add(p.Now.Cores, used)
			t.Logf("%s %2d sessions of %4d: %6.0f (%6.0f to %6.0f) TPS, measured %6.0f; %.2f (%.2f to %.2f) cores, measured %.2f", r.Name, o.Setup.Sessions,
				o.Setup.Request, p.Now.TPS.Median, p.Now.TPS.Low, p.Now.TPS.High, o.TPS, p.Now.Cores.Median, p.Now.Cores.Low, p.Now.Cores.High, used)
		}
	}
	wantWithin(t, "transactions", tps, 0.12, 0.9)
	wantWithin(t, "cores", cores, 0.12, 0.9)
	wantWithin(t, "transactions by the lab's priors alone", unmeasured, 0.4, 0.9)
	if len(tps.off) < 30 {
		t.Errorf("%d cells", len(tps.off))
	}
}
