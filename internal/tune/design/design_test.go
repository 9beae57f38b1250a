package design

import (
	"errors"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"
)

func twoLevel(k int) []Factor {
	factors := make([]Factor, k)
	for i := range factors {
		factors[i] = Factor{Name: string(rune('A' + i))}
	}
	return factors
}

func mustNew(t *testing.T, r Request) *Design {
	t.Helper()
	d, err := New(r)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// shortestWord is the resolution by brute force, up to 5: the fewest factors whose
// signs multiply to the same in every run. 6: no five do.
func shortestWord(runs [][]int) int {
	shortest := 6
	var walk func(first, size int, product []int)
	walk = func(first, size int, product []int) {
		if size > 0 && !slices.ContainsFunc(product, func(v int) bool { return v != product[0] }) {
			shortest = min(shortest, size)
		}
		if size == 5 {
			return
		}
		for f := first; f < len(runs[0]); f++ {
			next := make([]int, len(runs))
			for i, run := range runs {
				next[i] = product[i] * (2*run[f] - 1)
			}
			walk(f+1, size+1, next)
		}
	}
	ones := make([]int, len(runs))
	for i := range ones {
		ones[i] = 1
	}
	walk(0, 0, ones)
	return shortest
}

// The sizes are the smallest that exist (Box, Hunter and Hunter, table of
// two-level fractions).
func TestFractionsHaveTheirResolution(t *testing.T) {
	five := map[int]int{3: 8, 4: 16, 5: 16, 6: 32, 7: 64, 8: 64, 9: 128, 10: 128, 11: 128}
	four := map[int]int{4: 8, 5: 16, 6: 16, 7: 16, 8: 16, 9: 32, 10: 32, 11: 32}
	for k := 3; k <= 11; k++ {
		for budget, want := range map[int]int{five[k]: 5, four[k]: 4} {
			if budget == 0 || budget < five[k] && want == 5 {
				continue
			}
			d := mustNew(t, Request{Factors: twoLevel(k), Budget: budget})
			if len(d.Runs) != budget {
				t.Errorf("%d factors, budget %d: %d runs", k, budget, len(d.Runs))
			}
			got := shortestWord(d.Runs)
			if got < want {
				t.Errorf("%d factors in %d runs: brute force finds resolution %d, want %d", k, budget, got, want)
			}
			if d.Resolution > 0 && d.Resolution != got && got < 6 {
				t.Errorf("%d factors in %d runs: says resolution %d, brute force %d", k, budget, d.Resolution, got)
			}
			for f := range k {
				high := 0
				for _, run := range d.Runs {
					high += run[f]
				}
				if 2*high != len(d.Runs) {
					t.Errorf("%d factors in %d runs: %s is high in %d", k, budget, d.Factors[f].Name, high)
				}
			}
		}
	}
}

func TestKinds(t *testing.T) {
	for _, c := range []struct {
		k, budget, runs int
		kind            Kind
	}{
		{1, 2, 2, Full}, {3, 8, 8, Full}, {5, 40, 32, Full}, {5, 31, 16, Fraction}, {8, 40, 32, Fraction}, {9, 31, 24, PlackettBurman},
		{11, 24, 24, PlackettBurman}, {12, 32, 32, Fraction}, {19, 63, 40, PlackettBurman}, {23, 48, 48, PlackettBurman}, {32, 64, 64, Fraction},
	} {
		d := mustNew(t, Request{Factors: numbered(c.k), Budget: c.budget})
		if d.Kind != c.kind || len(d.Runs) != c.runs {
			t.Errorf("%d factors, budget %d: %s in %d runs, want %s in %d", c.k, c.budget, d.Kind, len(d.Runs), c.kind, c.runs)
		}
	}
}

func numbered(k int) []Factor {
	factors := twoLevel(k)
	for i := range factors {
		factors[i].Name = fmt.Sprintf("f%d", i)
	}
	return factors
}

func TestLeast(t *testing.T) {
	for k := 1; k <= Most; k++ {
		least := Least(k)
		mustNew(t, Request{Factors: numbered(k), Budget: least})
		_, err := New(Request{Factors: numbered(k), Budget: least - 1})
		var tooFew *BudgetError
		if !errors.As(err, &tooFew) || tooFew.Least != least {
			t.Errorf("%d factors, budget %d: %v, want a budget error", k, least-1, err)
		}
	}
}

func TestPlackettBurmanFoldsOver(t *testing.T) {
	for _, k := range []int{11, 19, 23} {
		d := &Design{Factors: numbered(k)}
		d.assignColumns(plackettBurman(k))
		for i := range k {
			for j := range k {
				for l := range k {
					main, pair := 0, 0
					for _, run := range d.Runs {
						a, b, c := 2*run[i]-1, 2*run[j]-1, 2*run[l]-1
						main, pair = main+a*b, pair+a*b*c
					}
					if i != j && main != 0 || pair != 0 {
						t.Fatalf("%d factors: %d, %d, %d are not orthogonal", k, i, j, l)
					}
				}
			}
		}
	}
}

func TestBadRequests(t *testing.T) {
	for want, r := range map[string]Request{
		"0 factors":             {Budget: 8},
		"33 factors":            {Factors: numbered(33), Budget: 100},
		"no combination":        {Factors: twoLevel(3), Budget: 8, Allowed: func([]int) bool { return false }},
		"need 24 runs at least": {Factors: twoLevel(11), Budget: 16},
		"check the constraints": {Factors: twoLevel(8), Budget: 16, Allowed: func([]int) bool { return false }},
	} {
		if _, err := New(r); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q in it", err, want)
		}
	}
}

