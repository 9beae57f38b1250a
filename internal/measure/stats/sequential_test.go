package stats

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/stat/distuv"

	"seaworthy/internal/test/draw"
)

// Published bounds of the O'Brien–Fleming type spending function, two-sided 5 %,
// even looks (Reboussin, DeMets, Kim and Lan, Controlled Clinical Trials 21,
// 2000; the same as R's ldbounds and gsDesign give).
func TestBoundsAreThePublishedOnes(t *testing.T) {
	for _, want := range [][]float64{
		{1.960},
		{2.963, 1.969},
		{3.710, 2.511, 1.993},
		{4.333, 2.963, 2.359, 2.014},
		{4.877, 3.357, 2.680, 2.290, 2.031},
	} {
		var fractions, spent []float64
		for k := range want {
			f := float64(k+1) / float64(len(want))
			fractions, spent = append(fractions, f), append(spent, spendOBrienFleming(f))
		}
		for k, level := range nominalLevels(fractions, spent) {
			if z := distuv.UnitNormal.Quantile(1 - level/2); math.Abs(z-want[k]) > 0.001 {
				t.Errorf("%d looks, look %d: z %.4f, published %.3f", len(want), k+1, z, want[k])
			}
		}
	}
}

// The classical bounds C·√(K/k) with C = 2.040 for five looks (Jennison and
// Turnbull, Group Sequential Methods, table 2.3: 4.56, 3.23, 2.63, 2.28, 2.04)
// err in 5 %: a path spends what the same recursion says, whatever the bounds.
func TestRecursionHoldsForClassicalBounds(t *testing.T) {
	x := []float64{0}
	weight := []float64{1}
	gone := 0.0
	before := 0.0
	for k := 1; k <= 5; k++ {
		f := float64(k) / 5
		b, sd := 2.040*math.Sqrt(5/float64(k))*math.Sqrt(f), math.Sqrt(f-before)
		for i, u := range x {
			gone += weight[i] * (distuv.UnitNormal.Survival((b-u)/sd) + distuv.UnitNormal.CDF((-b-u)/sd))
		}
		x, weight = inside(x, weight, b, sd)
		before = f
	}
	if math.Abs(gone-0.05) > 0.0001 {
		t.Errorf("the classical bounds spend %.5f, want 0.05", gone)
	}
}

func TestEvenLooks(t *testing.T) {
	for _, c := range []struct {
		most, looks int
		want        []int
	}{
		{10, 5, []int{2, 4, 6, 8, 10}},
		{4, 8, []int{2, 3, 4}},
		{7, 3, []int{2, 5, 7}},
		{12, 1, []int{12}},
		{1, 3, nil},
	} {
		if got := EvenLooks(c.most, c.looks); !slices.Equal(got, c.want) {
			t.Errorf("EvenLooks(%d, %d) = %v, want %v", c.most, c.looks, got, c.want)
		}
	}
}

func TestPlanLooksRefuses(t *testing.T) {
	for _, blocks := range [][]int{nil, {1, 4}, {4, 4}, {6, 3}} {
		if _, err := PlanLooks(blocks, 0); err == nil {
			t.Errorf("%v: planned, want an error", blocks)
		}
	}
}

// sequence simulates one comparison and returns its last look.
func sequence(t *testing.T, l *Looks, r *rand.Rand, effect, sd float64) *Look {
	t.Helper()
	var ratios []float64
	for _, n := range l.Blocks() {
		for len(ratios) < n {
			ratios = append(ratios, math.Exp(effect+sd*r.NormFloat64()))
		}
		look, err := l.At(ratios, HigherIsBetter, nil)
		if err != nil || look == nil {
			t.Fatalf("look after %d blocks: %v, %v", n, look, err)
		}
		if look.Decided || look.Number == look.Of {
			return look
		}
	}
	panic("no last look")
}

