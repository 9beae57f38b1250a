package analysis

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"seaworthy/internal/test/draw"
	"seaworthy/internal/tune/design"
)

func factors(k int) []design.Factor {
	out := make([]design.Factor, k)
	for i := range out {
		out[i] = design.Factor{Name: string(rune('A' + i))}
	}
	return out
}

func plan(t *testing.T, r design.Request) *design.Design {
	t.Helper()
	d, err := design.New(r)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// study measures a design so many times: the response is the truth of the run,
// plus an error of the trial, plus one of its whole plot.
func study(d *design.Design, repeats int, truth func(run []int) float64, sd, plotSD float64, seed uint64) []Trial {
	r := rand.New(rand.NewPCG(seed, 11))
	plots := slices.Max(d.Plots) + 1
	var trials []Trial
	for repeat := range repeats {
		shift := map[int]float64{}
		for p := range plots {
			shift[p] = plotSD * r.NormFloat64()
		}
		for _, i := range d.Order(seed+uint64(repeat), nil) {
			trials = append(trials, Trial{
				Run: d.Runs[i], Plot: repeat*plots + d.Plots[i],
				Response: truth(d.Runs[i]) + shift[d.Plots[i]] + sd*r.NormFloat64(),
			})
		}
	}
	return trials
}

// measured returns what some A/A blocks show of a noise.
func measured(sd float64, blocks int, seed uint64) Noise {
	if blocks == 0 {
		return Noise{}
	}
	r := rand.New(rand.NewPCG(seed, 12))
	squares := 0.0
	for range blocks - 1 {
		v := r.NormFloat64()
		squares += v * v
	}
	return Noise{SD: sd * math.Sqrt(squares/float64(blocks-1)), DF: blocks - 1}
}

func sign(level int) float64 { return float64(2*level - 1) }

func named(m *Model) (names []string) {
	for _, e := range m.Effects {
		if e.Named {
			names = append(names, e.Name)
		}
	}
	return names
}

func fit(t *testing.T, f []design.Factor, trials []Trial, noise Noise) *Model {
	t.Helper()
	m, err := Fit(f, trials, noise)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// A complete 2×2 by hand: effects are differences of means.
func TestKnownEffects(t *testing.T) {
	trials := []Trial{
		{Run: []int{0, 0}, Response: 0.00}, {Run: []int{1, 0}, Response: 0.10},
		{Run: []int{0, 1}, Response: 0.02}, {Run: []int{1, 1}, Response: 0.20},
	}
	m := fit(t, factors(2), trials, Noise{SD: 0.01, DF: 10})
	want := map[string]float64{"A": 0.14, "B": 0.06, "A×B": 0.04}
	if len(m.Effects) != 3 {
		t.Fatalf("%d effects, want 3", len(m.Effects))
	}
	for _, e := range m.Effects {
		if math.Abs(e.Estimate-want[e.Name]) > 1e-12 {
			t.Errorf("%s: %v, want %v", e.Name, e.Estimate, want[e.Name])
		}
		// One effect of four trials has the standard error s; t with ten degrees is 2.228.
		if e.Name == "A×B" && e.Named && math.Abs((*e.High-*e.Low)/2-2.228*0.01) > 1e-4 {
			t.Errorf("%s: half interval %v", e.Name, (*e.High-*e.Low)/2)
		}
	}
	if got := m.Predict([]int{1, 1}); math.Abs(got-0.2) > 1e-12 {
		t.Errorf("predicted %v, measured 0.2", got)
	}
}

// Three of eight factors matter, two of them together: they are named in 95 % of
// 200 studies, at a noise of 2 % and A/A blocks that measured it.
func TestPlantedEffectsAreFound(t *testing.T) {
	truth := func(run []int) float64 {
		b, e, g := sign(run[1]), sign(run[4]), sign(run[6])
		return 0.06*b + 0.035*e - 0.03*g + 0.03*b*e
	}
	type sample struct {
		factors, runs, blocks int
		least                 int // of 200
		interaction           bool
	}
	for _, c := range draw.OneIn(t, 2, []sample{
		{8, 64, 0, 190, true}, {8, 32, 10, 190, true}, {8, 16, 10, 190, false}, {11, 24, 10, 190, true},
	}) {
		d := plan(t, design.Request{Factors: factors(c.factors), Budget: c.runs})
		all, strangers, best := 0, 0, 0
		for seed := range uint64(200) {
			m := fit(t, d.Factors, study(d, 1, truth, 0.02, 0, seed), measured(0.02, c.blocks, seed))
			names := named(m)
			found := slices.Contains(names, "B") && slices.Contains(names, "E") && slices.Contains(names, "G")
			mine := slices.ContainsFunc(m.Effects, func(e Effect) bool {
				return e.Named && (e.Name == "B×E" || !c.interaction && slices.Contains(e.Aliases, "B×E"))
			})
			if found && mine {
				all++
			}
			for _, e := range m.Effects {
				if e.Named && len(e.Term) == 1 && !strings.Contains("BEG", e.Name) {
					strangers++
					break
				}
			}
			var every [][]int
			for i := range 256 {
				run := make([]int, c.factors)
				for f := range 8 {
					run[f] = i >> f & 1
				}
				every = append(every, run)
			}
			if truth(m.Rank(every)[0].Run) > 0.154 {
				best++
			}
		}
		t.Logf("%d factors, %d runs, %d A/A blocks: all found in %d of 200, another factor named in %d, best combination first in %d", c.factors, c.runs, c.blocks, all, strangers, best)
		if all < c.least || strangers > 15 || best < 190 {
			t.Errorf("%d runs: all found in %d of 200, another named in %d, best combination first in %d", c.runs, all, strangers, best)
		}
	}
}

// A study in which no setting matters names one in at most 5 % of cases. The
// share of 1,000 has a standard error of 0.7 %.
func TestNothingIsNamedWhereNothingMatters(t *testing.T) {
	hard := factors(6)
	hard[0].Outage, hard[3].Outage = 3, 3
	zero := func([]int) float64 { return 0 }
	for _, c := range []struct {
		name            string
		request         design.Request
		repeats, blocks int
		plotSD          float64
	}{
		{"full", design.Request{Factors: factors(3), Budget: 8}, 1, 6, 0},
		{"full, twice", design.Request{Factors: factors(3), Budget: 8}, 2, 0, 0},
		{"resolution V", design.Request{Factors: factors(5), Budget: 16}, 1, 0, 0},
		{"resolution IV", design.Request{Factors: factors(8), Budget: 16}, 1, 0, 0},
		{"resolution IV with A/A blocks", design.Request{Factors: factors(8), Budget: 16}, 1, 8, 0},
		{"Plackett–Burman", design.Request{Factors: factors(11), Budget: 24}, 1, 0, 0},
		{"repaired", design.Request{
			Factors: factors(8), Budget: 16, Allowed: func(run []int) bool { return run[2] == 0 || run[0] == 1 },
		}, 1, 8, 0},
		{"split plot", design.Request{Factors: hard, Budget: 16}, 3, 8, 0.03},
	} {
		d := plan(t, c.request)
		const studies = 1000
		mains, _ := design.Terms(len(d.Factors))
		classes := newData(d.Factors, study(d, c.repeats, zero, 0, 0, 0), Noise{}).classes()
		wrong := 0
		for seed := range uint64(studies) {
			data := newData(d.Factors, study(d, c.repeats, zero, 0.02, c.plotSD, seed), measured(0.02, c.blocks, seed))
			s := selection{data: data, mains: mains, classes: classes}
			s.run()
			if len(s.named) > 0 {
				wrong++
			}
		}
		t.Logf("%s: %.1f %%", c.name, 100*float64(wrong)/studies)
		if wrong > studies*65/1000 {
			t.Errorf("%s: %d of %d studies name an effect, none is there", c.name, wrong, studies)
		}
	}
}

// Judged against the spread of trials, a factor that changes between whole plots
// only would be named far too often: the plots' own spread is larger.
func TestWholePlotFactorsAreJudgedAgainstPlots(t *testing.T) {
	f := factors(5)
	f[0].Outage = 4
	d := plan(t, design.Request{Factors: f, Budget: 16})
	truth := func(run []int) float64 { return 0.01 * sign(run[2]) }
	wrong, found, covered := 0, 0, 0
	const studies = 400
	mains, _ := design.Terms(len(f))
	estimates := newData(f, study(d, 4, truth, 0.01, 0.05, 0), Noise{}).fit(mains)
	if plots, within := find(estimates, mains[0]).df, find(estimates, mains[2]).df; plots != 6 || within < 40 {
		t.Fatalf("A changes between plots, of which eight of two kinds leave 6 degrees, not %v; C within: %v", plots, within)
	}
	for seed := range uint64(studies) {
		m := fit(t, f, study(d, 4, truth, 0.01, 0.05, seed), Noise{})
		if m.Effects[0].Named {
			wrong++
		}
		if m.Effects[2].Named {
			found++
		}
		if *m.Effects[0].Low <= 0 && 0 <= *m.Effects[0].High {
			covered++
		}
	}
	if wrong > studies*4/100 || found < studies*99/100 || covered < studies*92/100 {
		t.Errorf("of %d studies: whole-plot factor without effect named in %d, covered in %d, subplot effect found in %d", studies, wrong, covered, found)
	}
}

// With one reference for four trials these vary together. That is used: intervals
// hold the truth, are as narrow as Shared says, and equal settings are not named.
func TestSharedReferences(t *testing.T) {
	d := plan(t, design.Request{Factors: factors(5), Budget: 16})
	const studies, sd = 600, 0.02
	covered := 0
	wrong := 0
	shared := 0.0
	own := 0.0
	for seed := range uint64(studies) {
		r := rand.New(rand.NewPCG(seed, 41))
		var trials []Trial
		reference := 0.0
		for i, run := range d.Order(seed, nil) {
			if i%4 == 0 {
				reference = sd * r.NormFloat64()
			}
			trials = append(trials, Trial{Run: d.Runs[run], Reference: 1 + i/4, Response: sd*r.NormFloat64() - reference})
		}
		m := fit(t, d.Factors, trials, measured(sd*math.Sqrt2, 6, seed))
		if len(named(m)) > 0 {
			wrong++
		}
		if *m.Effects[1].Low <= 0 && 0 <= *m.Effects[1].High {
			covered++
		}
		shared += *m.Effects[1].High - *m.Effects[1].Low
		for i := range trials {
			trials[i].Reference = 0
		}
		m = fit(t, d.Factors, trials, measured(sd*math.Sqrt2, 6, seed))
		own += *m.Effects[1].High - *m.Effects[1].Low
	}
	ratio, want := shared/own, Noise{SD: 1}.Shared(4).SD
	t.Logf("covered %d, named %d of %d; width %.3f of that with own references, %.3f expected", covered, wrong, studies, ratio, want)
	if covered < studies*93/100 || wrong > studies*7/100 || math.Abs(ratio-want) > 0.06 {
		t.Errorf("of %d studies: truth covered in %d, an effect named in %d; width %.3f, want %.3f", studies, covered, wrong, ratio, want)
	}
}

func TestTooFewPlotsAreSaid(t *testing.T) {
	f := factors(4)
	f[0].Outage = 4
	d := plan(t, design.Request{Factors: f, Budget: 16})
	m := fit(t, f, study(d, 1, func(run []int) float64 { return 0.5 * sign(run[0]) }, 0.01, 0, 1), Noise{SD: 0.01, DF: 9})
	e := m.Effects[0]
	if e.Named || e.Low != nil || math.Abs(e.Estimate-1) > 0.05 {
		t.Errorf("two plots say nothing of their spread: %+v", e)
	}
}

func TestAliasedInteractionsNameEachOther(t *testing.T) {
	d := plan(t, design.Request{Factors: factors(4), Budget: 8})
	truth := func(run []int) float64 { return 0.1*sign(run[2]) + 0.1*sign(run[2])*sign(run[3]) }
	m := fit(t, d.Factors, study(d, 2, truth, 0.01, 0, 2), Noise{})
	for _, e := range m.Effects {
		if e.Named && len(e.Term) == 2 {
			if e.Name != "C×D" || !slices.Equal(e.Aliases, []string{"A×B"}) {
				t.Errorf("%s with %q named; C is, so C×D is likelier than A×B", e.Name, e.Aliases)
			}
			return
		}
	}
	t.Errorf("named %q, no interaction", named(m))
}

// An interaction that was named for one parent stays when another of its class
// has gained two.
func TestNamedInteractionStays(t *testing.T) {
	d := plan(t, design.Request{Factors: factors(4), Budget: 8})
	truth := func(run []int) float64 {
		return 0.1*sign(run[2]) + 0.09*sign(run[2])*sign(run[3]) + 0.02*sign(run[0]) + 0.02*sign(run[1])
	}
	m := fit(t, d.Factors, study(d, 2, truth, 0.004, 0, 2), Noise{})
	want := []string{"A", "B", "C", "C×D"}
	if got := named(m); !slices.Equal(got, want) || len(m.Effects) != 7 {
		t.Errorf("named %q, want %q; %d effects, want four and three classes of interactions", got, want, len(m.Effects))
	}
}

func TestConstantFactorIsUnknown(t *testing.T) {
	trials := []Trial{{Run: []int{0, 1}, Response: 0}, {Run: []int{1, 1}, Response: 0.1}, {Run: []int{0, 1}}, {Run: []int{1, 1}, Response: 0.11}}
	m := fit(t, factors(2), trials, Noise{})
	if len(m.Effects) != 1 || m.Effects[0].Name != "A" {
		t.Errorf("effects %+v, only A can be told", m.Effects)
	}
}

func TestFitRefuses(t *testing.T) {
	if _, err := Fit(factors(2), nil, Noise{}); err == nil || !strings.Contains(err.Error(), "no trial") {
		t.Errorf("%v, want that there is no trial", err)
	}
}
