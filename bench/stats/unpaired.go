package stats

import (
	"math"

	"gonum.org/v1/gonum/stat"
)

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
