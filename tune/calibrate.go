package tune

import (
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/distuv"

	"seaworthy/bench/stats"
	"seaworthy/tune/analysis"
	"seaworthy/tune/space"
)

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

// calibrate measures the present state against itself.
func (e *Engine) calibrate(ctx context.Context) error {
	n := min(mostCalibration, max(leastCalibration, e.fits(untilCalibrated, e.cost(2, 0))))
	e.begin(Calibrate, n)
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

// exp turns responses into ratios.
func exp(responses []float64) []float64 {
	out := make([]float64, len(responses))
	for i, x := range responses {
		out[i] = math.Exp(x)
	}
	return out
}
