package replay

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"seaworthy/internal/measure"
	"seaworthy/internal/test/needs"
	"seaworthy/lab"
	"seaworthy/lab/assemble"
)

// The test program is its own supervisor and its own commands.
func TestMain(m *testing.M) {
	if handled, exit := lab.Main(os.Args, assemble.Default()); handled {
		os.Exit(exit)
	}
	os.Exit(m.Run())
}

func options(t *testing.T, names ...string) Options {
	t.Helper()
	list, err := Find(names)
	if err != nil {
		t.Fatal(err)
	}
	dir, err := os.MkdirTemp("", "sw") // short: sockets are below it
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if left, err := lab.List(dir + "/s"); err != nil || len(left) > 0 {
			t.Errorf("labs left behind: %v, %v", left, err)
		}
		os.RemoveAll(dir)
	})
	helper := filepath.Join(probes(t), "seaworthy-probe")
	up := func(ctx context.Context, o lab.Options) (*lab.Lab, error) {
		o.Probe, o.StateDir = helper, dir+"/s"
		return lab.Up(ctx, o)
	}
	return Options{Experiments: list, Quick: true, Blocks: 2, Seconds: 0.3, Up: up,
		Progress: func(string, int, int, string) {}, Done: func(*Outcome) {}}
}

// The whole way: a lab starts, both variants are measured in every block, the
// published figures stand beside ours, and the lab is gone.
func TestReplay(t *testing.T) {
	o := options(t, "E000-BW1", "E003-ENTSTAT")
	var ended []string
	o.Done = func(x *Outcome) { ended = append(ended, x.ID) }
	r, err := Run(t.Context(), o)
	skipWithout(t, err)
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Experiments) != 2 || strings.Join(ended, " ") != "E000-BW1 E003-ENTSTAT" {
		t.Fatalf("got %d experiments, reported %q; want both", len(r.Experiments), ended)
	}
	x := r.Experiments[0]
	if x.State != Measured || x.Trials != 4 || len(x.Claims) != 3 {
		t.Errorf("got %s, %d trials, %d claims; want it measured, 4 and 3", x.State, x.Trials, len(x.Claims))
	}
	for _, c := range x.Cases {
		for _, f := range c.Figures {
			if f.Figure == measure.Throughput && (f.Published == nil || f.Ours == nil || f.Ours.N != 2 || len(f.Samples) != 2) {
				t.Errorf("%s: got throughput %+v, want the source's and two of ours", c.Name, f)
			}
		}
		if len(c.Limits) == 0 {
			t.Errorf("%s: nothing is said on what held it back", c.Name)
		}
	}
	for _, c := range x.Claims {
		if c.Published == nil || c.Ours == nil || c.Ours.N != 2 {
			t.Errorf("%s: got %+v, want both ratios", c.Text, c)
		}
	}
	// Whether receive buffers are real depends on the lab: never half of it.
	switch x := r.Experiments[1]; x.State {
	case NotInLab:
		if x.Reason == "" || x.Claims[0].Answer != NotInLab {
			t.Errorf("%s: got reason %q and claim %q, want a reason and the same answer", x.ID, x.Reason, x.Claims[0].Answer)
		}
	case Measured:
		if x.Trials == 0 {
			t.Errorf("%s: measured without a trial", x.ID)
		}
	default:
		t.Errorf("%s: got %s: %s", x.ID, x.State, x.Reason)
	}
	if text, err := json.Marshal(r); err != nil || strings.Contains(string(text), "NaN") {
		t.Errorf("as JSON: %v", err)
	}
}

// An interruption keeps what was measured, and leaves no lab.
func TestInterrupted(t *testing.T) {
	o := options(t, "E000-BW1", "E000-BW8")
	o.Blocks, o.Seconds = 50, 0.1
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	o.Progress = func(_ string, trial, _ int, _ string) {
		if trial == 3 {
			stop()
		}
	}
	r, err := Run(ctx, o)
	skipWithout(t, err)
	if err == nil || r == nil || len(r.Experiments) != 1 {
		t.Fatalf("got %+v, %v; want an error and the first experiment", r, err)
	}
	if x := r.Experiments[0]; x.State != Interrupted || x.Trials != 2 || x.Reason == "" {
		t.Errorf("got %s (%s), %d trials; want it interrupted with 2", x.State, x.Reason, x.Trials)
	}
}

// probes builds the helper.
func probes(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	if err := needs.Programs(dir, "seaworthy-probe"); err != nil {
		t.Fatal(err)
	}
	return dir
}

func skipWithout(t *testing.T, err error) {
	t.Helper()
	if err != nil && strings.Contains(err.Error(), "namespaces") && os.Getenv("CI") != "true" {
		t.Skipf("no lab on this machine: %v", err)
	}
}
