package watchdog_test

import (
	"errors"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"seaworthy/internal/change/task"
	"seaworthy/internal/change/watchdog"
	"seaworthy/internal/inventory/model"
	"seaworthy/internal/test/await"
	"seaworthy/internal/test/draw"
)

// inittab gives a machine init's table, as AIX has it.
func (m *machine) inittab() {
	m.t.Helper()
	m.root = m.t.TempDir()
	if err := os.MkdirAll(m.root+"/usr/sbin", 0o755); err != nil {
		m.t.Fatal(err)
	}
	table := filepath.Join(m.root, "inittab")
	if err := os.WriteFile(table, []byte("init:2:initdefault:\n"), 0o600); err != nil {
		m.t.Fatal(err)
	}
	// Two processes of a run may end it at the same time: one of them waits for the other.
	const locked = "exec 9>T.lock; flock 9; "
	for name, text := range map[string]string{
		"mkitab": locked + `case $1 in ???????????????*:[0-9]:*) exit 1 ;; esac; grep -q "^${1%%:*}:" T && exit 1; printf '%s\n' "$1" >>T`,
		"lsitab": `[ "$1" = "-a" ] && exec cat T; grep "^$1:" T`,
		"rmitab": locked + `grep -q "^$1:" T || exit 1; grep -v "^$1:" T >T.new; mv T.new T`,
	} {
		script := "#!/bin/sh\n" + strings.ReplaceAll(text, "T", table) + "\n"
		for _, dir := range []string{m.bin, m.root + "/usr/sbin"} {
			if err := os.WriteFile(filepath.Join(dir, name), []byte(script), 0o755); err != nil {
				m.t.Fatal(err)
			}
		}
	}
}

// entries are the boot entries of runs: those of init's table, or systemd's units.
func (m *machine) entries() []string {
	m.t.Helper()
	table, _ := os.ReadFile(filepath.Join(m.root, "inittab")) // none where there is systemd
	var out []string
	for line := range strings.Lines(string(table)) {
		if f := strings.SplitN(strings.TrimSuffix(line, "\n"), ":", 4); f[2] == "once" {
			out = append(out, f[3])
		}
	}
	units, err := filepath.Glob(m.root + "/etc/systemd/system/*.service")
	if err != nil {
		m.t.Fatal(err)
	}
	for _, unit := range units {
		text, err := os.ReadFile(unit)
		if err != nil {
			m.t.Fatal(err)
		}
		_, line, _ := strings.Cut(string(text), "ExecStart=")
		line, _, _ = strings.Cut(line, "\n")
		out = append(out, strings.NewReplacer("$$", "$", "%%", "%").Replace(line)) // as systemd does
	}
	return out
}

// reboot ends the watchers and has init, or systemd, do what it has been told.
func (m *machine) reboot(watchers ...int) {
	m.t.Helper()
	entries := m.entries()
	for _, pid := range watchers {
		if err := syscall.Kill(pid, syscall.SIGKILL); err != nil {
			m.t.Fatal(err)
		}
	}
	for _, pid := range watchers {
		await.Until(m.t, "a watcher ends", func() bool { return syscall.Kill(pid, 0) != nil })
	}
	var running []*exec.Cmd
	for _, line := range entries {
		c := exec.Command("/bin/sh", "-c", line)
		c.Env = []string{"PATH=" + m.bin + ":/usr/bin:/bin"}
		if err := c.Start(); err != nil {
			m.t.Fatal(err)
		}
		running = append(running, c)
	}
	for _, c := range running {
		if err := c.Wait(); err != nil {
			m.t.Logf("%s: %v", c.Args[2], err) // what it has done is judged
		}
	}
}

func (m *machine) watchers(id string) []int { return []int{m.pid(id, "watch.a"), m.pid(id, "watch.b")} }

// nothingToBoot fails the test if something is left for the next reboot.
func (m *machine) nothingToBoot() {
	m.t.Helper()
	if got := m.entries(); len(got) > 0 {
		m.t.Errorf("boot entries that are left: %q", got)
	}
	if left, _ := filepath.Glob(m.base + "-boot/*"); len(left) > 0 {
		m.t.Errorf("second copies that are left: %q", left)
	}
}