func TestForbiddenRunsAreRepaired(t *testing.T) {
	// C on needs A on, as large send needs checksum offload.
	allowed := func(run []int) bool { return run[2] == 0 || run[0] == 1 }
	r := Request{Factors: twoLevel(8), Budget: 16, Allowed: allowed}
	d := mustNew(t, r)
	for i, run := range d.Runs {
		if !allowed(run) {
			t.Errorf("run %v is not allowed", run)
		}
		if slices.ContainsFunc(d.Runs[:i], func(o []int) bool { return slices.Equal(o, run) }) {
			t.Errorf("run %v is there twice", run)
		}
	}
	if d.Repaired+d.Dropped != 4 || len(d.Runs) != 16-d.Dropped {
		t.Errorf("%d repaired, %d dropped of %d left: a quarter of 16 runs is not allowed", d.Repaired, d.Dropped, len(d.Runs))
	}
	plain := mustNew(t, Request{Factors: twoLevel(8), Budget: 16}).Runs
	for _, run := range d.Runs[16-4:] {
		near := slices.ContainsFunc(plain, func(was []int) bool {
			differ := 0
			for i := range was {
				differ += (was[i] + run[i]) % 2
			}
			return !allowed(was) && differ == 1
		})
		if !near {
			t.Errorf("%v stands for a run that is not allowed: one factor is enough", run)
		}
	}
	if again := mustNew(t, r); !reflect.DeepEqual(again.Runs, d.Runs) {
		t.Error("the same request gave another design")
	}
	if said := strings.Join(d.AliasWords(), "\n"); !strings.Contains(said, "main effect of A is mixed with C") {
		t.Errorf("A and C are correlated now, not said:\n%s", said)
	}
}

