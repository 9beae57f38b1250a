// Package draw draws at random what a test tries, so that another run with the same seed
// tries the same: $SEAWORTHY_SEED sets the seed, and a test that draws logs it.
package draw

import (
	"hash/fnv"
	"math/rand/v2"
	"os"
	"strconv"
	"sync"
	"testing"
)

// seedVariable is the environment variable that sets the seed of all draws.
const seedVariable = "SEAWORTHY_SEED"

// drawnSeed is the seed of this process where none is set.
var drawnSeed = sync.OnceValue(func() uint64 { return uint64(rand.Uint32()) })

// setSeed returns the seed that the environment sets.
func setSeed(t testing.TB) (seed uint64, set bool) {
	t.Helper()
	text := os.Getenv(seedVariable)
	if text == "" {
		return 0, false
	}
	seed, err := strconv.ParseUint(text, 10, 64)
	if err != nil {
		t.Fatalf("%s=%s: not a seed: a whole number from 0", seedVariable, text)
	}
	return seed, true
}

// Seed returns the seed of this run, which differs from run to run unless it is set, and
// logs it.
func Seed(t testing.TB) uint64 {
	t.Helper()
	seed, set := setSeed(t)
	if !set {
		seed = drawnSeed()
	}
	t.Logf("%s=%d draws the same again", seedVariable, seed)
	return seed
}

// Rand returns a source of this run's seed for one test: tests draw independently of each
// other, and a test draws the same alone as among others.
func Rand(t testing.TB) *rand.Rand {
	t.Helper()
	return rand.New(rand.NewPCG(Seed(t), hash(t.Name())))
}

// Fixed returns the source that rand.NewPCG makes of usual and stream, in every run; a seed
// that is set takes the place of usual.
func Fixed(t testing.TB, usual, stream uint64) *rand.Rand {
	t.Helper()
	seed, set := setSeed(t)
	if !set {
		seed = usual
	}
	t.Logf("%s=%d draws the same again", seedVariable, seed)
	return rand.New(rand.NewPCG(seed, stream))
}

func hash(text string) uint64 {
	h := fnv.New64a()
	_, _ = h.Write([]byte(text))
	return h.Sum64()
}

// OneIn takes every nth case, from a drawn one on: all of them with $MISSETTINGS, as
// .ci/nightly has it.
func OneIn[T any](t testing.TB, n int, all []T) []T {
	t.Helper()
	if os.Getenv("MISSETTINGS") != "" {
		return all
	}
	return every(t, n, all)
}

// Costly takes every nth case, from a drawn one on, of a test that takes minutes: every mth
// with $MISSETTINGS, and all of them with go test -v.
func Costly[T any](t testing.TB, n, m int, all []T) []T {
	t.Helper()
	switch {
	case testing.Verbose():
		return all
	case os.Getenv("MISSETTINGS") != "":
		return every(t, m, all)
	default:
		return every(t, n, all)
	}
}

func every[T any](t testing.TB, n int, all []T) []T {
	t.Helper()
	first := Rand(t).IntN(n)
	t.Logf("one case in %d of %d, from %d; MISSETTINGS=all takes more", n, len(all), first)
	var out []T
	for i := first; i < len(all); i += n {
		out = append(out, all[i])
	}
	return out
}

// Rarely runs the rest of a test in one run of n, drawn, and in every run with $MISSETTINGS, as
// .ci/nightly has it: for tests that take seconds of all processors.
func Rarely(t testing.TB, n int) {
	t.Helper()
	if len(OneIn(t, n, []string{t.Name()})) == 0 {
		t.Skipf("drawn out: it runs once in %d times, and with MISSETTINGS=all", n)
	}
}
