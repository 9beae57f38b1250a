package tune

import (
	"math/rand/v2"
	"slices"

	"seaworthy/internal/knowledge"
	"seaworthy/internal/tune/design"
	"seaworthy/internal/tune/space"
)

// plot is a trial's part in a whole plot: trials one after the other that share the settings
// whose change interrupts traffic. These stay on between them.
type plot struct {
	hard space.Run // the shared settings alone; nil: the trial has none, or shares them with no neighbour
	more bool      // the next trial has them too
}

// plotting parts trials into whole plots, by which factors of a space interrupt traffic.
type plotting struct{ space *space.Space }

// interrupts says whether a change of a factor is felt.
func (p plotting) interrupts(factor int) bool { return p.space.Factors[factor].Class > knowledge.O1 }

// split says whether there are such factors.
func (p plotting) split() bool {
	return slices.ContainsFunc(p.space.Factors, func(f space.Factor) bool { return f.Class > knowledge.O1 })
}

// hard is a run without what can change unnoticed.
func (p plotting) hard(run space.Run) space.Run {
	out := slices.Clone(run)
	for f := range out {
		if !p.interrupts(f) {
			out[f] = 0
		}
	}
	return out
}

// group brings turns of a block together that share their hard settings, in the order of
// each plot's first, and says which part each trial has in a plot.
func (p plotting) group(turns []space.Run, order []int) []plot {
	var heads []space.Run
	head := func(i int) int {
		return slices.IndexFunc(heads, func(r space.Run) bool { return slices.Equal(r, p.hard(turns[i])) })
	}
	for _, i := range order {
		if head(i) < 0 {
			heads = append(heads, p.hard(turns[i]))
		}
	}
	slices.SortStableFunc(order, func(a, b int) int { return head(a) - head(b) })
	out := make([]plot, len(order))
	for place, i := range order {
		h := heads[head(i)]
		more := place+1 < len(order) && head(order[place+1]) == head(i)
		if shared := more || place > 0 && head(order[place-1]) == head(i); shared && !isPresent(h) {
			out[place] = plot{h, more}
		}
	}
	return out
}

// outages counts, by its costliest class, how often a run interrupts when it is put on and
// taken off.
func (p plotting) outages(run []int, into map[knowledge.Class]int) {
	worst := knowledge.O0
	for f, level := range run {
		if level > 0 {
			worst = max(worst, p.space.Factors[f].Class)
		}
	}
	if worst > knowledge.O1 {
		into[worst] += 2
	}
}

// Of a whole plot of the screen, trials beside the one as found.
const mostPerPlot = 8

// leastBetween are the degrees of freedom that tell the spread of whole plots at least.
const leastBetween = 3

// blocksOf parts a repetition of a design into blocks of its whole plots, at random, each with a
// trial as found: as few as tell the spread between plots.
func (p plotting) blocksOf(d *design.Design, replicates int, seed uint64) [][]int {
	order := d.Order(seed, p.space.Present())
	if !p.split() {
		return slices.Collect(slices.Chunk(order, perBlock))
	}
	hard := 0
	for f := range p.space.Factors {
		if p.interrupts(f) {
			hard++
		}
	}
	var blocks [][]int
	for most := mostPerPlot; most > 0; most-- {
		blocks = nil
		for from := 0; from < len(order); {
			to := from
			for to < len(order) && d.Plots[order[to]] == d.Plots[order[from]] {
				to++
			}
			of := (to - from + most - 1) / most // as even as they can be
			for i := range of {
				blocks = append(blocks, order[from+i*(to-from)/of:from+(i+1)*(to-from)/of])
			}
			from = to
		}
		if replicates*len(blocks)-1-hard >= leastBetween {
			break
		}
	}
	random := rand.New(rand.NewPCG(seed, 1)) //nolint:gosec // an order that can be repeated
	random.Shuffle(len(blocks), func(i, j int) { blocks[i], blocks[j] = blocks[j], blocks[i] })
	return blocks
}

func isPresent(r space.Run) bool {
	return !slices.ContainsFunc(r, func(level int) bool { return level != 0 })
}
