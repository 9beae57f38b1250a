package watchdog_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"seaworthy/internal/change/task"
	"seaworthy/internal/change/watchdog"
	"seaworthy/internal/inventory/model"
)

// systemd gives a machine systemd's folders, and a systemctl that notes how it
// was called.
func (m *machine) systemd() (unit string) {
	m.t.Helper()
	m.root = m.t.TempDir()
	for _, dir := range []string{"/etc/systemd/system", "/run/systemd/system"} {
		if err := os.MkdirAll(m.root+dir, 0o755); err != nil {
			m.t.Fatal(err)
		}
	}
	script := "#!/bin/sh\necho \"$@\" >>" + filepath.Join(m.root, "calls") + "\n"
	if err := os.WriteFile(filepath.Join(m.bin, "systemctl"), []byte(script), 0o755); err != nil {
		m.t.Fatal(err)
	}
	return m.root + "/etc/systemd/system/seaworthy-rollback-1-a.service"
}

// What outlives a reboot is taken back after one, unless it was confirmed: by
// a unit that is there only as long.
func TestRebootOnLinux(t *testing.T) {
	for _, sh := range shells(t) {
		for _, c := range []struct {
			name    string
			confirm bool
		}{{"not confirmed", false}, {"confirmed", true}} {
			t.Run(filepath.Base(sh)+" "+c.name, func(t *testing.T) {
				ctx := t.Context()
				m, k := newMachine(t, sh)
				unit := m.systemd()
				j := m.job("1-a", time.Minute)
				j.Tasks[0].Login.Platform = model.Linux
				j.Tasks[0].Changes = []task.Change{{Attr: "mtu", Persist: &task.Persist{By: "systemd unit"}}}
				if _, err := k.Begin(ctx, j); err != nil {
					t.Fatal(err)
				}
				text, err := os.ReadFile(unit)
				if err != nil {
					t.Fatalf("got %v, want a unit that rolls back", err)
				}
				_, line, _ := strings.Cut(string(text), "ExecStart=")
				line, _, _ = strings.Cut(line, "\n")
				line = strings.NewReplacer("$$", "$", "%%", "%").Replace(line) // as systemd does
				steps(t, k, "1-a")
				m.is(now, "after the steps")
				if c.confirm {
					if _, err := k.Confirm(ctx, "1-a"); err != nil {
						t.Fatal(err)
					}
				} else {
					// A reboot: no watcher is left, and systemd runs the unit.
					watchers := []int{m.pid("1-a", "watch.a"), m.pid("1-a", "watch.b")}
					for _, pid := range watchers {
						if err := syscall.Kill(pid, syscall.SIGKILL); err != nil {
							t.Fatal(err)
						}
					}
					m.ended(watchers)
					boot := exec.Command("/bin/sh", "-c", line)
					boot.Env = []string{"PATH=" + m.bin + ":/usr/bin:/bin"}
					if out, err := boot.CombinedOutput(); err != nil {
						t.Fatalf("%s: %v: %s", line, err, out)
					}
				}
				want, phase := now, watchdog.Confirmed
				if !c.confirm {
					want, phase = old, watchdog.Reverted
				}
				m.is(want, "after the reboot")
				s, err := k.Show(ctx, "1-a")
				if err != nil || s.Phase != phase {
					t.Errorf("got %+v, %v; want it %s", s, err, phase)
				}
				if _, err := os.Stat(unit); err == nil {
					t.Errorf("%s is still there once the run is over", unit)
				}
				calls, _ := os.ReadFile(filepath.Join(m.root, "calls"))
				// Watchers that see it confirmed disable it too.
				const name = "seaworthy-rollback-1-a.service\n"
				rest, enabled := strings.CutPrefix(string(calls), "--quiet enable "+name)
				if !enabled || rest == "" || strings.ReplaceAll(rest, "--quiet disable "+name, "") != "" {
					t.Errorf("got calls of systemctl\n%s\nwant one to enable it, then to disable it", calls)
				}
			})
		}
	}
}

// What a reboot takes back anyway needs no unit.
func TestNoUnitForRunningValues(t *testing.T) {
	m, k := newMachine(t, shells(t)[0])
	unit := m.systemd()
	j := m.job("1-a", time.Minute)
	j.Tasks[0].Login.Platform = model.Linux
	if _, err := k.Begin(t.Context(), j); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(unit); err == nil {
		t.Error("got a unit for a run that keeps nothing for the next boot")
	}
	if _, err := k.Revert(t.Context(), "1-a"); err != nil {
		t.Fatal(err)
	}
}