// platforms run a test where init, and where systemd looks after a run, with one of its
// steps kept for the next boot.
func platforms(t *testing.T, test func(t *testing.T, m *machine, k watchdog.Client, job func(id string) watchdog.Job)) {
	for _, sh := range shells(t) {
		for _, platform := range []model.Platform{model.AIX, model.Linux} {
			t.Run(filepath.Base(sh)+" "+string(platform), func(t *testing.T) {
				t.Parallel()
				m, k := newMachine(t, sh)
				if platform == model.AIX {
					m.inittab()
				} else {
					m.systemd()
				}
				test(t, m, k, func(id string) watchdog.Job {
					j := m.job(id, time.Hour)
					j.Tasks[0].Login.Platform = platform
					if platform == model.Linux {
						j.Tasks[0].Changes = []task.Change{{Attr: "mtu", Persist: &task.Persist{By: "systemd unit"}}}
					}
					return j
				})
			})
		}
	}
}

// plant makes the folder of a run that was lost again, as any account could: with a script
// that says when it was run, and a state that claims a confirmation.
func (m *machine) plant(id, ran string) {
	m.t.Helper()
	away := m.t.TempDir()
	if err := os.MkdirAll(filepath.Join(away, id), 0o755); err != nil {
		m.t.Fatal(err)
	}
	script := "#!/bin/sh\n: >" + ran + "\n"
	for name, text := range map[string]string{"watchdog.sh": script, "state.confirmed": ""} {
		if err := os.WriteFile(filepath.Join(away, id, name), []byte(text), 0o755); err != nil {
			m.t.Fatal(err)
		}
	}
	// Only root can make it another account's; else it is reached over a link.
	if os.Geteuid() != 0 {
		if err := os.Symlink(away, m.base); err != nil {
			m.t.Fatal(err)
		}
		return
	}
	if err := os.CopyFS(m.base, os.DirFS(away)); err != nil {
		m.t.Fatal(err)
	}
	for _, path := range []string{m.base, filepath.Join(m.base, id)} {
		if err := os.Chown(path, 4711, 4711); err != nil {
			m.t.Fatal(err)
		}
	}
}

// A cleaner takes the folder of a pending run, the host is rebooted before a watcher
// looks, and somebody has put a script in its place: the run is taken back, from the second
// copy, and what was planted never runs.
func TestRebootAfterCleaner(t *testing.T) {
	for _, planted := range []bool{false, true} {
		platforms(t, func(t *testing.T, m *machine, k watchdog.Client, job func(string) watchdog.Job) {
			if _, err := k.Begin(t.Context(), job("1-a")); err != nil {
				t.Fatal(err)
			}
			steps(t, k, "1-a")
			watchers := m.watchers("1-a")
			for _, pid := range watchers {
				if err := syscall.Kill(pid, syscall.SIGSTOP); err != nil {
					t.Fatal(err)
				}
			}
			if err := os.RemoveAll(m.base); err != nil {
				t.Fatal(err)
			}
			ran := filepath.Join(t.TempDir(), "ran")
			if planted {
				m.plant("1-a", ran)
			}
			m.reboot(watchers...)
			m.is(old, "after the reboot")
			if _, err := os.Stat(ran); err == nil {
				t.Error("what somebody else has put in the place of the run's script was run")
			}
			m.nothingToBoot()
			if planted {
				if err := os.RemoveAll(m.base); err != nil {
					t.Fatal(err)
				}
				return
			}
			s, err := k.Show(t.Context(), "1-a")
			if err != nil || s.Phase != watchdog.Reverted || !strings.Contains(strings.Join(s.Log, "\n"), "its files were removed") {
				t.Errorf("show: got %+v, %v, want it reverted and the loss named", s, err)
			}
		})
	}
}

// A boot entry runs only what is root's alone and as it was written. Else it removes itself.
func TestBootEntryTrustsNothing(t *testing.T) {
	draw.Rarely(t, 3)
	ran := filepath.Join(t.TempDir(), "ran")
	for name, damage := range map[string]func(copy string) error{
		"missing":          os.Remove,
		"folder missing":   func(copy string) error { return os.RemoveAll(filepath.Dir(copy)) },
		"folder open":      func(copy string) error { return os.Chmod(filepath.Dir(copy), 0o777) },
		"writable":         func(copy string) error { return os.Chmod(copy, 0o620) },
		"other text":       func(copy string) error { return os.WriteFile(copy, []byte(": >"+ran+"\n"), 0o600) },
		"half":             func(copy string) error { return os.Truncate(copy, 700) },
		"a link to itself": func(copy string) error { return errors.Join(os.Rename(copy, copy+"x"), os.Symlink(copy+"x", copy)) },
	} {
		t.Run(name, func(t *testing.T) {
			platforms(t, func(t *testing.T, m *machine, k watchdog.Client, job func(string) watchdog.Job) {
				if _, err := k.Begin(t.Context(), job("1-a")); err != nil {
					t.Fatal(err)
				}
				steps(t, k, "1-a")
				if err := damage(m.base + "-boot/1-a.sh"); err != nil {
					t.Fatal(err)
				}
				m.reboot(m.watchers("1-a")...)
				m.is(now, "after a reboot without a second copy to trust")
				if got := m.entries(); len(got) > 0 {
					t.Errorf("boot entries that are left: %q", got)
				}
				if _, err := os.Stat(ran); err == nil {
					t.Error("a script of other text was run")
				}
				if _, err := k.Revert(t.Context(), "1-a"); err != nil {
					t.Errorf("rollback by a person: %v", err)
				}
				m.is(old, "after the rollback")
			})
		})
	}
}

