package analysis

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

func TestRaceNeedsTwoBlocks(t *testing.T) {
	if stay := Race([][]float64{{0, 0.5, -0.5}}, []int{0, 1, 2}); !slices.Equal(stay, []int{1, 0, 2}) {
		t.Errorf("%v stay", stay)
	}
}

// Worked by hand: differences 0.10, 0.12, 0.11 have the mean 0.11 and the standard
// error 0.00577: t = 19.05 with two degrees of freedom, p = 0.00274.
func TestRaceOfTwo(t *testing.T) {
	blocks := [][]float64{{0, 0.10}, {0.01, 0.13}, {-0.01, 0.10}}
	if stay := Race(blocks, []int{0, 1}); !slices.Equal(stay, []int{1}) {
		t.Errorf("%v stay", stay)
	}
	if out := worse(blocks, []int{1, 0}); len(out) != 1 || math.Abs(out[0]-0.00274) > 0.00002 {
		t.Errorf("%v are worse", out)
	}
}

func TestHolmCountsThoseAlive(t *testing.T) {
	blocks := [][]float64{
		{0, 0.10, 0.12, 0.07}, {0.01, 0.13, 0.09, 0.14}, {-0.01, 0.10, 0.10, 0.05}, {0, 0.12, 0.13, 0.13}, {0.01, 0.11, 0.07, 0.08},
	}
	two, four := worse(blocks, []int{1, 0}), worse(blocks, []int{1, 2, 3, 0})
	if len(two) != 1 || len(four) != 1 {
		t.Fatalf("%v are worse of two, %v of four", two, four)
	}
	if stay := Race(blocks, []int{0, 1, 2, 3}); len(stay) != 3 || stay[0] != 1 || slices.Contains(stay, 0) {
		t.Errorf("%v stay", stay)
	}
	if got, want := four[0], 3*two[0]; math.Abs(got-want) > 1e-12 {
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
	if stay := Race(blocks, []int{0, 2}); !slices.Equal(stay, []int{0}) {
		t.Errorf("%v stay", stay)
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
		stay = Race(blocks, stay)
		if len(stay) == 1 {
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
		if len(Race(blocks, []int{0, 1, 2, 3, 4, 5})) < 6 {
			dropped++
		}
	}
	if dropped > 35 {
		t.Errorf("six equal candidates: one is dropped in %d of 500 looks", dropped)
	}
}
