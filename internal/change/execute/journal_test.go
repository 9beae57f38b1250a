package execute

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"seaworthy/internal/change/plan"
	"seaworthy/internal/change/task"
)

// When the disk is full, the run still knows what has happened, and does not
// believe in what was only about to happen.
func TestJournalFull(t *testing.T) {
	full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
	if err != nil {
		t.Skipf("no full device here: %v", err)
	}
	js := Journals{Dir: t.TempDir()}
	j, err := js.begin(&plan.Plan{Steps: []plan.Step{{Task: task.Task{ID: "a"}}, {Task: task.Task{ID: "b"}}}}, 0, nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(j.write(event{Event: evPrior, Step: "a", Prior: []task.Change{{Attr: "mtu"}}}),
		j.write(event{Event: evDoing, Step: "a"})); err != nil {
		t.Fatal(err)
	}
	good := j.file
	j.file = full
	for _, e := range []event{{Event: evFailed, Step: "a", Error: "busy"}, {Event: evDoing, Step: "b"}, {Event: evUndone, Step: "a"}} {
		if err := j.write(e); !errors.Is(err, unix.ENOSPC) && !errors.Is(err, unix.EINVAL) {
			t.Errorf("%s: got %v, want that there is no room", e.Event, err)
		}
	}
	j.file = good
	if err := j.write(event{Event: evEnd, Outcome: RolledBack}); err != nil {
		t.Errorf("with room again: %v", err)
	}
	run := j.now()
	if run.Outcome != RolledBack || run.Steps[0].State != evUndone || run.Steps[0].Error != "busy" || run.Steps[1].State != "waiting" {
		t.Errorf("got %+v", run)
	}
}

// A run that cannot begin its journal leaves none.
func TestJournalCannotBegin(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(dir, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	js := Journals{Dir: dir}
	if _, err := js.begin(&plan.Plan{}, 0, nil); err == nil {
		t.Error("journal below a file: got no error")
	}
	if _, err := js.lock(t.Context(), []string{"h"}); err == nil {
		t.Error("lock below a file: got no error")
	}
}

// Two runs never change the same host at once, and one that waits can be
// interrupted.
func TestLock(t *testing.T) {
	js := Journals{Dir: t.TempDir()}
	var inside atomic.Int32
	var wg sync.WaitGroup
	for _, hosts := range [][]string{{"a", "b"}, {"b", "a"}, {"b"}, {"b", "b", "../c"}} {
		wg.Go(func() {
			for range 5 {
				release, err := js.lock(t.Context(), slices.Clone(hosts))
				if err != nil {
					t.Error(err)
					return
				}
				if n := inside.Add(1); n != 1 {
					t.Errorf("%d runs at once on b", n)
				}
				for range 100 {
					runtime.Gosched()
				}
				inside.Add(-1)
				release()
			}
		})
	}
	wg.Wait()
	release, err := js.lock(t.Context(), []string{"a"})
	if err != nil {
		t.Fatal(err)
	}
	defer release()
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
	defer cancel()
	if _, err := js.lock(ctx, []string{"a"}); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("lock of a host in use: got %v, want that time is up", err)
	}
	if runs, err := js.Runs(t.Context()); err != nil || len(runs) != 0 {
		t.Errorf("locks are taken for runs: %v, %v", runs, err)
	}
}

// A run whose process was killed is told from one that goes on.
func TestJournalOfAKilledRun(t *testing.T) {
	js := Journals{Dir: t.TempDir()}
	j, err := js.begin(&plan.Plan{Schema: plan.Schema}, 0, nil)
	if err != nil {
		t.Fatal(err)
	}
	id := j.run.ID
	gone := func() bool {
		t.Helper()
		text, err := os.ReadFile(filepath.Join(js.Dir, id, "journal.jsonl"))
		if err != nil || len(text) == 0 {
			t.Fatalf("journal: %q, %v", text, err)
		}
		return !written(filepath.Join(js.Dir, id, "journal.jsonl"))
	}
	if gone() {
		t.Error("while the run goes on: its process is said to be gone")
	}
	j.file.Close() // as the kernel does for a process that was killed
	if !gone() {
		t.Error("after the process: the run is said to go on")
	}
}