// Two runs, one made under the other: each has a boot entry of its own. A reboot at
// any point takes back what is pending then.
func TestRebootOfNestedRuns(t *testing.T) {
	for _, point := range draw.OneIn(t, 4, []string{"both begun", "inner stepped", "inner reverted", "inner confirmed"}) {
		t.Run(point, func(t *testing.T) {
			platforms(t, func(t *testing.T, m *machine, k watchdog.Client, job func(string) watchdog.Job) {
				ctx := t.Context()
				outer, inner := job("1-outer"), job("1-inner")
				inner.Under = "1-outer"
				inner.Tasks[1].Login, inner.Tasks[1].Changes = inner.Tasks[0].Login, inner.Tasks[0].Changes
				outer.Tasks, inner.Tasks = outer.Tasks[:1], inner.Tasks[1:]
				want := map[string]string{"a": "1", "b": "1"}
				begin := func(j watchdog.Job, step bool) {
					if _, err := k.Begin(ctx, j); err != nil {
						t.Fatal(err)
					}
					if step {
						if err := k.Step(ctx, j.ID, 1, time.Minute); err != nil {
							t.Fatal(err)
						}
					}
				}
				begin(outer, true)
				begin(inner, point != "both begun")
				if got := m.entries(); len(got) != 2 {
					t.Errorf("boot entries of two pending runs: got %q, want two", got)
				}
				watchers := m.watchers("1-outer")
				var err error
				switch point {
				case "inner reverted":
					_, err = k.Revert(ctx, "1-inner")
				case "inner confirmed":
					_, err = k.Confirm(ctx, "1-inner")
					want["b"] = "2"
				default:
					watchers = append(watchers, m.watchers("1-inner")...)
				}
				if err != nil {
					t.Fatal(err)
				}
				m.reboot(watchers...)
				m.is(want, "after the reboot")
				m.nothingToBoot()
				if _, err := os.Stat(filepath.Join(m.base, "pending")); err == nil {
					t.Error("the host is still held")
				}
			})
		})
	}
}

// loseRun steps a run, kills its watchers and removes the folder of all runs.
func loseRun(t *testing.T, m *machine, k watchdog.Client, j watchdog.Job) {
	t.Helper()
	if _, err := k.Begin(t.Context(), j); err != nil {
		t.Fatal(err)
	}
	steps(t, k, j.ID)
	watchers := m.watchers(j.ID)
	for _, pid := range watchers {
		if err := syscall.Kill(pid, syscall.SIGKILL); err != nil {
			t.Fatal(err)
		}
	}
	m.ended(watchers)
	if err := os.RemoveAll(m.base); err != nil {
		t.Fatal(err)
	}
}

// The folder is lost and no watcher lives: any question takes the run back, and until
// then the host is busy.
func TestLostRunIsAskedFor(t *testing.T) {
	asks := map[string]func(t *testing.T, k watchdog.Client) error{
		"status":   func(t *testing.T, k watchdog.Client) error { _, err := k.Runs(t.Context()); return err },
		"cleanup":  func(t *testing.T, k watchdog.Client) error { _, _, err := k.Clean(t.Context(), ""); return err },
		"confirm":  func(t *testing.T, k watchdog.Client) error { _, err := k.Confirm(t.Context(), "1-a"); return err },
		"rollback": func(t *testing.T, k watchdog.Client) error { _, err := k.Revert(t.Context(), "1-a"); return err },
	}
	for _, name := range draw.OneIn(t, 4, slices.Sorted(maps.Keys(asks))) {
		ask := asks[name]
		t.Run(name, func(t *testing.T) {
			platforms(t, func(t *testing.T, m *machine, k watchdog.Client, job func(string) watchdog.Job) {
				loseRun(t, m, k, job("1-a"))
				other := job("1-b")
				m.set("a", "2")
				m.set("b", "2")
				if _, err := k.Begin(t.Context(), other); !errors.Is(err, watchdog.ErrBusy) || !strings.Contains(err.Error(), "1-a") {
					t.Errorf("another run meanwhile: got %v, want that 1-a is pending", err)
				}
				if err := ask(t, k); err != nil {
					t.Errorf("%s: %v", name, err)
				}
				await.Until(t, "the run is taken back", func() bool {
					s, err := k.Show(t.Context(), "1-a")
					return err == nil && s.Phase == watchdog.Reverted || name == "cleanup" && errors.Is(err, watchdog.ErrNoRun)
				})
				m.is(old, "afterwards")
				m.nothingToBoot()
			})
		})
	}
}

