package watchdog_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"seaworthy/internal/change/watchdog"
	"seaworthy/internal/test/await"
)

// A job without tasks only keeps others away: until it is given back, or its time
// is over since nobody extends it any more.
func TestLockWithoutSteps(t *testing.T) {
	for _, sh := range shells(t) {
		t.Run(filepath.Base(sh), func(t *testing.T) { t.Parallel(); lockWithoutSteps(t, sh) })
	}
}

func lockWithoutSteps(t *testing.T, sh string) {
	ctx := t.Context()
	m, k := newMachine(t, sh)
	lease := func(id string, window time.Duration) error {
		_, err := k.Begin(ctx, watchdog.Job{ID: id, Plan: "p", Hosts: []string{"m"}, Window: window, Limit: time.Second})
		return err
	}
	if err := lease("first-1", time.Hour); err != nil {
		t.Fatal(err)
	}
	if err := lease("second-1", time.Hour); !errors.Is(err, watchdog.ErrBusy) {
		t.Errorf("%s: a second one: got %v, want busy", sh, err)
	}
	if _, err := k.Begin(ctx, m.job("steps-1", time.Hour)); !errors.Is(err, watchdog.ErrBusy) {
		t.Errorf("%s: a run with steps: got %v, want busy", sh, err)
	}
	if _, err := k.Revert(ctx, "first-1"); err == nil || !strings.Contains(err.Error(), "made by the machine that began it") {
		t.Errorf("%s: revert: got %v, want that others cannot", sh, err)
	}
	if _, err := k.Confirm(ctx, "first-1"); err == nil {
		t.Errorf("%s: confirm: got no error", sh)
	}
	if err := k.Leave(ctx, "first-1"); err != nil {
		t.Errorf("%s: leave: %v", sh, err)
	}
	if _, err := k.Show(ctx, "first-1"); !errors.Is(err, watchdog.ErrNoRun) {
		t.Errorf("%s: after leave: got %v, want no run", sh, err)
	}
	if _, err := k.Begin(ctx, m.job("steps-2", time.Hour)); err != nil {
		t.Errorf("%s: a run with steps after leave: %v", sh, err)
	}
	if err := k.Leave(ctx, "steps-2"); err == nil || !strings.Contains(err.Error(), "has steps") {
		t.Errorf("%s: leave of a run with steps: got %v, want it refused", sh, err)
	}
	if _, err := k.Revert(ctx, "steps-2"); err != nil {
		t.Errorf("%s: %v", sh, err)
	}
	if err := lease("third-1", 2*time.Second); err != nil {
		t.Fatal(err)
	}
	tries := 0
	await.Until(t, sh+": an abandoned lock is free again", func() bool { tries++; return lease(fmt.Sprintf("fourth-%d", tries), time.Hour) == nil })
	if err := k.Leave(ctx, fmt.Sprintf("fourth-%d", tries)); err != nil {
		t.Errorf("%s: %v", sh, err)
	}
}

