package replay

import "testing"

// A claim of a few percent takes more blocks, unless it has to be quick or
// somebody says how many.
func TestBlocks(t *testing.T) {
	for _, x := range []struct {
		name string
		o    Options
		e    Experiment
		want int
	}{
		{"usual", Options{}, Experiment{}, 9},
		{"quick", Options{Quick: true}, Experiment{}, 5},
		{"quick matrix", Options{Quick: true}, Experiment{QuickBlocks: 3}, 3},
		{"matrix", Options{}, Experiment{QuickBlocks: 3}, 9},
		{"the source's average", Options{}, Experiment{Blocks: 4}, 4},
		{"of a few percent, but quick", Options{Quick: true}, Experiment{Blocks: 25}, 5},
		{"as asked", Options{Blocks: 2}, Experiment{Blocks: 25, QuickBlocks: 4}, 2},
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
			if c.Expect == Same && c.Within > 0 && c.Within < 0.05 && e.Blocks < 20 {
				t.Errorf("%s: %q within %g has %d blocks, want at least 20", e.ID, c.Text, c.Within, e.Blocks)
			}
		}
	}
}
