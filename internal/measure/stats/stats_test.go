package stats_test

import (
	"math"
	"testing"

	"seaworthy/internal/measure/stats"
	"seaworthy/internal/test/draw"
)

func near(got, want, tolerance float64) bool { return math.Abs(got-want) <= tolerance*math.Abs(want) }

func TestSummariseKnownAnswers(t *testing.T) {
	tests := []struct {
		name              string
		in                []float64
		median, low, high float64
		method            string
	}{
		// n = 10: the 2nd and 9th value cover the median with 97.9 %, the 3rd and 8th with 89 % only.
		{"ten", []float64{9, 1, 8, 2, 7, 3, 6, 4, 5, 10}, 5.5, 2, 9, stats.OrderStatistic},
		// n = 6: smallest and largest, 96.9 %.
		{"six", []float64{3, 1, 2, 6, 5, 4}, 3.5, 1, 6, stats.OrderStatistic},
		// n = 3, logs 0, 1, 2: mean 1, sd 1, t(2) = 4.302653.
		{"three", []float64{math.Exp(2), 1, math.E}, math.E, math.Exp(1 - 4.302653/math.Sqrt(3)), math.Exp(1 + 4.302653/math.Sqrt(3)), stats.TLog},
		// A zero has no logarithm: values 0, 1, 2.
		{"zero", []float64{0, 2, 1}, 1, 0, 1 + 4.302653/math.Sqrt(3), stats.T},
		{"negative", []float64{-1, 1, 0}, 0, -4.302653 / math.Sqrt(3), 4.302653 / math.Sqrt(3), stats.T},
	}
	for _, tt := range tests {
		s := stats.Summarise(tt.in)
		if s == nil || s.Low == nil {
			t.Fatalf("%s: got %+v, want an interval", tt.name, s)
		}
		if s.N != len(tt.in) || !near(s.Median, tt.median, 1e-9) || !near(*s.Low, tt.low, 1e-6) || !near(*s.High, tt.high, 1e-6) || s.Method != tt.method {
			t.Errorf("%s: got n %d, %g [%g, %g] %s; want %g [%g, %g] %s", tt.name, s.N, s.Median, *s.Low, *s.High, s.Method, tt.median, tt.low, tt.high, tt.method)
		}
	}
	if s := stats.Summarise([]float64{7}); s.Low != nil || s.Median != 7 {
		t.Errorf("one value: got %+v, want 7 without interval", s)
	}
	if s := stats.Summarise(nil); s != nil {
		t.Errorf("no value: got %+v, want nil", s)
	}
	if s := stats.Summarise([]float64{1, math.NaN()}); s != nil {
		t.Errorf("not a number: got %+v, want nil", s)
	}
}

func TestPairedKnownAnswer(t *testing.T) {
	// Ratios 2, 4, 8: logs ln2·(1, 2, 3), mean 2 ln2, sd ln2.
	e, err := stats.Paired([]float64{2, 4, 8})
	if err != nil {
		t.Fatal(err)
	}
	half := 4.302653 * math.Ln2 / math.Sqrt(3)
	if !near(e.Ratio, 4, 1e-9) || !near(*e.Low, 4*math.Exp(-half), 1e-6) || !near(*e.High, 4*math.Exp(half), 1e-6) {
		t.Errorf("got %g [%g, %g], want 4 [%g, %g]", e.Ratio, *e.Low, *e.High, 4*math.Exp(-half), 4*math.Exp(half))
	}
	for _, bad := range [][]float64{nil, {1, 0}, {-1}, {math.NaN()}, {math.Inf(1)}} {
		if e, err := stats.Paired(bad); err == nil {
			t.Errorf("%v: got %+v, want an error", bad, e)
		}
	}
}