// A run may be made under one that holds the lock: the host takes each back by itself, and the
// lock stays the first one's.
func TestUnderAnotherRun(t *testing.T) {
	for _, sh := range shells(t) {
		t.Run(filepath.Base(sh), func(t *testing.T) {
			t.Parallel()
			ctx := t.Context()
			m, k := newMachine(t, sh)
			outer := m.job("outer-1", time.Hour)
			inner := m.job("inner-1", 10*time.Second)
			outer.Tasks, inner.Tasks, inner.Under = outer.Tasks[:1], inner.Tasks[1:], "outer-1"
			if _, err := k.Begin(ctx, outer); err != nil {
				t.Fatal(err)
			}
			if err := k.Step(ctx, "outer-1", 1, time.Minute); err != nil {
				t.Fatal(err)
			}
			stranger := inner
			stranger.ID, stranger.Under = "inner-2", "other-1"
			if _, err := k.Begin(ctx, stranger); !errors.Is(err, watchdog.ErrBusy) {
				t.Errorf("under a run that is not there: got %v, want busy", err)
			}
			inner.Under = "$(reboot)"
			if _, err := k.Begin(ctx, inner); err == nil || !strings.Contains(err.Error(), "not an id") {
				t.Errorf("under no run's id: got %v, want it refused", err)
			}
			inner.Under = "outer-1"
			if _, err := k.Begin(ctx, inner); err != nil {
				t.Fatal(err)
			}
			if err := k.Step(ctx, "inner-1", 1, time.Minute); err != nil {
				t.Fatal(err)
			}
			m.is(now, "while both are pending")
			await.Until(t, sh+": nobody extends the inner run", func() bool { return m.values()["b"] == "1" })
			m.is(map[string]string{"a": "2", "b": "1"}, "when the inner run is over")
			await.Until(t, sh+": its watchers are gone", func() bool { s, err := k.Show(ctx, "inner-1"); return err == nil && s.Watchers == 0 })
			stranger.ID = "inner-4"
			if _, err := k.Begin(ctx, stranger); !errors.Is(err, watchdog.ErrBusy) {
				t.Errorf("when the inner run is over: got %v, want that the outer one has the lock still", err)
			}
			if _, err := k.Revert(ctx, "outer-1"); err != nil {
				t.Error(err)
			}
			m.is(old, "when both are over")
			stranger.ID, stranger.Under = "inner-3", ""
			if _, err := k.Begin(ctx, stranger); err != nil {
				t.Errorf("when both are over: %v", err)
			}
			if _, err := k.Revert(ctx, "inner-3"); err != nil {
				t.Error(err)
			}
		})
	}
}

// A method that is stopped in its middle may clean up; one that does not end by
// itself is killed.
func TestStoppedMethodsCleanUp(t *testing.T) {
	for _, sh := range shells(t) {
		t.Run(filepath.Base(sh), func(t *testing.T) {
			t.Parallel()
			m, k := newMachine(t, sh)
			j := m.job("r-1", time.Minute)
			j.Limit = time.Second
			clean, stubborn := filepath.Join(m.bin, "clean"), filepath.Join(m.bin, "stubborn")
			for path, text := range map[string]string{
				clean:    "#!/bin/sh\ntrap 'echo clean >\"$0.done\"; exit 1' TERM\nwhile :; do sleep 0.1; done\n",
				stubborn: "#!/bin/sh\ntrap '' TERM\necho $$ >\"$0.pid\"\nwhile :; do sleep 0.1; done\n",
			} {
				if err := os.WriteFile(path, []byte(text), 0o700); err != nil {
					t.Fatal(err)
				}
			}
			after := filepath.Join(m.bin, "after")
			j.Tasks[0].Do = []string{clean, "echo next >" + after}
			j.Tasks[1].Do = []string{stubborn}
			if _, err := k.Begin(t.Context(), j); err != nil {
				t.Fatal(err)
			}
			for n := range j.Tasks {
				if err := k.Step(t.Context(), "r-1", n+1, j.Limit); err == nil {
					t.Errorf("step %d took longer than its limit: got no error", n+1)
				}
			}
			if text, err := os.ReadFile(clean + ".done"); err != nil || string(text) != "clean\n" {
				t.Errorf("the first method was not asked to end: %q, %v", text, err)
			}
			if _, err := os.Stat(after); err == nil {
				t.Error("what follows a method that was stopped has run")
			}
			text, err := os.ReadFile(stubborn + ".pid")
			pid, _ := strconv.Atoi(strings.TrimSpace(string(text)))
			if err != nil || pid <= 0 {
				t.Fatalf("the second method did not begin: %q, %v", text, err)
			}
			await.Until(t, "the second method is killed", func() bool {
				stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
				return err != nil || strings.Contains(string(stat), ") Z ")
			})
		})
	}
}