// Equal states are called different in at most 5 % of the comparisons, however
// often and however early one looks. The share of 8,000 has a standard error of
// 0.24 %: 5.6 % would be a broken promise.
func TestEqualStatesDifferInFivePercent(t *testing.T) {
	const studies = 8000
	for _, blocks := range [][]int{
		{2, 3, 4}, {2, 3, 4, 5, 6}, {3, 4, 5, 6, 7}, EvenLooks(8, 8), EvenLooks(12, 12), EvenLooks(20, 5), EvenLooks(40, 5), EvenLooks(40, 20),
	} {
		l, err := PlanLooks(blocks, 0)
		if err != nil {
			t.Fatal(err)
		}
		r := draw.Fixed(t, 7, uint64(len(blocks)))
		wrong := 0
		for range studies {
			// The spread is wide against the margin: no study ends early as equal.
			if v := sequence(t, l, r, 0, 0.5).Verdict; v == Improved || v == Worse {
				wrong++
			}
		}
		share := float64(wrong) / studies
		if share > 0.0555 || share < 0.035 {
			t.Errorf("looks after %v: %.2f %% of equal states differ, want about 5 %% and no more", blocks, 100*share)
		}
	}
}

func TestPlantedEffectIsFoundEarly(t *testing.T) {
	l, err := PlanLooks(EvenLooks(20, 5), 0)
	if err != nil {
		t.Fatal(err)
	}
	r := draw.Fixed(t, 3, 1)
	const studies = 500
	found, blocks, covered := 0, 0, 0
	for range studies {
		look := sequence(t, l, r, math.Log(1.05), 0.05)
		blocks += look.Blocks
		if look.Verdict == Improved {
			found++
		}
		if *look.Low <= 1.05 && 1.05 <= *look.High {
			covered++
		}
	}
	if found < studies*95/100 || blocks > studies*17 {
		t.Errorf("5 %% at a noise of 5 %%: found in %d of %d, %d blocks on average of 20", found, studies, blocks/studies)
	}
	if covered < studies*94/100 {
		t.Errorf("the interval of the last look holds the truth in %d of %d", covered, studies)
	}
}

func TestEqualStatesAreSaidToBe(t *testing.T) {
	l, err := PlanLooks(EvenLooks(20, 5), 0)
	if err != nil {
		t.Fatal(err)
	}
	equal := func(effect float64) (n int) {
		r := draw.Fixed(t, 5, 5)
		for range 500 {
			if look := sequence(t, l, r, effect, 0.02); look.Decided && look.Verdict == NoDifference {
				n++
			}
		}
		return n
	}
	if n := equal(0); n < 450 {
		t.Errorf("equal states with 2 %% noise: said in %d of 500", n)
	}
	// A true difference at the margin is called none in at most 5 %.
	if n := equal(math.Log(1.05)); n > 25 {
		t.Errorf("states 5 %% apart: called equal in %d of 500", n)
	}
}

func TestAtOtherBlocksNothingIsSaid(t *testing.T) {
	l, err := PlanLooks([]int{3, 6}, 0)
	if err != nil {
		t.Fatal(err)
	}
	if look, err := l.At([]float64{1, 2}, HigherIsBetter, nil); look != nil || err != nil {
		t.Errorf("after two blocks: %v, %v, want no look", look, err)
	}
	if _, err := l.At([]float64{1, 2, 0}, HigherIsBetter, nil); err == nil {
		t.Error("a ratio of 0 passed")
	}
	look, err := l.At([]float64{1.9, 2, 2.1}, LowerIsBetter, nil)
	if err != nil || look.Verdict != Worse || !look.Decided || look.Number != 1 || look.Of != 2 || look.Bound < 10 {
		t.Errorf("latency doubled: %+v, %v", look, err)
	}
}

// A comparison that has to end keeps the bounds of the looks it had and spends the
// rest at its end.
func TestEndAt(t *testing.T) {
	l, err := PlanLooks(EvenLooks(20, 5), 0)
	if err != nil {
		t.Fatal(err)
	}
	short := l.EndAt(10)
	if got, want := short.Blocks(), []int{4, 8, 10}; !slices.Equal(got, want) {
		t.Fatalf("looks after %v, want %v", got, want)
	}
	for k := range 2 {
		if math.Abs(short.bounds[k]/l.bounds[k]-1) > 1e-6 {
			t.Errorf("look %d: bound %v, was %v", k+1, short.bounds[k], l.bounds[k])
		}
	}
	fixed := distuv.StudentsT{Mu: 0, Sigma: 1, Nu: 9}.Quantile(0.975)
	if b := short.bounds[2]; b < fixed || b > fixed*1.05 {
		t.Errorf("last bound %v, want little more than without looks, %v", b, fixed)
	}
	if l.EndAt(20) != l || l.EndAt(1) != l {
		t.Error("the plan changed where it should stay")
	}
}
