// What the cases come to: how often the true cause was first, among three, or all were named.

package faultcases

import (
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"sync"
	"testing"

	"seaworthy/internal/diagnose"
)

// tally counts the results of all labs.
type tally struct {
	mu   sync.Mutex
	out  io.Writer
	list []result
}

func (y *tally) add(t *testing.T, r result) {
	t.Helper()
	y.mu.Lock()
	defer y.mu.Unlock()
	y.list = append(y.list, r)
	line, err := json.Marshal(r)
	if err != nil {
		t.Fatal(err)
	}
	if y.out != nil {
		fmt.Fprintln(y.out, string(line))
	}
	t.Logf("%s", line)
}

// score is how many cases there were, and how many were right.
type score struct{ cases, first, three int }

func (s *score) add(at int) {
	s.cases++
	if at == 1 {
		s.first++
	}
	if at > 0 && at <= 3 {
		s.three++
	}
}

// scores are those of single faults by kind, of the labs in order (first: nothing
// was found) and of several faults at once (three: all were named).
func (y *tally) scores() (kinds map[string]*score, all, calm, multi score) {
	kinds = map[string]*score{}
	for _, r := range y.list {
		switch len(r.Faults) {
		case 0:
			calm.cases++
			if r.Verdict == "not the network" {
				calm.first++
			}
		case 1:
			k := r.Faults[0].Kind
			if kinds[k] == nil {
				kinds[k] = &score{}
			}
			at := 0
			if len(r.Places) > 0 {
				at = r.Places[0]
			}
			kinds[k].add(at)
			all.add(at)
		default:
			multi.cases++
			if len(r.Places) > 0 && !slices.Contains(r.Places, 0) {
				multi.three++
			}
		}
	}
	return kinds, all, calm, multi
}

func (y *tally) table() string {
	kinds, all, calm, multi := y.scores()
	var b strings.Builder
	row := func(what string, cells ...any) {
		fmt.Fprintf(&b, "%-18s %6v %6v %12v\n", append([]any{what}, cells...)...)
	}
	row("fault", "cases", "first", "among three")
	for _, k := range slices.Sorted(maps.Keys(kinds)) {
		row(k, kinds[k].cases, kinds[k].first, kinds[k].three)
	}
	row("all", all.cases, all.first, all.three)
	fmt.Fprintf(&b, "several faults: all named in %d of %d cases\nlabs in order: nothing found in %d of %d\n",
		multi.three, multi.cases, calm.first, calm.cases)
	if shown, tried := y.copies(); tried > 0 {
		fmt.Fprintf(&b, "in a copy: %d of %d causes that were tried are reproduced\n", shown, tried)
	}
	return b.String()
}

// copies counts the causes that were looked for in a copy, and those that it showed.
func (y *tally) copies() (shown, tried int) {
	for _, r := range y.list {
		for _, line := range r.Copied {
			switch {
			case strings.HasPrefix(line, string(diagnose.Reproduced)):
				shown++
				tried++
			case strings.HasPrefix(line, string(diagnose.NotReproduced)):
				tried++
			}
		}
	}
	return shown, tried
}

// judge fails what is not as often right as it has to be.
func (y *tally) judge(t *testing.T) {
	t.Helper()
	_, all, calm, multi := y.scores()
	for _, r := range y.list {
		if r.Wrong != "" || len(r.Faults) > 0 && slices.Contains(r.Places, 0) || len(r.Faults) == 0 && r.Verdict != "not the network" {
			t.Logf("case %d (-only %d): %s to %s of %s, load %v, %v: got %s %v %s", r.Case, r.Case, r.From, r.To, r.Topology, r.Load,
				r.Faults, r.Verdict, r.Causes, r.Wrong)
		}
	}
	if all.three < all.cases || all.cases >= enough && float64(all.first) < firstAtLeast*float64(all.cases) {
		t.Errorf("one fault: the true cause first in %d and among three in %d of %d cases, want %.0f %% and all",
			all.first, all.three, all.cases, 100*firstAtLeast)
	}
	if float64(multi.three) < allAtLeast*float64(multi.cases) {
		t.Errorf("several faults: all named in %d of %d cases, want %.0f %%", multi.three, multi.cases, 100*allAtLeast)
	}
	if shown, tried := y.copies(); float64(shown) < shownAtLeast*float64(tried) {
		t.Errorf("a copy showed %d of %d causes, want %.0f %%", shown, tried, 100*shownAtLeast)
	}
	if calm.first < calm.cases {
		t.Errorf("labs in order: nothing found in %d of %d, want all", calm.first, calm.cases)
	}
}
