package analysis

import (
	"math"
	"math/rand/v2"
	"testing"

	"seaworthy/tune/design"
)

// Published: of n pairs, two-sided 5 %, 80 % power, n = 10 shows 1.00 and n = 34
// shows 0.495 standard deviations (Cohen, Statistical Power Analysis, and G*Power).
func TestSmallestEffect(t *testing.T) {
	for blocks, want := range map[int]float64{10: 0.9960, 34: 0.4949} {
		if got := SmallestEffect(blocks, Noise{SD: 1, DF: 5}); math.Abs(got-want) > 0.01 {
			t.Errorf("%d blocks: %.4f standard deviations, want %.4f", blocks, got, want)
		}
	}
	for _, got := range []float64{SmallestEffect(1, Noise{SD: 1, DF: 5}), SmallestEffect(5, Noise{}), SmallestMainEffect(4, 4, 4, Noise{})} {
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
