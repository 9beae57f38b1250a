// Package labtest starts labs for tests.
package labtest

import (
	"context"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"seaworthy/lab"
)

// Up starts a lab in a state folder of its own, which ends with the test. Where the machine
// cannot have one the test is skipped, but in CI; lacks are words of errors that say that its
// kernel cannot have this one, which skips it everywhere.
func Up(t *testing.T, o lab.Options, lacks ...string) *lab.Lab {
	t.Helper()
	dir, err := os.MkdirTemp("", "sw") // short: sockets are below it
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	o.StateDir = dir + "/s"
	l, err := lab.Up(t.Context(), o)
	if err != nil {
		says := func(word string) bool { return strings.Contains(err.Error(), word) }
		if slices.ContainsFunc(lacks, says) || says("namespaces") && os.Getenv("CI") != "true" {
			t.Skipf("no such lab on this machine: %v", err)
		}
		t.Fatal(err)
	}
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
		defer cancel()
		if err := l.Down(ctx); err != nil {
			t.Errorf("down: %v", err)
		}
	})
	return l
}