func TestAliasesInWords(t *testing.T) {
	for _, c := range []struct {
		k, budget int
		want      []string
	}{
		{4, 8, []string{
			"every main effect is free of the others and of two-factor interactions",
			"A×B cannot be told from C×D", "A×C cannot be told from B×D", "A×D cannot be told from B×C",
		}},
		{5, 16, []string{
			"every main effect is free of the others and of two-factor interactions",
			"every two-factor interaction can be told from the others",
		}},
		{9, 24, []string{
			"every main effect is free of the others and of two-factor interactions",
			"378 pairs of two-factor interactions are mixed in part (correlation up to 0.33)",
		}},
	} {
		d := mustNew(t, Request{Factors: twoLevel(c.k), Budget: c.budget})
		if got := d.AliasWords(); !slices.Equal(got, c.want) {
			t.Errorf("%d factors in %d runs:\n%s", c.k, c.budget, strings.Join(got, "\n"))
		}
	}
}

func TestGenerators(t *testing.T) {
	d := mustNew(t, Request{Factors: twoLevel(5), Budget: 16})
	if want := []string{"E = A×B×C×D"}; !slices.Equal(d.Generators, want) || d.Resolution != 5 {
		t.Errorf("generators %q, resolution %d", d.Generators, d.Resolution)
	}
}

// Two adapters that must be reset (O3), one switch (O6), five settings that
// change while traffic flows.
func TestOrderSparesOutages(t *testing.T) {
	factors := twoLevel(8)
	factors[1].Outage, factors[4].Outage, factors[7].Outage = 3, 6, 3
	d := mustNew(t, Request{Factors: factors, Budget: 16})
	if got := slices.Max(d.Plots) + 1; got != 8 {
		t.Fatalf("%d whole plots, want 8", got)
	}
	different := false
	for seed := range uint64(20) {
		order := d.Order(seed, nil)
		if sorted := slices.Sorted(slices.Values(order)); len(sorted) != 16 || sorted[0] != 0 || sorted[15] != 15 || len(slices.Compact(sorted)) != 16 {
			t.Fatalf("order %v leaves out runs", order)
		}
		// Eight plots are seven changes, one of them of the switch: a Gray code.
		var c [7]int
		for i, run := range order[1:] {
			for f, factor := range factors {
				if d.Runs[run][f] != d.Runs[order[i]][f] {
					c[factor.Outage]++
				}
			}
		}
		if c[6] != 1 || c[3] != 6 {
			t.Errorf("seed %d: %d changes of class O6 and %d of O3, want 1 and 6", seed, c[6], c[3])
		}
		if !slices.Equal(order, d.Order(seed, nil)) {
			t.Errorf("seed %d: two orders", seed)
		}
		different = different || !slices.Equal(order, d.Order(0, nil))
	}
	if !different {
		t.Error("no seed changes the order")
	}
	from := d.Runs[5]
	if first := d.Runs[d.Order(1, from)[0]]; changeCost(factors, first, from) != 0 {
		t.Errorf("in force is %v, the first run %v costs an outage", from, first)
	}
}

func TestOrderWithoutHardFactorsIsRandom(t *testing.T) {
	d := mustNew(t, Request{Factors: twoLevel(4), Budget: 16})
	first := make([]int, 16)
	for seed := range uint64(1600) {
		first[d.Order(seed, nil)[0]]++
	}
	for run, n := range first {
		if math.Abs(float64(n)-100) > 45 {
			t.Errorf("run %d is the first of %d orders in 1600, about 100 expected", run, n)
		}
	}
}

// Of the fractions of resolution IV those with the fewest words of four alias the
// fewest interactions; the numbers are those of the minimum aberration designs
// (Wu and Hamada, Experiments, tables 5A.2 and 5A.3).
func TestFractionsAliasFewInteractions(t *testing.T) {
	for _, c := range []struct{ k, m, words int }{
		{6, 4, 3}, {7, 4, 7}, {8, 4, 14}, {7, 5, 1}, {8, 5, 3}, {9, 5, 6}, {10, 5, 10}, {11, 5, 25}, {9, 6, 1}, {10, 6, 2}, {11, 6, 4},
	} {
		if got := wordsOfFour(regular(c.k, c.m, 4)); got != c.words {
			t.Errorf("%d factors in %d runs: %d words of four, want %d", c.k, 1<<c.m, got, c.words)
		}
	}
}
