package stats

import (
	"errors"
	"fmt"
	"math"

	"gonum.org/v1/gonum/stat"
)

// Verdict on an effect.
type Verdict string

const (
	Improved     Verdict = "improved"
	Worse        Verdict = "worse"
	NoDifference Verdict = "no difference shown"
	NoLoss       Verdict = "no loss shown" // the interval leaves room for better, none for worse
	Inconclusive Verdict = "inconclusive"
	Unsteady     Verdict = "unsteady" // of a control only: equal states differ
)

// Direction says which way a figure is better.
type Direction int

const (
	HigherIsBetter Direction = +1
	LowerIsBetter  Direction = -1
)

// Margin is how far an effect may lie from 1 without mattering: an interval
// that holds 1 and stays within 1/(1+Margin) to 1+Margin shows no difference,
// a wider one that holds 1 leaves the question open.
const Margin = 0.05

// Effect is the ratio after/before, paired over blocks.
type Effect struct {
	Blocks  int      `json:"blocks"`        // 0: not paired
	Ratio   float64  `json:"ratio"`         // geometric mean over the blocks
	Low     *float64 `json:"low,omitempty"` // 95 % interval; nil with one block
	High    *float64 `json:"high,omitempty"`
	Verdict Verdict  `json:"verdict,omitempty"`
	Reason  string   `json:"reason,omitempty"` // of an inconclusive verdict
}

// Paired gives the effect of ratios, one a block. It fails without ratios and
// on one that is not a positive number: a block with nothing measured does not count.
func Paired(ratios []float64) (*Effect, error) {
	l, err := logsOfRatios(ratios)
	if err != nil {
		return nil, err
	}
	if len(l) < 2 {
		return &Effect{Blocks: 1, Ratio: math.Exp(l[0])}, nil
	}
	return ofLogs(l, tQuantile(float64(len(l)-1))), nil
}

// ofLogs is the effect of ratios with these logarithms; its interval reaches so many
// standard errors each way.
func ofLogs(l []float64, errs float64) *Effect {
	mean, sd := stat.MeanStdDev(l, nil)
	e := effect(mean, errs*sd/math.Sqrt(float64(len(l))))
	e.Blocks = len(l)
	return e
}

// effect has a mean logarithm of ratios, and its interval.
func effect(mean, half float64) *Effect {
	return &Effect{Ratio: math.Exp(mean), Low: new(math.Exp(mean - half)), High: new(math.Exp(mean + half))}
}

func logsOfRatios(ratios []float64) ([]float64, error) {
	if len(ratios) == 0 {
		return nil, errors.New("no complete block")
	}
	for i, r := range ratios {
		if !(r > 0) || math.IsInf(r, 0) {
			return nil, fmt.Errorf("block %d: ratio %v, a positive number expected", i+1, r)
		}
	}
	return logs(ratios), nil
}

// JudgeControl sets the verdict of a control, which compares equal states: that
// they differ is never an improvement.
func (e *Effect) JudgeControl(d Direction) {
	e.Judge(d, nil)
	if e.differs() {
		e.Verdict = Unsteady
	}
}

// Judge sets the verdict of an effect. control is the A/A effect of the same
// figure, nil if none was measured: if A differs from A by itself, an effect
// counts only where its interval lies clear of the control's.
func (e *Effect) Judge(d Direction, control *Effect) { e.judgeWithin(d, control, Margin) }

func (e *Effect) judgeWithin(d Direction, control *Effect, margin float64) {
	e.Verdict, e.Reason = Inconclusive, ""
	if e.Low == nil {
		e.Reason = "one block has no interval"
		if e.Blocks == 0 {
			e.Reason = "one trial has no interval"
		}
		return
	}
	low, high := *e.Low, *e.High
	if low <= 1 && high >= 1 {
		if high <= 1+margin && low >= 1/(1+margin) {
			e.Verdict = NoDifference
			return
		}
		if d == HigherIsBetter && low >= 1/(1+margin) || d == LowerIsBetter && high <= 1+margin {
			e.Verdict = NoLoss
			return
		}
		e.Reason = fmt.Sprintf("the interval holds 1 and is wider than %.0f %%", 100*margin)
		return
	}
	if control.differs() && low <= *control.High && high >= *control.Low {
		e.Reason = "equal states differ as well (control A/A): the path was unsteady"
		return
	}
	e.Verdict = Worse
	if low > 1 == (d == HigherIsBetter) {
		e.Verdict = Improved
	}
}

// differs says whether the interval leaves out 1.
func (e *Effect) differs() bool {
	return e != nil && e.Low != nil && (*e.Low > 1 || *e.High < 1)
}

// Unpaired gives the effect of b against a, measured at different times: the
// ratio of their geometric means, with Welch's interval of the difference of the
// logarithms. Blocks is 0. It fails without values and on one that is not a
// positive number. With a single value on a side there is no interval.
func Unpaired(a, b []float64) (*Effect, error) {
	x, err := logsOfRatios(a)
	if err != nil {
		return nil, err
	}
	y, err := logsOfRatios(b)
	if err != nil {
		return nil, err
	}
	d := stat.Mean(y, nil) - stat.Mean(x, nil)
	if len(a) < 2 || len(b) < 2 {
		return &Effect{Ratio: math.Exp(d)}, nil
	}
	vx, vy := stat.Variance(x, nil)/float64(len(x)), stat.Variance(y, nil)/float64(len(y))
	if vx+vy == 0 {
		return effect(d, 0), nil
	}
	nu := (vx + vy) * (vx + vy) / (vx*vx/float64(len(x)-1) + vy*vy/float64(len(y)-1))
	return effect(d, tQuantile(nu)*math.Sqrt(vx+vy)), nil
}
