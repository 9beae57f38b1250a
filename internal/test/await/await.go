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
