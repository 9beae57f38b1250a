package tune

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"seaworthy/internal/knowledge"
	"seaworthy/internal/measure/stats"
	"seaworthy/internal/tune/analysis"
	"seaworthy/internal/tune/design"
	"seaworthy/internal/tune/space"
)

// Design is how the screen is laid out.
type Design struct {
	Kind       string   `json:"kind"`
	Resolution int      `json:"resolution,omitempty"`
	Generators []string `json:"generators,omitempty"`
	Runs       []string `json:"runs"` // their settings
	Replicates int      `json:"replicates"`
	Blocks     int      `json:"blocks"`
	Trials     int      `json:"trials"` // with those of the present state
	// Trials that tell the effects as exactly one factor at a time, in pairs of with and without.
	OneByOne int      `json:"trials_one_factor_at_a_time"`
	Seconds  float64  `json:"seconds"`
	Words    []string `json:"aliases"`            // what can be told from what
	Repaired int      `json:"repaired,omitempty"` // runs that prerequisites forbid, taken by their neighbours
	Dropped  int      `json:"dropped,omitempty"`  // or by none
	// How often traffic is interrupted, by outage class from O2 on; and how often more if each
	// trial were put on alone.
	Outages map[knowledge.Class]int `json:"outages,omitempty"`
	Saved   map[knowledge.Class]int `json:"outages_saved,omitempty"`

	design *design.Design
}

// Of a block of the screen without whole plots: trials with settings, beside one as found.
const perBlock = 4

// mostReplicates is how often a screen is repeated at most.
const mostReplicates = 4

// lay chooses the design of the screen by what is left of the budget until it has to
// end: each factor with the present level and the first of the others.
func (e *Engine) lay() (*Design, error) {
	each := e.cost(1, perBlock) / perBlock
	room := (untilScreened*e.Budget - e.spent) / each
	var factors []design.Factor
	for _, f := range e.Space.Factors {
		factors = append(factors, design.Factor{Name: f.Name, Outage: int(f.Class[1] - '0')})
	}
	d, err := design.New(design.Request{Factors: factors, Budget: int(room), Allowed: func(run []int) bool { return e.allowed(run) == nil }})
	var small *design.BudgetError
	if errors.As(err, &small) {
		return nil, &BudgetError{Budget: e.Budget, Needed: (e.spent + float64(small.Least)*each) / untilScreened}
	}
	if err != nil {
		return nil, fmt.Errorf("design of the screen: %w", err)
	}
	n := len(d.Runs)
	out := &Design{Kind: string(d.Kind), Resolution: d.Resolution, Generators: d.Generators, Words: d.AliasWords(), design: d,
		Replicates: min(mostReplicates, max(1, int(room)/n)), Repaired: d.Repaired, Dropped: d.Dropped}
	for _, run := range d.Runs {
		out.Runs = append(out.Runs, e.Space.Words(run))
	}
	plots := plotting{e.Space}
	blocks := plots.blocksOf(d, out.Replicates, e.Seed)
	out.Outages, out.Saved, out.Blocks = map[knowledge.Class]int{}, map[knowledge.Class]int{}, out.Replicates*len(blocks)
	for range out.Replicates {
		for _, block := range blocks {
			plots.outages(d.Runs[block[0]], out.Outages)
			for _, i := range block[1:] {
				plots.outages(d.Runs[i], out.Saved)
			}
		}
	}
	out.Trials = out.Replicates*n + out.Blocks
	out.OneByOne = analysis.OneByOne(len(factors), out.Replicates*n, perBlock)
	out.Seconds = math.Round(e.cost(out.Blocks, out.Replicates*n))
	return out, nil
}

func (e *Engine) allowed(run space.Run) error {
	if e.Fleet == nil {
		return nil
	}
	return e.Space.Allowed(e.Fleet, run)
}

// screen measures the design and estimates what its factors do. Where that shows nothing
// to go on with, it is repeated while the budget leaves room for a confirmation.
func (e *Engine) screen(ctx context.Context) (candidates []space.Run, err error) {
	d := e.result.Design
	e.state.begin(Screen, d.Blocks)
	for n := 0; n < d.Replicates || len(candidates) == 0 && e.fits(untilRepeated, d.Seconds/float64(d.Replicates)) > 0; n++ {
		if err := e.replicate(ctx, n); err != nil {
			return nil, err
		}
		if n+1 < d.Replicates {
			continue
		}
		if err := e.estimate(); err != nil {
			return nil, err
		}
		candidates = e.promising()
	}
	return candidates, nil
}

// replicate measures every run of the design once more.
func (e *Engine) replicate(ctx context.Context, n int) error {
	d := e.result.Design.design
	plots := plotting{e.Space}
	for _, chunk := range plots.blocksOf(d, e.result.Design.Replicates, e.Seed+uint64(n)) {
		if n > 0 && e.fits(untilRepeated, e.cost(1, len(chunk))) == 0 {
			return nil // trials took longer than expected
		}
		var runs []space.Run
		for _, i := range chunk {
			runs = append(runs, d.Runs[i])
		}
		got, err := e.block(ctx, e.Space.Present(), runs)
		if err != nil {
			return err
		}
		for i, response := range got {
			if math.IsNaN(response) {
				continue
			}
			t := analysis.Trial{Run: runs[i], Reference: e.blocks, Response: response}
			if plots.split() {
				t.Plot = e.blocks
			}
			e.screened = append(e.screened, t)
		}
	}
	return nil
}

