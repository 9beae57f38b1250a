package lab

import (
	"bytes"
	"context"
	"os"
	"strings"
	"testing"
	"time"
)

// start starts a fresh lab in a state folder of its own.
func startLab(t *testing.T, o Options) *Lab {
	t.Helper()
	if o.StateDir == "" {
		o.StateDir = stateDir(t)
	}
	if o.Topology == "" {
		o.Topology = "two-systems"
	}
	l, err := Up(t.Context(), o)
	if err != nil {
		if strings.Contains(err.Error(), "namespaces") && os.Getenv("CI") != "true" {
			t.Skipf("no lab on this machine: %v", err)
		}
		t.Fatal(err)
	}
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
		defer cancel()
		if err := Down(ctx, o.StateDir, l.Name); err != nil && !strings.Contains(err.Error(), ErrNotRunning.Error()) {
			t.Errorf("down: %v", err)
		}
	})
	return l
}

// stateDir is a folder with a path short enough for sockets.
func stateDir(t *testing.T) string {
	t.Helper()
	d, err := os.MkdirTemp("", "sw")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(d) })
	return d + "/s"
}

// run runs a line on a node and gives what it printed.
func run(t *testing.T, l *Lab, node, user, line string) (string, string, int) {
	t.Helper()
	var out, errs bytes.Buffer
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
	defer cancel()
	exit, err := l.Exec(ctx, node, user, line, Stdio{Out: &out, Err: &errs})
	if err != nil {
		t.Fatalf("%s: %s: %v (%s)", node, line, err, errs.String())
	}
	return out.String(), errs.String(), exit
}
