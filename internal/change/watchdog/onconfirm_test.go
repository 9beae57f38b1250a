package watchdog_test

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"seaworthy/internal/change/task"
	"seaworthy/internal/change/watchdog"
	"seaworthy/internal/inventory/model"
)

// sysv is a machine without systemd, whose sysctls are files.
func sysv(t *testing.T, sh string) (*machine, watchdog.Client, watchdog.Job) {
	t.Helper()
	m, k := newMachine(t, sh)
	m.root = t.TempDir()
	for _, dir := range []string{"/etc/sysctl.d", "/proc/sys/kernel/random"} {
		if err := os.MkdirAll(m.root+dir, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	m.boot("first")
	script := "#!/bin/sh\ncd " + m.vals + `
case $1 in
-w) echo "${2#*=}" >"${2%%=*}" ;;
-n) cat "$2" ;;
esac
`
	if err := os.WriteFile(filepath.Join(m.bin, "sysctl"), []byte(script), 0o755); err != nil {
		t.Fatal(err)
	}
	j := m.job("r-1", time.Minute)
	j.Tasks = nil
	for _, name := range []string{"net.a", "net.b"} {
		was, to, unset := "1", "2", ""
		x := task.Task{ID: "m:sysctl:" + name, Host: "m", Element: "sysctl", Kind: task.Sysctl,
			Login: task.Login{Platform: model.Linux, User: "root"},
			Changes: []task.Change{{Attr: name, Before: task.Values{Running: &was, NextBoot: &unset},
				After: task.Values{Running: &to, NextBoot: &to}, Persist: &task.Persist{By: "sysctl.d", OnConfirm: true}}}}
		if err := x.Write(); err != nil {
			t.Fatal(err)
		}
		m.set(name, was)
		j.Tasks = append(j.Tasks, x)
	}
	return m, k, j
}

func (m *machine) boot(id string) {
	m.t.Helper()
	if err := os.WriteFile(m.root+"/proc/sys/kernel/random/boot_id", []byte(id+"\n"), 0o600); err != nil {
		m.t.Fatal(err)
	}
}

// nextBoot returns what sysctl.d has of ours.
func (m *machine) nextBoot() string {
	text, _ := os.ReadFile(m.root + "/etc/sysctl.d/60-seaworthy.conf")
	return string(text)
}

// Where nothing would roll back after a reboot, nothing is written for the next boot
// before the confirmation: with it all is, or none if one cannot be.
func TestNextBootOnConfirm(t *testing.T) {
	const both = "net.a = 2\nnet.b = 2\n"
	for _, sh := range shells(t) {
		t.Run(filepath.Base(sh), func(t *testing.T) {
			t.Parallel()
			m, k, j := sysv(t, sh)
			if _, err := k.Begin(t.Context(), j); err != nil {
				t.Fatal(err)
			}
			steps(t, k, "r-1")
			if got := m.values()["net.a"] + m.values()["net.b"] + m.nextBoot(); got != "22" {
				t.Errorf("before the confirmation: got %q, want the new values running and none for the next boot", got)
			}
			for range 2 { // asked again, it has the same answer
				if s, err := k.Confirm(t.Context(), "r-1"); err != nil || s.Phase != watchdog.Confirmed {
					t.Fatalf("confirm: got %+v, %v", s, err)
				}
			}
			if got := m.nextBoot(); got != both {
				t.Errorf("next boot after the confirmation: got %q, want %q", got, both)
			}
			if s, err := k.Revert(t.Context(), "r-1"); err != nil || s.Phase != watchdog.Reverted {
				t.Fatalf("revert: got %+v, %v", s, err)
			}
			if got := m.values()["net.a"] + m.values()["net.b"] + m.nextBoot(); got != "11" {
				t.Errorf("after the rollback: got %q, want the old values and none for the next boot", got)
			}
		})
	}
}

func TestNextBootCannotBeWritten(t *testing.T) {
	m, k, j := sysv(t, shells(t)[0])
	if _, err := k.Begin(t.Context(), j); err != nil {
		t.Fatal(err)
	}
	steps(t, k, "r-1")
	// What is written first, and then takes the file's place, cannot be.
	if err := os.Mkdir(m.root+"/etc/sysctl.d/.seaworthy-sysctl-net.a.new", 0o700); err != nil {
		t.Fatal(err)
	}
	if s, err := k.Confirm(t.Context(), "r-1"); err == nil || !strings.Contains(err.Error(), "next boot cannot be written") {
		t.Errorf("confirm: got %+v, %v, want that the next boot's values cannot be written", s, err)
	}
	if s, err := k.Show(t.Context(), "r-1"); err != nil || s.Phase != watchdog.Armed {
		t.Errorf("after it: got %+v, %v, want it pending", s, err)
	}
	if err := os.Remove(m.root + "/etc/sysctl.d/.seaworthy-sysctl-net.a.new"); err != nil {
		t.Fatal(err)
	}
	if s, err := k.Revert(t.Context(), "r-1"); err != nil || s.Phase != watchdog.Reverted {
		t.Fatalf("revert: got %+v, %v", s, err)
	}
	if got := m.values()["net.a"] + m.values()["net.b"] + m.nextBoot(); got != "11" {
		t.Errorf("after the rollback: got %q, want the old values and none for the next boot", got)
	}
}

// A reboot has taken back all of a run that was not confirmed: the next run need not
// wait for somebody to say so.
func TestRebootWithoutSystemd(t *testing.T) {
	m, k, j := sysv(t, shells(t)[0])
	if _, err := k.Begin(t.Context(), j); err != nil {
		t.Fatal(err)
	}
	steps(t, k, "r-1")
	watchers := []int{m.pid("r-1", "watch.a"), m.pid("r-1", "watch.b")}
	for _, pid := range watchers {
		if err := syscall.Kill(pid, syscall.SIGKILL); err != nil {
			t.Fatal(err)
		}
	}
	m.ended(watchers)
	second := j
	second.ID = "r-2"
	if _, err := k.Begin(t.Context(), second); err == nil {
		t.Error("killed watchers without a reboot: a second run began, want it refused")
	}
	m.boot("second")
	second.ID = "r-3"
	if s, err := k.Begin(t.Context(), second); err != nil || s.Phase != watchdog.Armed {
		t.Errorf("a second run after the reboot: got %+v, %v", s, err)
	}
	if s, err := k.Show(t.Context(), "r-1"); err != nil || s.Phase != watchdog.Reverted {
		t.Errorf("the first run: got %+v, %v, want it reverted", s, err)
	}
}
