// Package await lets a test wait for what another process brings about without an
// event: a file, a process, a value on a host.
package await

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
	"time"
)

// Limit is how long anything may take on a busy machine.
const Limit = 3 * time.Minute

// Until asks again and again until ok is true; a test for which it never is fails with
// what it waited for. The first pauses are short, so that a quick answer costs no time.
func Until(t testing.TB, what string, ok func() bool) {
	t.Helper()
	if !Within(Limit, ok) {
		t.Fatalf("%s: not within %s", what, Limit)
	}
}

// Within is Until for a test that says itself what is wrong: it reports whether ok became
// true in time.
func Within(limit time.Duration, ok func() bool) bool {
	pause := time.Millisecond
	for end := time.Now().Add(limit); !ok(); time.Sleep(pause) {
		if time.Now().After(end) {
			return false
		}
		pause = min(2*pause, 50*time.Millisecond)
	}
	return true
}

// Stays fails a test for which ok is false at some time within d: for what must not happen.
func Stays(t testing.TB, what string, d time.Duration, ok func() bool) {
	t.Helper()
	if Within(d, func() bool { return !ok() }) {
		t.Errorf("%s: not so any more", what)
	}
}

// Pause lets time pass where that is what is tested: a host that is slow, a load that runs,
// a moment at which something is interrupted. What happens by itself is waited for by Until.
func Pause(d time.Duration) { time.Sleep(d) }

// Kill waits in a program that a test started until the test kills it.
func Kill() { time.Sleep(Limit) }

// Ended waits until no process has the path among its arguments, where the kernel tells: one that
// works on in a test's folder must not see that folder removed.
func Ended(t testing.TB, path string) {
	t.Helper()
	Until(t, "processes with "+path+" among their arguments end", func() bool {
		all, _ := filepath.Glob("/proc/[0-9]*/cmdline")
		for _, p := range all {
			if text, _ := os.ReadFile(p); bytes.Contains(text, []byte(path)) {
				return false
			}
		}
		return true
	})
}
