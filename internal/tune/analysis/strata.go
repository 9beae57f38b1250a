package analysis

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/distuv"

	"seaworthy/internal/tune/design"
)

// estimate of a term's coefficient; se is NaN where nothing tells the error.
type estimate struct {
	term     design.Term
	beta, se float64
	df       float64
}

func find(estimates []estimate, t design.Term) *estimate {
	if i := slices.IndexFunc(estimates, func(e estimate) bool { return slices.Equal(e.term, t) }); i >= 0 {
		return &estimates[i]
	}
	return nil
}

// p is the two-sided p-value; 1 where the error is unknown.
func (e estimate) p() float64 {
	if math.IsNaN(e.se) {
		return 1
	}
	return 2 * distuv.StudentsT{Mu: 0, Sigma: 1, Nu: e.df}.CDF(-math.Abs(e.beta)/e.se)
}

// data are the trials of a study, split into what happens within whole plots and
// between them.
type data struct {
	factors   []design.Factor
	runs      [][]int
	y         []float64
	plot      []int       // of each trial, from 0
	size      []float64   // trials of each plot
	reference []int       // of each trial, from 0
	shared    []float64   // trials of each reference
	plots     [][]float64 // orthonormal, what the whole plots can shift
	noise     Noise       // of one trial
}

func newData(factors []design.Factor, trials []Trial, noise Noise) *data {
	// Two trials of one state differ by √2 of one trial's spread.
	d := &data{factors: factors, noise: Noise{SD: noise.SD / math.Sqrt2, DF: noise.DF}}
	plots, references := map[int]int{}, map[int]int{}
	for i, t := range trials {
		if t.Reference <= 0 {
			t.Reference = -1 - i // its own
		}
		d.runs, d.y = append(d.runs, t.Run), append(d.y, t.Response)
		d.plot, d.size = number(plots, t.Plot, d.plot, d.size)
		d.reference, d.shared = number(references, t.Reference, d.reference, d.shared)
	}
	for p := range d.size {
		column := make([]float64, len(trials))
		for i := range column {
			if d.plot[i] == p {
				column[i] = 1
			}
		}
		column = d.within(column)
		floats.Scale(1/floats.Norm(column, 2), column)
		d.plots = append(d.plots, column)
	}
	return d
}

// number counts a key's trials and gives it the next number if it is new.
func number(numbers map[int]int, key int, of []int, size []float64) ([]int, []float64) {
	n, ok := numbers[key]
	if !ok {
		n = len(numbers)
		numbers[key] = n
		size = append(size, 0)
	}
	size[n]++
	return append(of, n), size
}

// averages are those of a column over the trials of each plot, or reference.
func averages(column []float64, of []int, size []float64) []float64 {
	m := make([]float64, len(size))
	for i, v := range column {
		m[of[i]] += v / size[of[i]]
	}
	return m
}

// within is a column freed of what whole plots and references add. The error of a
// reference is in all trials paired with it, so these vary together: errors of one
// trial's size, independent of each other, are left when a share of the trials'
// mean is taken off, 1 − 1/√(1+n) of n trials.
func (d *data) within(column []float64) []float64 {
	m, out := averages(column, d.reference, d.shared), make([]float64, len(column))
	for i, v := range column {
		r := d.reference[i]
		out[i] = v - (1-1/math.Sqrt(1+d.shared[r]))*m[r]
	}
	for _, p := range d.plots {
		floats.AddScaled(out, -floats.Dot(out, p), p)
	}
	return out
}

// betweenPlots returns what a column's plot means differ by, weighted so that squares add
// up as over trials.
func (d *data) betweenPlots(column []float64) []float64 {
	out, mean := averages(column, d.plot, d.size), stat.Mean(column, nil)
	for p, m := range out {
		out[p] = (m - mean) * math.Sqrt(d.size[p])
	}
	return out
}

// fit estimates the terms together by least squares, each in its stratum. Terms
// that the trials cannot tell from those before them are left out.
func (d *data) fit(terms []design.Term) (estimates []estimate) {
	var trialTerms, plotTerms []design.Term
	var trialColumns, plotColumns [][]float64
	for _, t := range terms {
		column := t.Column(d.runs)
		if w := d.within(column); floats.Norm(w, 2) > negligible*math.Sqrt(float64(len(w))) {
			trialTerms, trialColumns = append(trialTerms, t), append(trialColumns, w)
		} else {
			plotTerms, plotColumns = append(plotTerms, t), append(plotColumns, d.betweenPlots(column))
		}
	}
	within, estimates := leastSquares(trialTerms, trialColumns, d.within(d.y), len(d.y)-len(d.plots))
	within = within.pooled(d.noise)
	rest := slices.Clone(d.y) // without what changes within the plots
	for i := range estimates {
		estimates[i].scaleError(within)
		floats.AddScaled(rest, -estimates[i].beta, estimates[i].term.Column(d.runs))
	}
	between, plotEstimates := leastSquares(plotTerms, plotColumns, d.betweenPlots(rest), len(d.size)-1)
	for _, e := range plotEstimates {
		e.scaleError(between)
		estimates = append(estimates, e)
	}
	return estimates
}

// scaleError turns se, of an error of 1, into that of the spread found.
func (e *estimate) scaleError(spread Noise) {
	e.df = float64(spread.DF)
	e.se *= spread.SD
	if spread.DF == 0 {
		e.se = math.NaN()
	}
}

const negligible = 1e-6

// leastSquares fits y, of so many degrees of freedom, by the columns; se of the
// estimates is for an error of 1.
func leastSquares(terms []design.Term, columns [][]float64, y []float64, df int) (Noise, []estimate) {
	var estimates []estimate
	var kept, basis [][]float64
	for i, c := range columns {
		if len(kept) == df {
			break
		}
		// What is left of the column beside those before it.
		r := slices.Clone(c)
		for _, b := range basis {
			floats.AddScaled(r, -floats.Dot(r, b), b)
		}
		if l := floats.Norm(r, 2); l > negligible*math.Sqrt(float64(len(r))) {
			floats.Scale(1/l, r)
			basis, kept = append(basis, r), append(kept, c)
			estimates = append(estimates, estimate{term: terms[i]})
		}
	}
	squares := floats.Dot(y, y)
	if len(kept) > 0 {
		x := mat.NewDense(len(y), len(kept), nil)
		for j, c := range kept {
			x.SetCol(j, c)
		}
		var qr mat.QR
		qr.Factorize(x)
		var beta, residual mat.VecDense
		var r, inverse mat.Dense
		// Neither can fail: what is nearly dependent was left out.
		_ = qr.SolveVecTo(&beta, false, mat.NewVecDense(len(y), y))
		qr.RTo(&r)
		_ = inverse.Inverse(r.Slice(0, len(kept), 0, len(kept)))
		for j := range estimates {
			estimates[j].beta = beta.AtVec(j)
			estimates[j].se = floats.Norm(inverse.RawRowView(j), 2)
		}
		residual.MulVec(x, &beta)
		residual.SubVec(mat.NewVecDense(len(y), y), &residual)
		squares = mat.Dot(&residual, &residual)
	}
	spread := Noise{DF: df - len(kept)}
	if spread.DF > 0 {
		spread.SD = math.Sqrt(squares / float64(spread.DF))
	}
	return spread, estimates
}
