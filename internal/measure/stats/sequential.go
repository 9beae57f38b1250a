package stats

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/stat/distuv"
)

// Looks is the plan of a group-sequential comparison: after which blocks one
// looks, and the stricter significance level that each look has to reach so
// that all of them together err in at most 5 % of comparisons of equal states.
//
// The levels spend the 5 % as O'Brien and Fleming do, by the spending function
// of Lan and DeMets (Biometrika 70, 1983): 4 − 4Φ(2.24/√t) is spent by the
// fraction t of the blocks. Early looks are strict, the last one costs little:
// its level is nearly that of a comparison without looks. The levels hold for
// Student's t of the blocks at hand, with two blocks as with forty.
type Looks struct {
	blocks []int     // finished blocks at each look, ascending
	bounds []float64 // of |t| at each look
	margin float64
}

// Look holds what a comparison shows at a look. The interval of its effect is the
// repeated 95 % one: those of all looks of a comparison hold the truth together.
type Look struct {
	Effect
	Number int     `json:"look"`  // from 1
	Of     int     `json:"looks"` // planned
	Bound  float64 `json:"bound"` // of |t|, of Blocks−1 degrees of freedom
	// Decided: improved, worse, or no difference beyond the margin. Further
	// blocks are needless.
	Decided bool `json:"decided"`
}

// PlanLooks plans looks after so many finished blocks each: ascending, two at
// least, the last is the maximum of blocks. margin is how far a ratio may lie
// from 1 without mattering (0.05: from 1/1.05 to 1.05); 0 means Margin.
func PlanLooks(blocks []int, margin float64) (*Looks, error) {
	if len(blocks) == 0 {
		return nil, fmt.Errorf("looks: none planned")
	}
	for i, n := range blocks {
		if n < 2 || i > 0 && n <= blocks[i-1] {
			return nil, fmt.Errorf("looks after %v blocks: ascending numbers from 2 expected", blocks)
		}
	}
	most := blocks[len(blocks)-1]
	spent := make([]float64, len(blocks))
	for i, n := range blocks {
		spent[i] = spendOBrienFleming(float64(n) / float64(most))
	}
	return newLooks(slices.Clone(blocks), spent, cmp.Or(margin, Margin)), nil
}

// newLooks has looks of which the last is the end, and what each may have spent.
func newLooks(blocks []int, spent []float64, margin float64) *Looks {
	fractions := make([]float64, len(blocks))
	for i, n := range blocks {
		fractions[i] = float64(n) / float64(blocks[len(blocks)-1])
	}
	return &Looks{blocks: blocks, bounds: tBounds(blocks, nominalLevels(fractions, spent), spent), margin: margin}
}

// EvenLooks spreads at most so many looks evenly over most blocks, none before
// the second block.
func EvenLooks(most, looks int) []int {
	var at []int
	for k := 1; k <= looks; k++ {
		n := int(math.Round(float64(most*k) / float64(looks)))
		if n >= 2 && (len(at) == 0 || n > at[len(at)-1]) {
			at = append(at, n)
		}
	}
	return at
}

// Blocks gives the finished blocks at each look.
func (p *Looks) Blocks() []int { return slices.Clone(p.blocks) }

// EndAt is the plan of a comparison that has to end after n blocks for a
// reason that does not depend on what was measured, as the time being over: the
// looks up to there keep their levels, and one after n blocks spends the rest.
// With fewer than two blocks, or n from the planned maximum on, the plan stays.
func (p *Looks) EndAt(n int) *Looks {
	most := p.blocks[len(p.blocks)-1]
	if n < 2 || n >= most {
		return p
	}
	var blocks []int
	var spent []float64
	for _, b := range p.blocks {
		if b < n {
			blocks, spent = append(blocks, b), append(spent, spendOBrienFleming(float64(b)/float64(most)))
		}
	}
	return newLooks(append(blocks, n), append(spent, 1-Confidence), p.margin)
}

// At judges the ratios of the finished blocks, one a block, if a look is planned
// after so many; nil if none is. control as in Judge. It fails on ratios that
// Paired refuses.
func (p *Looks) At(ratios []float64, d Direction, control *Effect) (*Look, error) {
	k := slices.Index(p.blocks, len(ratios))
	if k < 0 {
		return nil, nil
	}
	l, err := logsOfRatios(ratios)
	if err != nil {
		return nil, err
	}
	look := &Look{Effect: *ofLogs(l, p.bounds[k]), Number: k + 1, Of: len(p.blocks), Bound: p.bounds[k]}
	look.judgeWithin(d, control, p.margin)
	look.Decided = slices.Contains([]Verdict{Improved, Worse, NoDifference}, look.Verdict)
	return look, nil
}

