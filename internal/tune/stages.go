package tune

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"time"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/distuv"

	"seaworthy/internal/measure"
	"seaworthy/internal/measure/stats"
	"seaworthy/internal/tune/analysis"
	"seaworthy/internal/tune/space"
)

// Run carries the study out. On an error the result holds what there is.
func (e *Engine) Run(ctx context.Context) (*Result, error) {
	e.random = rand.New(rand.NewPCG(e.Seed, 0)) //nolint:gosec // an order that can be repeated
	e.ratios, e.barred, e.shown = map[string][]float64{}, map[string]string{}, map[int]bool{}
	e.guard = guard{cores: coresAllowed(e.Fleet), worst: map[string]float64{}, least: map[string]float64{}}
	e.result = e.newResult()
	err := e.stages(ctx)
	e.finish()
	return e.result, err
}

// Draft lays the study out without carrying anything out: the result's design.
func (e *Engine) Draft() (*Result, error) {
	r := e.newResult()
	if len(e.Space.Factors) == 0 {
		return r, nil
	}
	e.spent = e.cost(2*leastCalibration, 0)
	defer func() { e.spent = 0 }()
	var err error
	r.Design, err = e.lay()
	return r, err
}

func (e *Engine) newResult() *Result {
	return &Result{Schema: Schema, Goal: e.Goal.Name, Unit: e.Goal.Unit, Started: time.Now().UTC(), Seed: e.Seed, Space: e.Space,
		Margin: e.Margin, Budget: e.Budget, Effects: []Effect{}, Pairs: []Effect{}, Raced: []Candidate{}, Cells: []Cell{}}
}

func (e *Engine) stages(ctx context.Context) error {
	if err := e.calibrate(ctx); err != nil {
		return err
	}
	e.result.Unwatched = e.guard.blind(e.Goal.Kind, e.Hosts)
	if e.Proposals == nil {
		var err error
		if e.result.Design, err = e.lay(); err != nil {
			return err
		}
		trials := e.result.Design.Replicates * len(e.result.Design.Runs)
		e.result.Noise.Smallest = smallestEffect(len(e.Space.Factors), trials, e.noise)
	}
	if e.Agree != nil {
		if err := e.Agree(e.result); err != nil {
			return err
		}
	}
	candidates, err := e.candidates(ctx)
	if err != nil {
		return err
	}
	best, err := e.race(ctx, candidates)
	if err == nil && best != nil {
		best, err = e.refine(ctx, best)
	}
	if err == nil && best != nil {
		best, err = e.prune(ctx, best)
	}
	if err != nil {
		return err
	}
	if best == nil {
		e.result.Reason = cmp.Or(e.result.Reason, "no setting was shown to help")
		return nil
	}
	return e.confirm(ctx, best)
}

func (e *Engine) finish() {
	r := e.result
	r.Trials, r.Seconds, r.Space = len(e.trials), e.spent, e.Space
	for settings, why := range e.barred {
		r.Barred = append(r.Barred, Barred{settings, why})
	}
	r.Barred = slices.DeleteFunc(r.Barred, func(b Barred) bool { return refusedInPart(e.trials, b.Settings) })
	slices.SortFunc(r.Barred, func(a, b Barred) int { return cmp.Compare(a.Settings, b.Settings) })
	r.Cells = summarizeCells(e.Goal, e.trials, e.ratios)
}

// refusedInPart says whether hosts refused these settings, and some of them alone too.
func refusedInPart(trials []Trial, settings string) bool {
	i := slices.IndexFunc(trials, func(t Trial) bool { return t.Settings == settings && t.Refused != "" })
	return i >= 0 && slices.ContainsFunc(trials, func(t Trial) bool {
		return t.Refused != "" && t.Settings != settings && t.Run.Within(trials[i].Run)
	})
}

// Shares of the budget by which the stages end. What one leaves, the next ones have.
const (
	untilCalibrated = 0.08
	untilScreened   = 0.45
	untilRepeated   = 0.75 // a screen that showed nothing
	untilRaced      = 0.57
	untilRefined    = 0.73
	untilAgain      = 0.83 // refinements of what a refinement found
	untilPruned     = 0.9
)

// Blocks of a stage.
const (
	leastCalibration, mostCalibration = 4, 10
	leastRace, mostRace               = 3, 8
	leastRefine, mostRefine           = 3, 16
	leastPrune, mostPrune             = 3, 20
	leastConfirm, mostConfirm         = 4, 24
)

// BudgetError is of a budget that holds no study.
type BudgetError struct {
	Budget, Needed float64 // s
}

func (e *BudgetError) Error() string {
	return fmt.Sprintf("a budget of %.0f s is too small: this study needs %.0f s at least (more --budget, fewer --seconds, or fewer factors "+
		"with --space)", e.Budget, math.Ceil(e.Needed))
}

