// Package growth fails a test whose work grows faster than what it works on, by
// a little more than n log n. It counts the processor time of one thread, which
// other work on the machine does not change, not the time that passes.
package growth

import (
	"runtime"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// Four times as much may take most times as long: linear work takes 4, that of
// n log n little more, quadratic work 16.
const (
	times = 4
	most  = 9
)

// least holds what the smaller work must take for the comparison to mean anything.
const least = 5 * time.Millisecond

// Linear runs the work that prepare makes for n things and for four times as
// many, each a few times, and compares the shortest.
func Linear(t *testing.T, n int, prepare func(n int) (work func())) {
	t.Helper()
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	for looks := 3; ; looks-- { // a neighbour that takes the processor's caches makes the larger work look worse
		few, many := max(shortest(t, prepare(n)), least), shortest(t, prepare(times*n))
		if many <= most*few {
			return
		}
		if looks == 1 {
			t.Errorf("%d things took %s, %d took %s: more than %d times as long", n, few, times*n, many, most)
			return
		}
	}
}

func shortest(t *testing.T, work func()) time.Duration {
	t.Helper()
	best := time.Duration(1<<63 - 1)
	for range 3 {
		runtime.GC()
		before := cpuTime(t)
		work()
		best = min(best, cpuTime(t)-before)
	}
	return best
}

// cpuTime returns what the calling thread has used.
func cpuTime(t *testing.T) time.Duration {
	t.Helper()
	var used unix.Timespec
	if err := unix.ClockGettime(unix.CLOCK_THREAD_CPUTIME_ID, &used); err != nil {
		t.Fatal(err)
	}
	return time.Duration(used.Nano())
}
