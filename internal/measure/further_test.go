package measure

import "testing"

// Workloads are measured further as long as their own effect is inconclusive.
func TestUndecided(t *testing.T) {
	all := []Workload{{Name: "clear"}, {Name: "equal"}, {Name: "open"}, {Name: "silent"}}
	s := &session{result: &Result{}}
	add := func(block int, workload string, before, after float64) {
		for variant, v := range map[string]float64{"a": before, "b": after} {
			s.result.Trials = append(s.result.Trials, Trial{Block: block, Workload: workload, Variant: variant, Measure: Measure{TPS: &v}})
		}
	}
	for block, noise := range []float64{1, 1.01, 0.99, 1.01, 0.99} {
		add(block+1, "clear", 100, 150*noise)
		add(block+1, "equal", 100, 100*noise)
		add(block+1, "open", 100, 100*noise*noise*noise*noise*noise*noise*noise*noise*noise)
	}
	got := s.undecided(all, "a", "b")
	if len(got) != 1 || got[0].Name != "open" {
		t.Errorf("got %v, want the open one alone", got)
	}
	if len(all) != 4 {
		t.Errorf("the list was changed: %v", all)
	}
}