func (e *Engine) calibrate(ctx context.Context) error {
	n := min(mostCalibration, max(leastCalibration, e.fits(untilCalibrated, e.cost(2, 0))))
	e.state.begin(Calibrate, n)
	var differences, at, level []float64
	for b := range n {
		if _, err := e.block(ctx, e.Space.Present(), []space.Run{e.Space.Present()}); err != nil {
			return err
		}
		a, z := *e.trials[len(e.trials)-2].Value, *e.trials[len(e.trials)-1].Value
		differences = append(differences, e.Goal.response(z, a))
		at, level = append(at, float64(b)), append(level, (math.Log(a)+math.Log(z))/2)
	}
	clear(e.ratios) // of the present state to itself
	// Two trials of one state differ by √2 of one trial's noise.
	e.noise = analysis.Noise{SD: floats.Norm(differences, 2) / math.Sqrt(float64(n)), DF: n}
	r := &e.result.Noise
	r.Blocks, r.Share, r.Value = n, e.noise.SD/math.Sqrt2, math.Exp(stat.Mean(level, nil))*e.Goal.Scale
	r.Drift = drift(at, level)
	e.control, _ = stats.Paired(exp(differences)) // nil only if nothing was measured
	return nil
}

// drift is the change of the level over the stage, as a share, if it is shown at 1 %; else 0.
func drift(at, level []float64) float64 {
	n := float64(len(at))
	r := stat.Correlation(at, level, nil)
	if n < 4 || math.IsNaN(r) || r*r >= 1 {
		return 0
	}
	t := math.Abs(r) * math.Sqrt((n-2)/(1-r*r))
	if p := 2 * (distuv.StudentsT{Mu: 0, Sigma: 1, Nu: n - 2}).Survival(t); p > 0.01 {
		return 0
	}
	_, slope := stat.LinearRegression(at, level, nil, false)
	return math.Expm1(slope * (n - 1))
}

func exp(responses []float64) []float64 {
	out := make([]float64, len(responses))
	for i, x := range responses {
		out[i] = math.Exp(x)
	}
	return out
}

// confirm holds the winner against the present state on fresh blocks alone, and looks
// at planned blocks whether it is decided.
func (e *Engine) confirm(ctx context.Context, best space.Run) error {
	most := min(mostConfirm, max(leastConfirm, e.fits(1, e.cost(1, 1))))
	e.state.begin(Confirm, most)
	looks, err := stats.PlanLooks(stats.EvenLooks(most, 4), e.Margin)
	if err != nil {
		return err
	}
	w := &Winner{Settings: e.Space.Values(best), Words: e.Space.Words(best), Run: best, Parts: e.parts, Most: most}
	e.result.Winner = w
	var ratios []float64
	var before, after []Trial
	for n := 1; n <= most; n++ {
		got, err := e.block(ctx, e.Space.Present(), []space.Run{best})
		if err != nil {
			return err
		}
		if math.IsNaN(got[0]) {
			e.result.Reason = "the winner broke a guard rail in its confirmation: " + e.barred[w.Words]
			return nil
		}
		for _, t := range e.trials[len(e.trials)-2:] {
			if isPresent(t.Run) {
				before = append(before, t)
			} else {
				after = append(after, t)
			}
		}
		ratios = append(ratios, math.Exp(got[0]))
		if n < most && n >= leastConfirm && e.fits(1, e.cost(1, 1)) == 0 { // the budget is spent sooner than expected
			looks, most = looks.EndAt(n), n
		}
		look, err := looks.At(ratios, stats.HigherIsBetter, e.control)
		if err != nil {
			return err
		}
		if look == nil {
			continue
		}
		w.Look = look
		w.Before = e.Goal.median(before)
		w.After = e.Goal.median(after)
		w.Also = e.Goal.also(before, after)
		if look.Decided {
			break
		}
	}
	e.result.Found = w.Look.Verdict == stats.Improved
	if !e.result.Found {
		e.result.Reason = "the leader of the race was not confirmed on fresh blocks"
	}
	return nil
}

// median of the goal's figure, in the result's unit.
func (g Goal) median(trials []Trial) float64 {
	var values []float64
	for _, t := range trials {
		values = append(values, *t.Value*g.Scale)
	}
	return stats.Summarise(values).Median
}

// others are the figures that a goal is paid with, or that come with it.
var others = []string{
	measure.Throughput, measure.Transactions, measure.LatencyP50, measure.LatencyP99, measure.Cores, measure.PerTrans, measure.PerCore,
}

// also says what became of the other figures, those that every trial has.
func (g Goal) also(before, after []Trial) []Also {
	out := []Also{}
	for _, name := range others {
		var was, is, ratios []float64
		for i := range before {
			was, is = append(was, before[i].Figures[name]), append(is, after[i].Figures[name])
			ratios = append(ratios, is[i]/was[i])
		}
		x, err := stats.Paired(ratios)
		if err != nil || name == g.Figure { // some trial has none
			continue
		}
		out = append(out, Also{Figure: name, Before: stats.Summarise(was).Median, After: stats.Summarise(is).Median,
			Ratio: x.Ratio, Low: x.Low, High: x.High})
	}
	return out
}