// The folder is lost and another account has made one of the same name: a question takes the
// run back from the second copy, and nothing of that folder is run.
func TestLostRunIsAskedForBesideAPlantedFolder(t *testing.T) {
	ran := filepath.Join(t.TempDir(), "ran")
	platforms(t, func(t *testing.T, m *machine, k watchdog.Client, job func(string) watchdog.Job) {
		loseRun(t, m, k, job("1-a"))
		m.plant("1-a", ran)
		if s, err := k.Confirm(t.Context(), "1-a"); err == nil && s.Phase == watchdog.Confirmed {
			t.Errorf("confirm: got %+v, want that it is not confirmed", s)
		}
		await.Until(t, "the run is taken back", func() bool { return maps.Equal(m.values(), old) })
		m.nothingToBoot()
		if _, err := os.Stat(ran); err == nil {
			t.Error("the planted script was run")
		}
	})
}

// cleanup removes boot entries whose second copy is gone, and leaves those of pending runs.
func TestCleanupRemovesDanglingEntries(t *testing.T) {
	platforms(t, func(t *testing.T, m *machine, k watchdog.Client, job func(string) watchdog.Job) {
		if _, err := k.Begin(t.Context(), job("1-a")); err != nil {
			t.Fatal(err)
		}
		if _, _, err := k.Clean(t.Context(), ""); err != nil || len(m.entries()) != 1 {
			t.Errorf("cleanup of a pending run: got %v, entries %q, want its entry kept", err, m.entries())
		}
		if err := os.RemoveAll(m.base + "-boot"); err != nil {
			t.Fatal(err)
		}
		if _, _, err := k.Clean(t.Context(), ""); err != nil {
			t.Fatal(err)
		}
		m.nothingToBoot()
	})
}

// killWhenEntryGoes has a machine end every process of its runs, once, while a boot entry is
// removed, as a reboot at that moment does.
func (m *machine) killWhenEntryGoes() {
	m.t.Helper()
	once := filepath.Join(m.t.TempDir(), "killed")
	kill := "#!/bin/sh\n[ -f " + once + " ] || { : >" + once + "; pkill -9 -f " + m.base + "; }\n"
	for _, dir := range []string{m.bin, m.root + "/usr/sbin"} {
		for _, name := range []string{"rmitab", "systemctl"} {
			path := filepath.Join(dir, name)
			text, err := os.ReadFile(path)
			if os.IsNotExist(err) {
				continue
			}
			if err != nil {
				m.t.Fatal(err)
			}
			if err := os.WriteFile(path, append([]byte(kill), text...), 0o755); err != nil {
				m.t.Fatal(err)
			}
		}
	}
}

// A reboot comes while an ended run removes its boot entry, and later a cleaner removes its
// folder: the run stays ended, and the next one gets the host.
func TestRebootWhileEnding(t *testing.T) {
	platforms(t, func(t *testing.T, m *machine, k watchdog.Client, job func(string) watchdog.Job) {
		first, next := job("1-a"), job("1-b")
		if _, err := k.Begin(t.Context(), first); err != nil {
			t.Fatal(err)
		}
		steps(t, k, "1-a")
		watchers := m.watchers("1-a")
		m.killWhenEntryGoes()
		_, _ = k.Confirm(t.Context(), "1-a") // killed before it answers
		m.ended(watchers)
		m.reboot()
		m.is(now, "after the reboot")
		if err := os.RemoveAll(m.base); err != nil {
			t.Fatal(err)
		}
		if _, err := k.Begin(t.Context(), next); err != nil {
			t.Errorf("the next run: %v", err)
		}
		m.is(now, "once the next run has begun")
	})
}
