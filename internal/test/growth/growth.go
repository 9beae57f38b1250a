// Package growth fails a test whose work grows faster than what it works on, by
// a little more than n log n. It counts the processor time of one thread, which
// other work on the machine does not change, not the time that passes.
package growth

import (
	"math"
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
	looks = 5
)

// least holds what the smaller work must take for the comparison to mean anything.
const least = 5 * time.Millisecond

// Linear runs the work that prepare makes for n things and for four times as
// many, and compares the shortest of up to looks of each.
func Linear(t *testing.T, n int, prepare func(n int) (work func())) {
	t.Helper()
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	timed(t, prepare(n)) // fills the processor's caches
	few, many := time.Duration(math.MaxInt64), time.Duration(math.MaxInt64)
	for range looks { // a neighbour that takes the processor's caches makes the larger work look worse
		few = min(few, timed(t, prepare(n)))
		many = min(many, timed(t, prepare(times*n)))
		if many <= most*max(few, least) {
			return
		}
	}
	t.Errorf("%d things took %s, %d took %s: more than %d times as long", n, few, times*n, many, most)
}

// timed returns the processor time of a work.
func timed(t *testing.T, work func()) time.Duration {
	t.Helper()
	runtime.GC()
	before := cpuTime(t)
	work()
	return cpuTime(t) - before
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
