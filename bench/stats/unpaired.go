package stats

import (
	"errors"
	"fmt"
	"math"

	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/distuv"
)

// Unpaired gives the effect of b against a, measured at different times: the
// ratio of their geometric means, with Welch's interval of the difference of the
// logarithms. Blocks is 0. It fails without values and on one that is not a
// positive number. With a single value on a side there is no interval.
func Unpaired(a, b []float64) (*Effect, error) {
	if len(a) == 0 || len(b) == 0 {
		return nil, errors.New("nothing measured on one side")
	}
	for _, x := range [][]float64{a, b} {
		for _, v := range x {
			if !(v > 0) || math.IsInf(v, 0) {
				return nil, fmt.Errorf("value %v, a positive number expected", v)
			}
		}
	}
	x, y := logs(a), logs(b)
	d := stat.Mean(y, nil) - stat.Mean(x, nil)
	e := &Effect{Ratio: math.Exp(d)}
	if len(a) < 2 || len(b) < 2 {
		return e, nil
	}
	vx, vy := stat.Variance(x, nil)/float64(len(x)), stat.Variance(y, nil)/float64(len(y))
	half := 0.0
	if vx+vy > 0 {
		nu := (vx + vy) * (vx + vy) / (vx*vx/float64(len(x)-1) + vy*vy/float64(len(y)-1))
		t := distuv.StudentsT{Mu: 0, Sigma: 1, Nu: nu}.Quantile(1 - (1-Confidence)/2)
		half = t * math.Sqrt(vx+vy)
	}
	low, high := math.Exp(d-half), math.Exp(d+half)
	e.Low, e.High = &low, &high
	return e, nil
}
