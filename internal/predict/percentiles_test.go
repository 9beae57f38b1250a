package predict

import (
	"math"
	"slices"
	"strings"
	"testing"

	"seaworthy/internal/knowledge"
	testdraw "seaworthy/internal/test/draw"
)

// Cells whose 99th percentile is 2·sessions^0.3 times the mean, give or take 8 %: one in between is
// predicted; without cells, or beyond them, there is no number.
func TestPercentiles(t *testing.T) {
	costs, _ := knowledge.BuiltIn().Costs("power")
	random := testdraw.Fixed(t, 3, 3)
	var seen []Observation
	for _, n := range []int{1, 2, 4, 8, 16, 32} {
		for _, bytes := range []int{64, 700} {
			off := math.Exp(0.08 * random.NormFloat64())
			seen = append(seen, Observation{Setup: sessionsOf(nil, n, bytes), TPS: 7000 * math.Pow(float64(n), 0.8),
				P50: 0.9 * off, P99: 2 * math.Pow(float64(n), 0.3) * off})
		}
	}
	s := sessionsOf(nil, 11, 300)
	p, err := predict(costs, s, nil, seen, draws)
	if err != nil {
		t.Fatal(err)
	}
	mean := 11 / (7000 * math.Pow(11, 0.8)) * 1e6
	for what, x := range map[string]struct {
		e    *Estimate
		want float64
	}{"p50": {p.Now.P50, 0.9 * mean}, "p99": {p.Now.P99, 2 * math.Pow(11, 0.3) * mean}} {
		if x.e == nil || x.want < x.e.Low || x.want > x.e.High || math.Abs(x.e.Median/x.want-1) > 0.15 || x.e.High > 4*x.e.Low {
			t.Errorf("%s: got %+v, want %.0f µs", what, x.e, x.want)
		}
	}
	for why, c := range map[string]struct {
		s    *Setup
		seen []Observation
	}{
		"0 of at least 4 cells are measured":                   {s, nil},
		"3 of at least 4 cells":                                {s, seen[:3]},
		"40 sessions, and measured are 1 to 32":                {sessionsOf(nil, 40, 300), seen},
		"2000 bytes a transaction, and measured are 128 to 14": {sessionsOf(nil, 11, 1000), seen},
	} {
		p, err := predict(costs, c.s, nil, c.seen, draws)
		if err != nil || p.Now.TPS == nil || p.Now.P99 != nil || p.Now.P50 != nil || !strings.Contains(p.Now.NoP99, why) {
			t.Errorf("got %q, %+v, %v, want %q", p.Now.NoP99, p.Now.P99, err, why)
		}
	}
}

// Each measured cell of the lab is predicted from all others of its topology, where these span it. A 99th
// percentile of a shared machine is mostly noise, a factor of ten between two cells alike: so a prediction
// is held against the guess that one has without a model, the mean of the other cells. Its interval has to
// hold nine in ten.
func TestPercentilesLeftOut(t *testing.T) {
	costs, _ := knowledge.BuiltIn().Costs("lab")
	var p50, p99 score
	var model, guess float64 // sums of how far off they are, as logarithms of a ratio
	for _, r := range resultsOf(t, "latencies") {
		seen, unused := Observe(r, &r.Path.Path)
		if len(seen) != 18 || len(unused) > 0 {
			t.Fatalf("%s: %d cells, not used: %v", r.Name, len(seen), unused)
		}
		for i, o := range seen {
			p, err := predict(costs, o.Setup, nil, slices.Delete(slices.Clone(seen), i, i+1), 400)
			if err != nil {
				t.Fatal(err)
			}
			if p.Now.P99 == nil {
				continue // at the edge of what the others span
			}
			mean := float64(o.Setup.Sessions) / o.TPS * 1e6
			p50.add(p.Now.P50, o.P50*mean)
			p99.add(p.Now.P99, o.P99*mean)
			model += math.Abs(math.Log(p.Now.P99.Median / (o.P99 * mean)))
			guess += math.Abs(math.Log(meanP99(slices.Delete(slices.Clone(seen), i, i+1)) / (o.P99 * mean)))
			t.Logf("%s %2d sessions of %4d: p50 %5.0f (%5.0f to %5.0f) µs, measured %5.0f; p99 %6.0f (%6.0f to %6.0f), measured %6.0f", r.Name, o.Setup.Sessions,
				o.Setup.Request, p.Now.P50.Median, p.Now.P50.Low, p.Now.P50.High, o.P50*mean, p.Now.P99.Median, p.Now.P99.Low, p.Now.P99.High, o.P99*mean)
		}
	}
	wantWithin(t, "p50", p50, 0.4, 0.9)
	n := float64(len(p99.off))
	t.Logf("p99: off by a factor of %.2f, the mean of the others by %.2f, %.0f %% held", math.Exp(model/n), math.Exp(guess/n), 100*p99.coverage())
	if model > 0.75*guess || p99.coverage() < 0.9 {
		t.Errorf("p99: off by a factor of %.2f, the mean of the others by %.2f; %.2f held, want three quarters of its logarithm and 0.9",
			math.Exp(model/n), math.Exp(guess/n), p99.coverage())
	}
	if n < 30 {
		t.Errorf("%v cells", n)
	}
}

// meanP99 is the geometric mean of the cells' 99th percentiles, in µs.
func meanP99(cells []Observation) float64 {
	sum := 0.0
	for _, o := range cells {
		sum += math.Log(o.P99 * float64(o.Setup.Sessions) / o.TPS * 1e6)
	}
	return math.Exp(sum / float64(len(cells)))
}
