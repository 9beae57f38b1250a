package watchdog_test

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"seaworthy/internal/change/task"
	"seaworthy/internal/change/watchdog"
	"seaworthy/internal/test/await"
)

// stepped gives the watchers of run r-1, whose steps are done.
func (m *machine) stepped(k watchdog.Client) (watchers []int) {
	m.t.Helper()
	if _, err := k.Begin(m.t.Context(), m.job("r-1", time.Minute)); err != nil {
		m.t.Fatal(err)
	}
	steps(m.t, k, "r-1")
	m.is(now, "after the steps")
	return []int{m.pid("r-1", "watch.a"), m.pid("r-1", "watch.b")}
}

// ended waits until watchers have ended.
func (m *machine) ended(watchers []int) {
	m.t.Helper()
	await.Until(m.t, "the watchers end", func() bool {
		return syscall.Kill(watchers[0], 0) != nil && syscall.Kill(watchers[1], 0) != nil
	})
}

// watched waits until both watchers have looked at a run.
func (m *machine) watched(id string) {
	m.t.Helper()
	since := time.Now()
	for _, left := range []string{"left.a", "left.b"} {
		await.Until(m.t, "a watcher looks at the steps", func() bool {
			f, err := os.Stat(filepath.Join(m.base, id, left))
			return err == nil && f.ModTime().After(since)
		})
	}
}

// A cleaner of old files takes the run's, and those of one of its watchers: nobody can
// confirm it any more, so it is undone from memory.
func TestFilesRemovedWhileArmed(t *testing.T) {
	for _, sh := range shells(t) {
		for _, killed := range []string{"", "watch.a"} {
			t.Run(filepath.Base(sh)+killed, func(t *testing.T) {
				t.Parallel()
				m, k := newMachine(t, sh)
				watchers := m.stepped(k)
				m.watched("r-1")
				if killed != "" {
					if err := syscall.Kill(m.pid("r-1", killed), syscall.SIGKILL); err != nil {
						t.Fatal(err)
					}
				}
				if err := os.RemoveAll(m.base); err != nil {
					t.Fatal(err)
				}
				await.Until(t, "it is undone from memory", func() bool { return cmp.Equal(m.values(), old) })
				m.ended(watchers)
				s, err := k.Show(t.Context(), "r-1")
				if err != nil || s.Phase != watchdog.Reverted || !strings.Contains(strings.Join(s.Log, "\n"), "its files were removed") {
					t.Errorf("show: got %+v, %v, want it reverted and its folder lost", s, err)
				}
				if _, err := os.Stat(m.base + "-boot"); err == nil {
					t.Error("the second copy is left")
				}
			})
		}
	}
}

// A cleaner comes before the watchers have seen that a step was begun.
func TestFilesRemovedAtOnce(t *testing.T) {
	for _, sh := range shells(t) {
		t.Run(filepath.Base(sh), func(t *testing.T) {
			t.Parallel()
			m, k := newMachine(t, sh)
			if _, err := k.Begin(t.Context(), m.job("r-1", time.Minute)); err != nil {
				t.Fatal(err)
			}
			watchers := m.watchers("r-1")
			signal := func(s syscall.Signal) {
				for _, pid := range watchers {
					if err := syscall.Kill(pid, s); err != nil {
						t.Fatal(err)
					}
				}
			}
			signal(syscall.SIGSTOP)
			steps(t, k, "r-1")
			if err := os.RemoveAll(m.base); err != nil {
				t.Fatal(err)
			}
			signal(syscall.SIGCONT)
			await.Until(t, "it is undone", func() bool { return cmp.Equal(m.values(), old) })
			m.ended(watchers)
		})
	}
}

// Two steps change the same value, there and back again, as a failover does: what was
// begun decides what is undone, and not what the values happen to be.
func TestFilesRemovedAfterThereAndBack(t *testing.T) {
	for _, sh := range shells(t) {
		t.Run(filepath.Base(sh), func(t *testing.T) {
			t.Parallel()
			m, k := newMachine(t, sh)
			j := m.job("r-1", time.Minute)
			j.Tasks = []task.Task{m.task("a", "1", "2"), m.task("b", "1", "2"), m.task("a", "2", "1")}
			if _, err := k.Begin(t.Context(), j); err != nil {
				t.Fatal(err)
			}
			steps(t, k, "r-1")
			if err := k.Step(t.Context(), "r-1", 3, time.Minute); err != nil {
				t.Fatal(err)
			}
			watchers := m.watchers("r-1")
			if err := os.RemoveAll(m.base); err != nil {
				t.Fatal(err)
			}
			m.ended(watchers)
			m.is(old, "afterwards")
		})
	}
}

// The folder of a confirmed run may be removed at once.
func TestRemovedWhenConfirmed(t *testing.T) {
	for _, sh := range shells(t) {
		t.Run(filepath.Base(sh), func(t *testing.T) {
			t.Parallel()
			m, k := newMachine(t, sh)
			watchers := m.stepped(k)
			if s, err := k.Confirm(t.Context(), "r-1"); err != nil || s.Phase != watchdog.Confirmed {
				t.Fatalf("confirm: got %+v, %v", s, err)
			}
			if err := os.RemoveAll(m.base); err != nil {
				t.Fatal(err)
			}
			m.ended(watchers)
			m.is(now, "afterwards")
		})
	}
}

// The watchers of a run that was taken back and cleaned up leave alone what the next
// one changes.
func TestCleanedWhileWatched(t *testing.T) {
	for _, sh := range shells(t) {
		t.Run(filepath.Base(sh), func(t *testing.T) {
			t.Parallel()
			m, k := newMachine(t, sh)
			watchers := m.stepped(k)
			m.watched("r-1")
			signal := func(s syscall.Signal) {
				for _, pid := range watchers {
					if err := syscall.Kill(pid, s); err != nil {
						t.Fatal(err)
					}
				}
			}
			signal(syscall.SIGSTOP) // a busy host lets them wait
			if s, err := k.Revert(t.Context(), "r-1"); err != nil || s.Phase != watchdog.Reverted {
				t.Fatalf("revert: got %+v, %v", s, err)
			}
			if removed, _, err := k.Clean(t.Context(), "r-1"); err != nil || len(removed) != 1 {
				t.Fatalf("clean: got %q, %v, want the run", removed, err)
			}
			m.set("a", "2")
			m.set("b", "2")
			signal(syscall.SIGCONT)
			m.ended(watchers)
			m.is(now, "after they were changed again")
		})
	}
}
