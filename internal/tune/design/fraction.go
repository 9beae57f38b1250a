package design

import (
	"math/bits"
	"slices"
	"strings"
)

// A column of a two-level design in 2^m runs is a set of the m base factors: in
// run r (bits: the levels of the base factors) it is high if an odd number of
// its base factors are. Base factor i is the column 1<<i. Columns that multiply
// to the constant, whose sets cancel out, are a word of the defining relation;
// the length of the shortest is the resolution.

// regular gives the columns of a fraction of k factors in 2^m runs of at least
// the resolution (4 or 5), k > m; nil if none was found.
func regular(k, m, resolution int) []uint32 {
	most := 1 << (m - 1) // columns of resolution IV that there can be
	if resolution == 4 && k > most || resolution == 5 && 1+k+k*(k-1)/2 > 1<<m {
		return nil
	}
	base := make([]uint32, m, k)
	for i := range base {
		base[i] = 1 << i
	}
	s := search{k: k, m: m, resolution: resolution, steps: steps}
	best := s.extend(base, func(uint32) bool { return true })
	if resolution == 4 {
		// Columns of an odd number of base factors never make a word of three.
		s.steps = steps
		odd := s.extend(base, func(c uint32) bool { return bits.OnesCount32(c)%2 == 1 })
		if best == nil || odd != nil && wordsOfFour(odd) < wordsOfFour(best) {
			best = odd
		}
	}
	return best
}

const steps = 2000 // of a search: more find nothing better for up to 17 factors

type search struct {
	k, m, resolution int
	steps            int // that the search may still take
}

// extend adds columns until there are k, first those that make the fewest words
// of four, and goes back where none is left.
func (s *search) extend(columns []uint32, candidate func(uint32) bool) []uint32 {
	if len(columns) == s.k {
		return columns
	}
	s.steps--
	if s.steps < 0 {
		return nil
	}
	triples := make([]int, 1<<s.m) // words of four that a column would make
	taken := make([]bool, 1<<s.m)  // columns that would make a word too short
	taken[0] = true
	for i, a := range columns {
		taken[a] = true
		for j, b := range columns[:i] {
			taken[a^b] = true
			for _, c := range columns[:j] {
				triples[a^b^c]++
			}
		}
	}
	var next []uint32
	for c := range uint32(1 << s.m) {
		if !taken[c] && candidate(c) && (s.resolution < 5 || triples[c] == 0) {
			next = append(next, c)
		}
	}
	slices.SortStableFunc(next, func(a, b uint32) int { return triples[a] - triples[b] })
	for _, c := range next {
		if all := s.extend(append(slices.Clip(columns), c), candidate); all != nil {
			return all
		}
	}
	return nil
}

func wordsOfFour(columns []uint32) (n int) {
	for i, a := range columns {
		for j, b := range columns[:i] {
			for l, c := range columns[:j] {
				for _, d := range columns[:l] {
					if a^b^c^d == 0 {
						n++
					}
				}
			}
		}
	}
	return n
}

// definingRelation gives the words of a fraction, each as a set of its columns,
// from the generators: every product of them.
func definingRelation(columns []uint32, m int) []uint32 {
	var words []uint32
	for j, c := range columns[m:] {
		generator := c | 1<<(m+j) // base factors are columns 0 to m−1
		words = append(words, generator)
		for _, w := range words[:len(words)-1] {
			words = append(words, w^generator)
		}
	}
	return words
}

// fraction sets what kind of design the columns make and gives its rows.
func (d *Design) fraction(columns []uint32, m int) [][]int {
	d.Kind = Fraction
	for i, w := range definingRelation(columns, m) {
		if length := bits.OnesCount32(w); i == 0 || length < d.Resolution {
			d.Resolution = length
		}
	}
	order := columnOrder(d.Factors)
	for j, c := range columns[m:] {
		var product []string
		for i := range m {
			if c&(1<<i) != 0 {
				product = append(product, d.Factors[order[i]].Name)
			}
		}
		d.Generators = append(d.Generators, d.Factors[order[m+j]].Name+" = "+strings.Join(product, "×"))
	}
	rows := make([][]int, 1<<m)
	for r := range rows {
		for _, c := range columns {
			rows[r] = append(rows[r], bits.OnesCount32(uint32(r)&c)%2)
		}
	}
	return rows
}

// First rows of the cyclic designs of Plackett and Burman (Biometrika 33, 1946),
// by their number of runs.
var plackettBurmanRows = []string{
	"++-+++---+-",
	"++--++++-+-+----++-",
	"+++++-+-++--++--+-+----",
}

// plackettBurman gives the smallest of the designs that takes k factors, and its
// foldover, in which every run is mirrored; nil if k is too many. The sizes in
// between are powers of two, where a regular fraction is as small.
func plackettBurman(k int) [][]int {
	for _, first := range plackettBurmanRows {
		n := len(first)
		if k > n {
			continue
		}
		rows := make([][]int, 2*(n+1))
		for r := range n + 1 {
			for c := range k {
				level := 0 // each row is the one before, moved by one; the last is all low
				if r < n && first[(c+n-r)%n] == '+' {
					level = 1
				}
				rows[r], rows[n+1+r] = append(rows[r], level), append(rows[n+1+r], 1-level)
			}
		}
		return rows
	}
	return nil
}
