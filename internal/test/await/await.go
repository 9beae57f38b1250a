// Package await lets a test wait for what another process brings about without an
// event: a file, a process, a value on a host.
package await

import (
	"testing"
	"time"
)

// Limit is how long anything may take on a busy machine.
const Limit = 90 * time.Second

// Until asks again and again until ok is true; a test for which it never is fails with
// what it waited for. The first pauses are short, so that a quick answer costs no time.
func Until(t testing.TB, what string, ok func() bool) {
	t.Helper()
	pause := time.Millisecond
	for end := time.Now().Add(Limit); !ok(); time.Sleep(pause) {
		if time.Now().After(end) {
			t.Fatalf("%s: not within %s", what, Limit)
		}
		pause = min(2*pause, 50*time.Millisecond)
	}
}
