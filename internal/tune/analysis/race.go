package analysis

import (
	"cmp"
	"math"
	"slices"

	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/distuv"

	"seaworthy/internal/measure/stats"
)

// Race judges candidates by the finished blocks: blocks[b][c] is the log ratio of
// candidate c to the reference of block b, larger is better, NaN if it was not
// measured. alive are the candidates still in the race. It gives those that go on,
// the best first.
//
// With three or more alive Friedman's test says first whether they differ at
// all; then each is compared with the leader, paired by block. Nobody is dropped
// before the second block that holds all of them. Each look errs in 5 % of cases,
// so over a race a candidate as good as the leader may well be dropped.
func Race(blocks [][]float64, alive []int) []int {
	var complete [][]float64 // only the columns alive
	for _, block := range blocks {
		row := make([]float64, len(alive))
		for i, c := range alive {
			row[i] = block[c]
		}
		if !slices.ContainsFunc(row, math.IsNaN) {
			complete = append(complete, row)
		}
	}
	means := make([]float64, len(alive))
	order := make([]int, len(alive))
	for i := range alive {
		order[i] = i
		for _, row := range complete {
			means[i] += row[i] / float64(len(complete))
		}
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(means[b], means[a]) })
	out := worse(complete, order)
	var stay []int
	for _, i := range order {
		if _, dropped := out[i]; !dropped {
			stay = append(stay, alive[i])
		}
	}
	return stay
}

// worse gives the columns shown to be worse than the first of the order, with
// their p-values, corrected for all that are compared (Holm).
func worse(rows [][]float64, order []int) map[int]float64 {
	const level = 1 - stats.Confidence
	if len(rows) < 2 || len(order) < 2 || len(order) >= 3 && friedman(rows) > level {
		return nil
	}
	p := map[int]float64{}
	for _, i := range order[1:] {
		difference := make([]float64, len(rows))
		for b, row := range rows {
			difference[b] = row[order[0]] - row[i]
		}
		p[i] = pairedP(difference)
	}
	others := slices.Clone(order[1:])
	slices.SortStableFunc(others, func(a, b int) int { return cmp.Compare(p[a], p[b]) })
	out := map[int]float64{}
	highest := 0.0
	for k, i := range others {
		highest = max(highest, p[i]*float64(len(others)-k))
		if highest > level {
			break
		}
		out[i] = highest
	}
	return out
}

// pairedP is the two-sided p-value of differences that are 0 on average.
func pairedP(difference []float64) float64 {
	mean, sd := stat.MeanStdDev(difference, nil)
	if sd == 0 {
		if mean == 0 {
			return 1
		}
		return 0
	}
	n := float64(len(difference))
	return 2 * distuv.StudentsT{Mu: 0, Sigma: 1, Nu: n - 1}.CDF(-math.Abs(mean)*math.Sqrt(n)/sd)
}

// friedman is the p-value of columns that do not differ, from their ranks in each
// row, by the F distribution (Iman and Davenport, 1980: with few rows closer than
// χ²). Equal values share the mean of their ranks.
func friedman(rows [][]float64) float64 {
	k, b := float64(len(rows[0])), float64(len(rows))
	sums := make([]float64, len(rows[0]))
	squares := 0.0
	for _, row := range rows {
		for i, v := range row {
			rank := 0.5
			for _, w := range row {
				if w < v {
					rank++
				} else if w == v {
					rank += 0.5
				}
			}
			sums[i] += rank
			squares += rank * rank
		}
	}
	between := 0.0
	for _, s := range sums {
		between += s * s / b
	}
	centre := b * k * (k + 1) * (k + 1) / 4
	total, explained := squares-centre, between-centre
	if total < 1e-9 {
		return 1 // every row is all ties
	}
	if total-explained < 1e-9 {
		return 0 // every row has the same order
	}
	f := (b - 1) * explained / (total - explained)
	return distuv.F{D1: k - 1, D2: (b - 1) * (k - 1)}.Survival(f)
}
