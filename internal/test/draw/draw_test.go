package draw

import (
	"slices"
	"testing"
)

func TestSeedRepeats(t *testing.T) {
	t.Setenv("MISSETTINGS", "")
	all := []int{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15}
	t.Setenv(seedVariable, "7")
	if a, b := OneIn(t, 8, all), OneIn(t, 8, all); !slices.Equal(a, b) || len(a) != 2 {
		t.Errorf("with one seed: got %v and %v, want two cases, the same twice", a, b)
	}
	if a, b := Rand(t).Uint64(), Rand(t).Uint64(); a != b {
		t.Errorf("with one seed: got %d and %d", a, b)
	}
	seven := Fixed(t, 1, 2).Uint64()
	var other, first uint64
	t.Run("other test", func(t *testing.T) { other = Rand(t).Uint64() })
	first = Rand(t).Uint64()
	if other == first {
		t.Error("two tests draw the same")
	}
	t.Setenv(seedVariable, "8")
	if Rand(t).Uint64() == first || Fixed(t, 1, 2).Uint64() == seven {
		t.Error("another seed draws the same")
	}
	t.Setenv(seedVariable, "")
	seed, again := Seed(t), Seed(t)
	if seed != again {
		t.Error("a run has two seeds")
	}
	fixed, same := Fixed(t, 1, 2).Uint64(), Fixed(t, 1, 2).Uint64()
	if fixed != same {
		t.Error("a fixed source is not fixed")
	}
	drawn := map[int]bool{}
	for seed := range 40 {
		t.Setenv(seedVariable, string(rune('0'+seed%10)))
		drawn[OneIn(t, 4, all)[0]] = true
	}
	if len(drawn) < 2 {
		t.Errorf("all seeds draw the same case: %v", drawn)
	}
}
