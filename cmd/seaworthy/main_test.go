package main_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"strconv"
	"testing"

	"seaworthy/internal/test/draw"
	"seaworthy/internal/test/needs"
)

// The tests run the program as a user does. What they hold it to: whatever
// ends it, nothing stays behind and nothing is lost.

// bin holds the two programs, built once.
var bin string

func TestMain(m *testing.M) { os.Exit(testAll(m)) }

func testAll(m *testing.M) int {
	dir, err := os.MkdirTemp("/tmp", "swbin")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer os.RemoveAll(dir)
	if err := os.Chmod(dir, 0o755); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	bin = dir
	if err := needs.Programs(dir, "seaworthy", "seaworthy-probe", "seaworthy-lab"); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return m.Run()
}

// rounds keeps the usual run short. It is how often a test tries another
// moment: $SEAWORTHY_TORTURE times as often as usual.
func rounds(usual int) int {
	if n, err := strconv.Atoi(os.Getenv("SEAWORTHY_TORTURE")); err == nil && n > 0 {
		return usual * n
	}
	return usual
}

// moments are drawn at random, the same in every run with the same seed.
func moments(t *testing.T) *rand.Rand {
	t.Helper()
	return draw.Fixed(t, 1, 0)
}
