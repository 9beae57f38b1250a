package stream

import (
	"slices"

	"seaworthy/internal/collect/live"
)

// keep is how many of the newest points are kept as they are, ten minutes at two seconds, and how
// many means of earlier ones. It is even.
const keep = 300

// course is what was seen since the hub was opened, in bounded memory: the newest points as
// they are, and of those before them means over equal numbers of points, which double
// whenever there are too many means.
type course struct {
	means  []Point
	each   int     // points in a mean
	open   []Point // of the next mean
	newest []Point
}

func (c *course) add(p Point) {
	c.newest = append(c.newest, p)
	if len(c.newest) <= keep {
		return
	}
	c.open = append(c.open, c.newest[0])
	c.newest = slices.Delete(c.newest, 0, 1)
	if len(c.open) < max(c.each, 1) {
		return
	}
	c.means, c.open = append(c.means, mean(c.open)), nil
	if len(c.means) < keep {
		return
	}
	var coarser []Point
	for two := range slices.Chunk(c.means, 2) {
		coarser = append(coarser, mean(two))
	}
	c.means, c.each = coarser, 2*max(c.each, 1)
}

// points are all of them, the earliest first.
func (c *course) points() []Point {
	all := slices.Clone(c.means)
	if len(c.open) > 0 {
		all = append(all, mean(c.open))
	}
	return append(all, c.newest...)
}

// mean is one point for several that follow each other. What none of them knows stays unknown.
func mean(of []Point) Point {
	first, last := of[0].At, of[len(of)-1].At
	out := Point{At: first.Add(last.Sub(first) / 2), Cores: map[string]float64{}, Rates: map[string]live.Rates{}}
	cores, rates := map[string]int{}, map[string]map[live.Metric]int{}
	for _, p := range of {
		for host, v := range p.Cores {
			cores[host]++
			out.Cores[host] += (v - out.Cores[host]) / float64(cores[host])
		}
		for row, all := range p.Rates {
			if out.Rates[row] == nil {
				out.Rates[row], rates[row] = live.Rates{}, map[live.Metric]int{}
			}
			for m, v := range all {
				rates[row][m]++
				out.Rates[row][m] += (v - out.Rates[row][m]) / float64(rates[row][m])
			}
		}
	}
	return out
}