func TestJudge(t *testing.T) {
	effect := func(low, high float64) *stats.Effect {
		return &stats.Effect{Blocks: 5, Ratio: math.Sqrt(low * high), Low: &low, High: &high}
	}
	tests := []struct {
		name    string
		e       *stats.Effect
		d       stats.Direction
		control *stats.Effect
		want    stats.Verdict
	}{
		{"more throughput", effect(1.3, 1.6), stats.HigherIsBetter, nil, stats.Improved},
		{"more cores", effect(1.3, 1.6), stats.LowerIsBetter, nil, stats.Worse},
		{"fewer cores", effect(0.3, 0.4), stats.LowerIsBetter, effect(0.9, 1.1), stats.Improved},
		{"less throughput", effect(0.3, 0.4), stats.HigherIsBetter, nil, stats.Worse},
		{"narrow", effect(0.98, 1.03), stats.HigherIsBetter, nil, stats.NoDifference},
		{"better or alike", effect(0.98, 1.2), stats.HigherIsBetter, nil, stats.NoLoss},
		{"worse or alike", effect(0.98, 1.2), stats.LowerIsBetter, nil, stats.Inconclusive},
		{"fewer cores or alike", effect(0.8, 1.02), stats.LowerIsBetter, nil, stats.NoLoss},
		{"wide", effect(0.7, 1.4), stats.HigherIsBetter, nil, stats.Inconclusive},
		{"one block", &stats.Effect{Blocks: 1, Ratio: 2}, stats.HigherIsBetter, nil, stats.Inconclusive},
		{"unsteady path", effect(1.05, 1.2), stats.HigherIsBetter, effect(1.02, 1.1), stats.Inconclusive},
		{"effect beyond an unsteady path", effect(1.5, 1.7), stats.HigherIsBetter, effect(1.02, 1.1), stats.Improved},
	}
	for _, tt := range tests {
		tt.e.Judge(tt.d, tt.control)
		if tt.e.Verdict != tt.want {
			t.Errorf("%s: got %q (%s), want %q", tt.name, tt.e.Verdict, tt.e.Reason, tt.want)
		}
	}
}

// Identical variants must be found different in 5 % of experiments, no more, and
// a real effect found. The seed makes the shares the same on every run.
func TestFalsePositiveRate(t *testing.T) {
	const experiments = 4000
	for _, blocks := range []int{3, 5, 10} {
		r := draw.Fixed(t, 1, uint64(blocks))
		share := func(effect float64) float64 {
			differ := 0
			for range experiments {
				var ratios []float64
				for range blocks {
					drift := math.Exp(0.3 * r.NormFloat64()) // shared by the block, must cancel
					a := drift * math.Exp(0.02*r.NormFloat64())
					b := drift * math.Exp(0.02*r.NormFloat64()) * effect
					ratios = append(ratios, b/a)
				}
				e, err := stats.Paired(ratios)
				if err != nil {
					t.Fatal(err)
				}
				if *e.Low > 1 || *e.High < 1 {
					differ++
				}
			}
			return float64(differ) / experiments
		}
		if got := share(1); got < 0.035 || got > 0.065 {
			t.Errorf("%d blocks, no effect: got %.3f of experiments with a difference, want 0.05", blocks, got)
		}
		if got := share(1.2); got < 0.95 {
			t.Errorf("%d blocks, effect of 20 %%: got it found in %.3f of experiments, want nearly all", blocks, got)
		}
	}
}

// The median's interval must hold the true median in 95 % of cases.
func TestCoverage(t *testing.T) {
	const experiments = 4000
	for _, n := range []int{3, 5, 6, 10, 21} {
		r := draw.Fixed(t, 2, uint64(n))
		in := 0
		for range experiments {
			x := make([]float64, n)
			for i := range x {
				x[i] = 10 * math.Exp(0.1*r.NormFloat64())
			}
			s := stats.Summarise(x)
			if *s.Low > s.Median || *s.High < s.Median {
				t.Fatalf("n %d: interval [%g, %g] leaves out its own median %g", n, *s.Low, *s.High, s.Median)
			}
			if *s.Low <= 10 && 10 <= *s.High {
				in++
			}
		}
		if got := float64(in) / experiments; got < 0.94 {
			t.Errorf("n %d: got coverage %.3f, want at least 0.95", n, got)
		}
	}
}

// An interval ends at what is possible, unless more than that was measured.
func TestBound(t *testing.T) {
	for _, c := range []struct{ most, median, high, want float64 }{
		{0, 5, 900, 900}, {10, 5, 900, 10}, {10, 5, 8, 8}, {10, 11, 900, 11},
	} {
		s := &stats.Summary{Median: c.median, High: &c.high}
		s.Bound(c.most)
		if *s.High != c.want {
			t.Errorf("at most %g: got %g, want %g", c.most, *s.High, c.want)
		}
	}
	(&stats.Summary{Median: 1}).Bound(1) // without an interval there is nothing to bound
}
