package replay

import "testing"

// A claim of a few percent takes more blocks, unless it has to be quick or
// somebody says how many.
func TestBlocks(t *testing.T) {
	groups := make([]Group, 1)
	for _, x := range []struct {
		name string
		o    Options
		e    Experiment
		want int
	}{
		{"usual", Options{}, Experiment{}, 9},
		{"quick", Options{Quick: true}, Experiment{}, 5},
		{"quick matrix", Options{Quick: true}, Experiment{Groups: groups}, 3},
		{"matrix", Options{}, Experiment{Groups: groups}, 9},
		{"the source's average", Options{}, Experiment{Blocks: 4}, 4},
		{"thorough", Options{}, Experiment{Thorough: 25}, 25},
		{"thorough but quick", Options{Quick: true}, Experiment{Thorough: 25}, 5},
		{"as asked", Options{Blocks: 2}, Experiment{Thorough: 25, Blocks: 4}, 2},
	} {
		if got := (&runner{Options: x.o}).blocks(&x.e); got != x.want {
			t.Errorf("%s: got %d blocks, want %d", x.name, got, x.want)
		}
	}
	all, err := All()
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range all {
		for _, c := range e.Claims {
			if c.Expect == Same && c.Within > 0 && c.Within < 0.05 && e.Thorough < 20 {
				t.Errorf("%s: %q within %g has %d blocks, want at least 20", e.ID, c.Text, c.Within, e.Thorough)
			}
		}
	}
}
