package predict

import (
	"errors"
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat/distuv"
)

// param is a prior: normal, of a logarithm wherever the figure cannot be negative.
type param struct{ mean, sd float64 }

// Noise of an observation about the model, as a share: what is taken for it before
// anything is seen, beside what trials differ by, and how many observations that counts for.
const (
	noise       = 0.10
	noiseCounts = 4
)

// noiseOf is the noise to expect where trials lie apart like that.
func noiseOf(spreads []float64) float64 {
	sum := 0.0
	for _, s := range spreads {
		sum += s * s
	}
	return math.Sqrt(noise*noise + sum/float64(max(1, len(spreads))))
}

// posterior holds what a regression left: parameters jointly normal, and Student's
// noise about the model.
type posterior struct {
	mean []float64
	root *mat.TriDense // lower Cholesky factor of the covariance
	sd   float64       // of the noise
	free float64       // its degrees of freedom

	prior []param
	y     []float64 // logarithms of what was observed
	f     func(theta []float64, i int) float64
}

// regress fits logarithms y[i] to f(theta, i): the most probable parameters by
// Levenberg's steps, their covariance by Laplace's approximation.
func regress(prior []param, noise float64, y []float64, f func(theta []float64, i int) float64) (*posterior, error) {
	k := len(prior)
	p := &posterior{mean: make([]float64, k), sd: noise, free: noiseCounts + max(0, float64(len(y)-k)), prior: prior, y: y, f: f}
	for j, x := range prior {
		p.mean[j] = x.mean
	}
	for range 8 { // the noise and the parameters depend on each other
		if err := p.climb(); err != nil {
			return nil, err
		}
		sum := noiseCounts * noise * noise
		for i := range y {
			r := y[i] - f(p.mean, i)
			sum += r * r
		}
		before := p.sd
		p.sd = math.Sqrt(sum / p.free)
		if math.Abs(p.sd/before-1) < 0.01 {
			break
		}
	}
	a, _ := p.normal()
	var chol, covariance mat.Cholesky
	inverse := mat.NewSymDense(k, nil)
	if !chol.Factorize(a) || chol.InverseTo(inverse) != nil || !covariance.Factorize(inverse) {
		return nil, errUndetermined
	}
	p.root = mat.NewTriDense(k, mat.Lower, nil)
	covariance.LTo(p.root)
	return p, nil
}

// climb moves to the most probable parameters for the present noise.
func (p *posterior) climb() error {
	const near = 1e-3 // a step that no longer matters
	k := len(p.prior)
	damping, value := 1e-3, p.loss(p.mean)
	for range 40 {
		a, g := p.normal()
		for j := range k {
			a.SetSym(j, j, a.At(j, j)*(1+damping))
		}
		var chol mat.Cholesky
		var step mat.VecDense
		if !chol.Factorize(a) || chol.SolveVecTo(&step, g) != nil {
			return errUndetermined
		}
		before := slices.Clone(p.mean)
		for j := range k {
			p.mean[j] += step.AtVec(j)
		}
		if now := p.loss(p.mean); now <= value {
			value, damping = now, damping/4
		} else {
			p.mean, damping = before, damping*8
		}
		if mat.Norm(&step, 2) < near {
			break
		}
	}
	return nil
}

var errUndetermined = errors.New("the measurements do not determine the model")

// loss is the negative logarithm of the posterior density, without constants.
func (p *posterior) loss(theta []float64) float64 {
	sum := 0.0
	for i := range p.y {
		r := (p.y[i] - p.f(theta, i)) / p.sd
		sum += r * r
	}
	for j, x := range p.prior {
		d := (theta[j] - x.mean) / x.sd
		sum += d * d
	}
	return sum / 2
}

// normal gives the normal equations at the present parameters.
func (p *posterior) normal() (*mat.SymDense, *mat.VecDense) {
	k := len(p.prior)
	a, g := mat.NewSymDense(k, nil), mat.NewVecDense(k, nil)
	for j, x := range p.prior {
		w := 1 / (x.sd * x.sd)
		a.SetSym(j, j, w)
		g.SetVec(j, w*(x.mean-p.mean[j]))
	}
	const h = 1e-4
	slope := make([]float64, k)
	w := 1 / (p.sd * p.sd)
	for i := range p.y {
		r := p.y[i] - p.f(p.mean, i)
		for j := range k {
			at := p.mean[j]
			p.mean[j] = at + h
			up := p.f(p.mean, i)
			p.mean[j] = at - h
			slope[j] = (up - p.f(p.mean, i)) / (2 * h)
			p.mean[j] = at
		}
		for j := range k {
			g.SetVec(j, g.AtVec(j)+w*slope[j]*r)
			for l := j; l < k; l++ {
				a.SetSym(j, l, a.At(j, l)+w*slope[j]*slope[l])
			}
		}
	}
	return a, g
}

// wider is how much wider the draws are before they are weighed: Laplace's approximation
// has tails that are too thin.
const wider = 1.3

// sample draws n parameters from the posterior: normal ones, weighed by how much
// more or less probable they are, and drawn again by that weight.
func (p *posterior) sample(random *rand.Rand, n int) [][]float64 {
	k := len(p.mean)
	all, weights := make([][]float64, n), make([]float64, n)
	z, moved := mat.NewVecDense(k, nil), mat.NewVecDense(k, nil)
	best := math.Inf(-1)
	for i := range n {
		far := 0.0
		for j := range k {
			x := random.NormFloat64()
			far += x * x
			z.SetVec(j, wider*x)
		}
		moved.MulVec(p.root, z)
		all[i] = make([]float64, k)
		for j := range k {
			all[i][j] = p.mean[j] + moved.AtVec(j)
		}
		weights[i] = far/2 - p.loss(all[i])
		best = max(best, weights[i])
	}
	sum := 0.0
	for i := range weights {
		weights[i] = math.Exp(weights[i] - best)
		sum += weights[i]
	}
	out := make([][]float64, n)
	at, reached := 0, weights[0]
	start := random.Float64()
	for i := range n {
		for want := (float64(i) + start) / float64(n) * sum; reached < want && at < n-1; {
			at++
			reached += weights[at]
		}
		out[i] = all[at]
	}
	random.Shuffle(n, func(i, j int) { out[i], out[j] = out[j], out[i] })
	return out
}

// deviation is how far a measurement may be from the model, as a logarithm: Student's,
// z being a standard normal.
func (p *posterior) deviation(random *rand.Rand, z float64) float64 {
	return p.sd * z / math.Sqrt(distuv.ChiSquared{K: p.free, Src: random}.Rand()/p.free)
}
