// Package draw takes some of a test's cases, others each time, where all of them
// would take minutes.
package draw

import (
	"math/rand/v2"
	"os"
	"testing"
)

// OneIn takes every nth case, from one drawn anew each time: all of them with
// $MISSETTINGS, as CI has it.
func OneIn[T any](t testing.TB, n int, all []T) []T {
	t.Helper()
	if os.Getenv("MISSETTINGS") != "" {
		return all
	}
	first := rand.IntN(n)
	t.Logf("one case in %d of %d, from %d; MISSETTINGS=all takes all", n, len(all), first)
	var out []T
	for i := first; i < len(all); i += n {
		out = append(out, all[i])
	}
	return out
}
