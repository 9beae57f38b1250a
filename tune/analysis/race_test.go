package analysis

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

func TestRaceNeedsTwoBlocks(t *testing.T) {
	s, err := Race([][]float64{{0, 0.5, -0.5}}, []int{0, 1, 2})
	if err != nil || len(s.Dropped) > 0 || s.Leader != 1 || !slices.Equal(s.Stay, []int{1, 0, 2}) || s.Blocks != 1 {
		t.Errorf("%+v, %v", s, err)
	}
}

// Worked by hand: differences 0.10, 0.12, 0.11 have the mean 0.11 and the standard
// error 0.00577: t = 19.05 with two degrees of freedom, p = 0.00274.
func TestRaceOfTwo(t *testing.T) {
	blocks := [][]float64{{0, 0.10}, {0.01, 0.13}, {-0.01, 0.10}}
	s, err := Race(blocks, []int{0, 1})
	if err != nil || len(s.Dropped) != 1 {
		t.Fatalf("%+v, %v", s, err)
	}
	if d := s.Dropped[0]; d.Candidate != 0 || math.Abs(d.Behind-0.11) > 1e-12 || math.Abs(d.P-0.00274) > 0.00002 {
		t.Errorf("%+v", d)
	}
}

func TestHolmCountsThoseAlive(t *testing.T) {
	blocks := [][]float64{
		{0, 0.10, 0.12, 0.07}, {0.01, 0.13, 0.09, 0.14}, {-0.01, 0.10, 0.10, 0.05}, {0, 0.12, 0.13, 0.13}, {0.01, 0.11, 0.07, 0.08},
	}
	two, err := Race(blocks, []int{0, 1})
	if err != nil || len(two.Dropped) != 1 {
		t.Fatalf("%+v, %v", two, err)
	}
	four, err := Race(blocks, []int{0, 1, 2, 3})
	if err != nil || len(four.Dropped) != 1 || four.Dropped[0].Candidate != 0 || four.Leader != 1 {
		t.Fatalf("%+v, %v", four, err)
	}
	if got, want := four.Dropped[0].P, 3*two.Dropped[0].P; math.Abs(got-want) > 1e-12 {
		t.Errorf("p %v of three comparisons, want three times that of one, %v", got, want)
	}
}

// The example of Conover, Practical Nonparametric Statistics (grasses judged by
// twelve home owners): T2 = 3.19 with 3 and 33 degrees of freedom.
func TestFriedman(t *testing.T) {
	ranks := [][]float64{
		{4, 3, 2, 1}, {4, 2, 3, 1}, {3, 1.5, 1.5, 4}, {3, 1, 2, 4}, {4, 2, 1, 3}, {2, 2, 2, 4},
		{1, 3, 2, 4}, {2, 4, 1, 3}, {3.5, 1, 2, 3.5}, {4, 1, 3, 2}, {4, 2, 3, 1}, {3.5, 1, 2, 3.5},
	}
	if p := friedman(ranks); math.Abs(p-0.036) > 0.002 {
		t.Errorf("p %.4f, want 0.036", p)
	}
	if p := friedman([][]float64{{1, 1, 1}, {2, 2, 2}}); p != 1 {
		t.Errorf("ties only: p %v", p)
	}
	if p := friedman([][]float64{{1, 2, 3}, {1, 2, 3}}); p != 0 {
		t.Errorf("the same order in each row: p %v", p)
	}
}

// Blocks in which a candidate is missing do not count for those alive; candidates
// that are out are not looked at.
func TestRaceWithGaps(t *testing.T) {
	nan := math.NaN()
	blocks := [][]float64{{0.1, nan, 0}, {0.1, 9, nan}, {0.12, nan, 0.01}}
	s, err := Race(blocks, []int{0, 2})
	if err != nil || s.Blocks != 2 || s.Leader != 0 || slices.Contains(s.Stay, 1) {
		t.Errorf("%+v, %v", s, err)
	}
	for want, alive := range map[string][]int{"no candidate": nil, "none with number 3": {0, 3}, "no block holds all 3": {0, 1, 2}} {
		if _, err := Race(blocks, alive); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v: %v, want %q in it", alive, err, want)
		}
	}
}

// race runs a race to its end and returns who is left and how many trials it took.
func race(t *testing.T, truth []float64, sd float64, most int, seed uint64) (stay []int, trials int) {
	t.Helper()
	r := rand.New(rand.NewPCG(seed, 21))
	var blocks [][]float64
	for i := range truth {
		stay = append(stay, i)
	}
	for range most {
		reference := sd * r.NormFloat64() // the same for all of a block
		row := make([]float64, len(truth))
		for c := range row {
			row[c] = math.NaN()
		}
		for _, c := range stay {
			row[c] = truth[c] + sd*r.NormFloat64() - reference
			trials++
		}
		blocks = append(blocks, row)
		s, err := Race(blocks, stay)
		if err != nil {
			t.Fatal(err)
		}
		if stay = s.Stay; len(stay) == 1 {
			break
		}
	}
	return stay, trials
}

func TestRacesKeepTheBest(t *testing.T) {
	truth := []float64{0, 0.02, 0.10, 0.05, -0.05, 0.08, 0, 0}
	lost, trials := 0, 0
	const races, most = 300, 10
	for seed := range uint64(races) {
		stay, n := race(t, truth, 0.02, most, seed)
		trials += n
		if !slices.Contains(stay, 2) {
			lost++
		}
	}
	if lost > races*3/100 || trials > races*most*len(truth)*6/10 {
		t.Errorf("the best was dropped in %d of %d races; %d trials a race, %d without dropping", lost, races, trials/races, most*len(truth))
	}
}

func TestEqualCandidatesMostlyStay(t *testing.T) {
	dropped := 0
	for seed := range uint64(500) {
		r := rand.New(rand.NewPCG(seed, 22))
		var blocks [][]float64
		for range 6 {
			row := make([]float64, 6)
			for c := range row {
				row[c] = 0.02 * r.NormFloat64()
			}
			blocks = append(blocks, row)
		}
		s, err := Race(blocks, []int{0, 1, 2, 3, 4, 5})
		if err != nil {
			t.Fatal(err)
		}
		if len(s.Dropped) > 0 {
			dropped++
		}
	}
	if dropped > 35 {
		t.Errorf("six equal candidates: one is dropped in %d of 500 looks", dropped)
	}
}