// estimate says what the factors do, by all trials of the screen.
func (e *Engine) estimate() error {
	model, err := analysis.Fit(e.result.Design.design.Factors, e.screened, e.noise)
	if err != nil {
		return fmt.Errorf("screen: %w", err)
	}
	if smallest := smallestEffect(len(e.Space.Factors), len(e.screened), e.noise); smallest != nil {
		e.result.Noise.Smallest = smallest
	}
	e.result.Effects, e.result.Pairs = []Effect{}, []Effect{}
	e.model = model
	for _, x := range model.Effects {
		effect := Effect{Ratio: math.Exp(x.Estimate), P: x.P, Shown: x.Named, Aliases: x.Aliases}
		if x.Low != nil && x.High != nil {
			effect.Low, effect.High = new(math.Exp(*x.Low)), new(math.Exp(*x.High))
		}
		for _, f := range x.Term {
			effect.Factors = append(effect.Factors, e.Space.Factors[f].Name)
		}
		if len(x.Term) > 1 {
			e.result.Pairs = append(e.result.Pairs, effect)
			continue
		}
		effect.Level = e.Space.Factors[x.Term[0]].Levels[1].Label
		e.result.Effects = append(e.result.Effects, effect)
	}
	size := func(x Effect) float64 { return math.Abs(math.Log(x.Ratio)) }
	slices.SortStableFunc(e.result.Effects, func(a, b Effect) int { return cmp.Compare(size(b), size(a)) })
	return nil
}

// smallestEffect is the least effect of a factor that so many trials of a screen can show;
// nil: none.
func smallestEffect(factors, trials int, noise analysis.Noise) *float64 {
	s := math.Expm1(analysis.SmallestMainEffect(trials, factors, factors, noise.Shared(perBlock)))
	if math.IsInf(s, 0) {
		return nil
	}
	return &s
}

// pool estimates the factors again by the trials of all stages but the first, within their
// blocks: race, refinement and pruning say more about them than the screen alone.
func (e *Engine) pool() error {
	if e.model == nil { // combinations came from outside
		return nil
	}
	var all []analysis.Trial
	for _, t := range e.trials {
		if t.Stage != Calibrate && t.Value != nil && t.Guard == "" && slices.Max(t.Run) < 2 {
			all = append(all, analysis.Trial{Run: t.Run, Plot: t.Block, Response: float64(e.Goal.Better) * math.Log(*t.Value)})
		}
	}
	// These responses are no ratios: they vary by a trial's noise, not by that of two.
	noise := analysis.Noise{SD: e.noise.SD / math.Sqrt2, DF: e.noise.DF}
	model, err := analysis.Fit(e.result.Design.design.Factors, all, noise)
	if err != nil {
		return fmt.Errorf("all trials: %w", err)
	}
	e.model = model
	return nil
}

// contributes says whether the trials have shown that a setting of a run helps there: of an
// effect that is named among all, or among those of the factors alone.
func contributes(model *analysis.Model, factor int, run space.Run) bool {
	if model == nil {
		return false
	}
	shown := slices.ContainsFunc(model.Effects, func(x analysis.Effect) bool {
		alone := len(x.Term) == 1 && x.P*float64(len(run)) <= 1-stats.Confidence
		return (x.Named || alone) && slices.Contains(x.Term, factor)
	})
	with := twoLevels(run)
	without := slices.Clone(with)
	without[factor] = 0
	return shown && model.Predict(with) > model.Predict(without)
}

// twoLevels is a run as the screen's model knows it.
func twoLevels(r space.Run) space.Run {
	out := slices.Clone(r)
	for i := range out {
		out[i] = min(out[i], 1)
	}
	return out
}

// mostRanked bounds the factors of which every combination is ranked.
const mostRanked = 12

// promising are the best combinations of the factors that are shown to matter, and the
// best one with those that may.
func (e *Engine) promising() []space.Run {
	sure, likely := map[int]bool{}, map[int]bool{}
	for _, x := range e.model.Effects {
		for _, f := range x.Term {
			sure[f] = sure[f] || x.Named
			likely[f] = likely[f] || x.Named || len(x.Term) == 1 && x.P < 0.2
		}
	}
	out := e.ranked(sure)
	out = out[:min(len(out), mostCandidates-1)]
	if all := e.ranked(likely); len(all) > 0 && !slices.ContainsFunc(out, func(r space.Run) bool { return slices.Equal(r, all[0]) }) {
		out = append(out, all[0])
	}
	return out
}

// ranked are the combinations of some factors that promise more than the present state.
func (e *Engine) ranked(factors map[int]bool) []space.Run {
	runs := [][]int{e.Space.Present()}
	varied := 0
	for f := range e.Space.Factors {
		if !factors[f] || varied == mostRanked {
			continue
		}
		varied++
		for _, r := range runs {
			on := slices.Clone(r)
			on[f] = 1
			runs = append(runs, on)
		}
	}
	now := e.model.Predict(e.Space.Present())
	var out []space.Run
	for _, c := range e.model.Rank(runs) {
		if c.Predicted > now && e.barred[e.Space.Words(c.Run)] == "" && e.allowed(c.Run) == nil {
			out = append(out, c.Run)
		}
	}
	return out
}