// spendOBrienFleming is the share of comparisons that may err by the fraction t.
func spendOBrienFleming(t float64) float64 {
	z := distuv.UnitNormal.Quantile(1 - (1-Confidence)/4)
	return 4 * distuv.UnitNormal.Survival(z/math.Sqrt(t))
}

const (
	strictest  = 8.0 // bound in standard deviations beyond which nothing is spent
	gridPoints = 201 // odd, for Simpson's rule
)

// nominalLevels gives the two-sided level of each look, such that a Brownian
// path has left the bounds by look k with the probability spent[k]. The density
// of the paths still inside is carried from look to look (Armitage, McPherson
// and Rowe, 1969).
func nominalLevels(fractions, spent []float64) []float64 {
	levels := make([]float64, len(fractions))
	x, weight := []float64{0}, []float64{1} // paths inside: place and probability
	gone, before := 0.0, 0.0
	for k, t := range fractions {
		sd := math.Sqrt(t - before)
		leave := func(b float64) (p float64) {
			for i, u := range x {
				p += weight[i] * (distuv.UnitNormal.Survival((b-u)/sd) + distuv.UnitNormal.CDF((-b-u)/sd))
			}
			return p
		}
		low, high := 0.0, strictest
		for range 60 {
			if mid := (low + high) / 2; leave(mid*math.Sqrt(t)) > spent[k]-gone {
				low = mid
			} else {
				high = mid
			}
		}
		levels[k] = 2 * distuv.UnitNormal.Survival(high)
		b := high * math.Sqrt(t)
		gone += leave(b)
		x, weight = inside(x, weight, b, sd)
		before = t
	}
	return levels
}

// inside carries the paths one look on and keeps those within ±b: places on a
// grid, and the density there times Simpson's weight.
func inside(x, weight []float64, b, sd float64) (grid, next []float64) {
	grid, next = make([]float64, gridPoints), make([]float64, gridPoints)
	step := 2 * b / (gridPoints - 1)
	for j := range grid {
		grid[j] = -b + float64(j)*step
		density := 0.0
		for i, u := range x {
			density += weight[i] * distuv.UnitNormal.Prob((grid[j]-u)/sd) / sd
		}
		simpson := 2.0 + 2*float64(j%2)
		if j == 0 || j == gridPoints-1 {
			simpson = 1
		}
		next[j] = density * simpson * step / 3
	}
	return grid, next
}

const paths = 100_000 // simulated comparisons of equal states: their 5 % are known to 0.07 % (standard error)

// tBounds gives the bounds of |t|, of n−1 degrees of freedom, at each look. The
// quantiles of t at the nominal levels err too often with few blocks (5.8 %
// instead of 5 % with looks after each of eight), since successive t hang less
// together than successive z. So each bound is also as high as simulated
// comparisons ask for: no more than spent[k], less three standard errors
// of the simulation, may be gone by look k. The same plan always has the same bounds, and so has its beginning.
func tBounds(blocks []int, levels, spent []float64) []float64 {
	random := rand.New(rand.NewPCG(1, uint64(paths)))
	sum, squares := make([]float64, paths), make([]float64, paths) // of those still inside
	bounds, t := make([]float64, len(blocks)), make([]float64, paths)
	done := 0
	for k := range blocks {
		for ; done < blocks[k]; done++ {
			for i := range sum {
				v := random.NormFloat64()
				sum[i] += v
				squares[i] += v * v
			}
		}
		n := float64(blocks[k])
		// Tiny levels keep their digits in the lower tail.
		bounds[k] = -distuv.StudentsT{Mu: 0, Sigma: 1, Nu: n - 1}.Quantile(levels[k] / 2)
		var beyond []float64
		for i := range sum {
			t[i] = math.Abs(sum[i]) * math.Sqrt((n-1)/(n*squares[i]-sum[i]*sum[i]))
			if t[i] > bounds[k] {
				beyond = append(beyond, t[i])
			}
		}
		share := spent[k] * paths
		may := max(0, int(share-3*math.Sqrt(share))-(paths-len(sum)))
		if len(beyond) > may {
			slices.Sort(beyond)
			bounds[k] = beyond[len(beyond)-1-may]
		}
		left := 0
		for i := range sum {
			if t[i] <= bounds[k] {
				sum[left], squares[left] = sum[i], squares[i]
				left++
			}
		}
		sum, squares = sum[:left], squares[:left]
	}
	return bounds
}
