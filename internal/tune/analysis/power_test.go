package analysis

import (
	"math"
	"math/rand/v2"
	"testing"

	"seaworthy/internal/test/draw"
	"seaworthy/internal/tune/design"
)

// Published: of n pairs, two-sided 5 %, 80 % power, n = 10 shows 1.00 and n = 34
// shows 0.495 standard deviations (Cohen, Statistical Power Analysis, and G*Power).
func TestSmallestEffect(t *testing.T) {
	paired := func(n int, noise Noise) float64 { return smallest(n-1, 1, noise, 1/math.Sqrt(float64(n))) }
	for pairs, want := range map[int]float64{10: 0.9960, 34: 0.4949} {
		if got := paired(pairs, Noise{SD: 1, DF: 5}); math.Abs(got-want) > 0.01 {
			t.Errorf("%d pairs: %.4f standard deviations, want %.4f", pairs, got, want)
		}
	}
	for _, got := range []float64{paired(1, Noise{SD: 1, DF: 5}), paired(5, Noise{}), SmallestMainEffect(4, 4, 4, Noise{})} {
		if !math.IsInf(got, 1) {
			t.Errorf("%v where nothing can be said", got)
		}
	}
}

// What is promised is found: the only effect of a study, as large as promised.
func TestSmallestMainEffectIsFound(t *testing.T) {
	d := plan(t, design.Request{Factors: factors(5), Budget: 16})
	promised := SmallestMainEffect(16, 5, 5, Noise{SD: 0.02, DF: 5})
	found := 0
	const studies = 500
	for seed := range uint64(studies) {
		trials := study(d, 1, func(run []int) float64 { return promised / 2 * sign(run[3]) }, 0.02, 0, seed)
		r := rand.New(rand.NewPCG(seed, 31))
		if m := fit(t, d.Factors, trials, measured(0.02, 6, r.Uint64())); m.Effects[3].Named {
			found++
		}
	}
	if found < studies*76/100 || found > studies*88/100 {
		t.Errorf("an effect of %.1f %% is found in %d of %d studies, 80 %% promised", 100*promised, found, studies)
	}
}

// One factor at a time takes five times as many trials for eight factors to be as exact as
// sixteen runs, five times repeated, with a reference for four of them.
func TestOneByOne(t *testing.T) {
	const k, repeats, shared, studies = 8, 5, 4, 50
	d := plan(t, design.Request{Factors: factors(k), Budget: 16})
	runs := repeats * len(d.Runs)
	pairs := OneByOne(k, runs, shared) / k / 2
	r := draw.Fixed(t, 5, 43)
	designed, single, n := 0.0, 0.0, 0.0
	for seed := range uint64(studies) {
		var trials []Trial
		reference := 0.0
		for repeat := range uint64(repeats) {
			for _, run := range d.Order(seed*repeats+repeat, nil) {
				if len(trials)%shared == 0 {
					reference = r.NormFloat64()
				}
				trials = append(trials, Trial{Run: d.Runs[run], Reference: 1 + len(trials)/shared, Response: r.NormFloat64() - reference})
			}
		}
		m := fit(t, d.Factors, trials, Noise{})
		for f := range k {
			one := 0.0
			for range pairs {
				one += (r.NormFloat64() - r.NormFloat64()) / float64(pairs)
			}
			designed, single, n = designed+m.Effects[f].Estimate*m.Effects[f].Estimate, single+one*one, n+1
		}
	}
	times := float64(2*k*pairs) / float64(runs+runs/shared)
	t.Logf("%d runs and %d references, or %d trials one factor at a time (× %.1f): variance of an effect %.4f, %.4f",
		runs, runs/shared, 2*k*pairs, times, designed/n, single/n)
	if ratio := designed / single; ratio < 0.85 || ratio > 1.15 {
		t.Errorf("variance of the design's effects: got %.2f of one factor at a time, want 1", ratio)
	}
	if times < 5 {
		t.Errorf("one factor at a time: got %.2f times the trials, want 5 or more", times)
	}
}
