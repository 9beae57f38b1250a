package stats

import (
	"math"
	"testing"
)

func TestUnpaired(t *testing.T) {
	near := func(a, b float64) bool { return math.Abs(a-b) < 1e-3 }
	for _, x := range []struct {
		name             string
		a, b             []float64
		ratio, low, high float64 // low 0: no interval
	}{
		// Welch's test by hand: logs of a are 0, ln 2, ln 4; those of b the same plus ln 2.
		// The difference is ln 2, its standard error ln 2·sqrt(2/3), 4 degrees of freedom, t = 2.776.
		{"twice", []float64{1, 2, 4}, []float64{2, 4, 8}, 2, 2 * math.Exp(-2.776445*math.Ln2*math.Sqrt(2.0/3)), 2 * math.Exp(2.776445*math.Ln2*math.Sqrt(2.0/3))},
		{"steady", []float64{5, 5, 5}, []float64{5, 5}, 1, 1, 1},
		{"a single one", []float64{4}, []float64{2, 2}, 0.5, 0, 0},
	} {
		e, err := Unpaired(x.a, x.b)
		if err != nil {
			t.Fatalf("%s: %v", x.name, err)
		}
		if !near(e.Ratio, x.ratio) || e.Blocks != 0 {
			t.Errorf("%s: got ratio %v, %d blocks, want %v and none", x.name, e.Ratio, e.Blocks, x.ratio)
		}
		if x.low == 0 {
			e.Judge(HigherIsBetter, nil)
			if e.Low != nil || e.Verdict != Inconclusive || e.Reason != "one trial has no interval" {
				t.Errorf("%s: got %+v, want no interval", x.name, e)
			}
			continue
		}
		if e.Low == nil || !near(*e.Low, x.low) || !near(*e.High, x.high) {
			t.Errorf("%s: got %v to %v, want %v to %v", x.name, *e.Low, *e.High, x.low, x.high)
		}
	}
	for _, bad := range [][2][]float64{{nil, {1}}, {{1}, nil}, {{0, 1}, {1}}, {{1}, {-1}}, {{1}, {math.Inf(1)}}, {{math.NaN()}, {1}}} {
		if e, err := Unpaired(bad[0], bad[1]); err == nil {
			t.Errorf("%v: got %+v, want an error", bad, e)
		}
	}
}
