package watchdog_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"seaworthy/internal/change/task"
	"seaworthy/internal/change/watchdog"
	"seaworthy/internal/inventory/model"
	"seaworthy/internal/remote"
	"seaworthy/internal/remote/shellword"
	"seaworthy/internal/test/await"
	"seaworthy/internal/test/draw"
)

// machine is this machine as a host, with a shell of choice for sh, and values
// that are files.
type machine struct {
	t    *testing.T
	bin  string
	vals string
	base string
	root string // in place of / for what belongs to the machine; empty: none of it is touched
}

func (m *machine) Name() string { return "m" }
func (m *machine) Close() error { return nil }
func (m *machine) Start(context.Context, string) (*remote.Session, error) {
	return nil, io.ErrUnexpectedEOF
}

func (m *machine) Run(ctx context.Context, c remote.Command) (*remote.Result, error) {
	cmd := exec.CommandContext(ctx, "/bin/sh", "-c", c.Line)
	cmd.Env = []string{"PATH=" + m.bin + ":/usr/bin:/bin", "V=" + m.vals}
	cmd.Stdin = c.Stdin
	if m.root != "" {
		script, err := io.ReadAll(c.Stdin)
		if err != nil {
			return nil, err
		}
		for _, dir := range []string{"/etc/systemd/system", "/run/systemd/system", "/etc/sysctl.d", "/proc/sys/kernel/random", "/usr/sbin/rmitab"} {
			script = bytes.ReplaceAll(script, []byte(dir), []byte(m.root+dir))
		}
		cmd.Stdin = bytes.NewReader(script)
	}
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	err := cmd.Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		return nil, err
	}
	m.t.Logf("%s%s", out.String(), errs.String())
	return &remote.Result{Stdout: out.Bytes(), Stderr: errs.Bytes(), Exit: cmd.ProcessState.ExitCode()}, nil
}

func (m *machine) set(name, value string) {
	m.t.Helper()
	if err := os.WriteFile(filepath.Join(m.vals, name), []byte(value), 0o600); err != nil {
		m.t.Fatal(err)
	}
}

func (m *machine) values() map[string]string {
	m.t.Helper()
	got := map[string]string{}
	files, err := os.ReadDir(m.vals)
	if err != nil {
		m.t.Fatal(err)
	}
	for _, f := range files {
		text, err := os.ReadFile(filepath.Join(m.vals, f.Name()))
		if err != nil {
			m.t.Fatal(err)
		}
		got[f.Name()] = strings.TrimSpace(string(text))
	}
	return got
}

// shells are those of this machine, each under one name, one of them at a time.
func shells(t *testing.T) []string {
	t.Helper()
	var out []string
	for _, s := range []string{"dash", "bash", "mksh", "ksh93", "ksh"} {
		path, err := exec.LookPath(s)
		if err != nil {
			continue
		}
		if path, err = filepath.EvalSymlinks(path); err != nil {
			t.Fatal(err)
		}
		if !slices.Contains(out, path) {
			out = append(out, path)
		}
	}
	if len(out) == 0 {
		t.Fatal("no POSIX shell on this machine")
	}
	return draw.OneIn(t, len(out), out)
}

func newMachine(t *testing.T, sh string) (*machine, watchdog.Client) {
	t.Helper()
	m := &machine{t: t, bin: t.TempDir(), vals: t.TempDir(), base: filepath.Join(t.TempDir(), "seaworthy")}
	if err := os.Symlink(sh, filepath.Join(m.bin, "sh")); err != nil {
		t.Fatal(err)
	}
	k := watchdog.Client{Host: m, Folder: m.base}
	t.Cleanup(func() {
		states, _ := k.Runs(context.Background())
		for _, s := range states {
			_, _ = k.Revert(context.Background(), s.Run)
		}
		// Watchers take a folder that is removed for a loss, and try for minutes to undo.
		_, _, _ = k.Clean(context.Background(), "")
		await.Ended(t, m.base)
	})
	return m, k
}

func (m *machine) task(name, before, after string) task.Task {
	file := shellword.Quote(filepath.Join(m.vals, name))
	put := func(v string) string { return "echo " + v + " >" + file }
	check := func(v string) []task.Check { return []task.Check{{Attr: name, Command: "cat " + file, Want: v}} }
	return task.Task{ID: name, Program: task.Program{Before: check(before), Do: []string{put(after)}, Undo: []string{put(before)},
		Verify: check(after)}}
}

func (m *machine) job(id string, window time.Duration) watchdog.Job {
	m.set("a", "1")
	m.set("b", "1")
	return watchdog.Job{ID: id, Plan: "p", Hosts: []string{"m", "other host"}, Window: window, Limit: 20 * time.Second,
		Tasks: []task.Task{m.task("a", "1", "2"), m.task("b", "1", "2")}}
}

var (
	old = map[string]string{"a": "1", "b": "1"}
	now = map[string]string{"a": "2", "b": "2"}
)

func (m *machine) is(want map[string]string, when string) {
	m.t.Helper()
	if d := cmp.Diff(want, m.values()); d != "" {
		m.t.Errorf("values %s (-want +got):\n%s", when, d)
	}
}

func steps(t *testing.T, k watchdog.Client, id string) {
	t.Helper()
	for n := 1; n <= 2; n++ {
		if err := k.Step(t.Context(), id, n, 20*time.Second); err != nil {
			t.Fatalf("step %d: %v", n, err)
		}
	}
}

func TestConfirmAndRollBack(t *testing.T) {
	for _, sh := range shells(t) {
		t.Run(filepath.Base(sh), func(t *testing.T) {
			t.Parallel()
			m, k := newMachine(t, sh)
			s, err := k.Begin(t.Context(), m.job("r-1", time.Minute))
			if err != nil || s.Phase != watchdog.Armed || s.Watchers != 2 || s.Plan != "p" || !cmp.Equal(s.Hosts, []string{"m", "other host"}) {
				t.Fatalf("begin: got %+v, %v, want it pending with two watchers", s, err)
			}
			m.is(old, "after begin")
			if _, err := k.Begin(t.Context(), m.job("r-2", time.Minute)); !errors.Is(err, watchdog.ErrBusy) || !strings.Contains(err.Error(),
				"r-1") {
				t.Errorf("a second run: got %v, want that r-1 is pending", err)
			}
			steps(t, k, "r-1")
			m.is(now, "after the steps")
			if s, err := k.Confirm(t.Context(), "r-1"); err != nil || s.Phase != watchdog.Confirmed {
				t.Fatalf("confirm: got %+v, %v", s, err)
			}
			await.Until(t, "the watchers end", func() bool {
				s, err := k.Show(t.Context(), "r-1")
				return err == nil && s.Watchers == 0
			})
			m.is(now, "after confirm")
			if s, err := k.Revert(t.Context(), "r-1"); err != nil || s.Phase != watchdog.Reverted {
				t.Fatalf("revert: got %+v, %v", s, err)
			}
			m.is(old, "after revert")
			if err := k.Step(t.Context(), "r-1", 1, time.Second); !errors.Is(err, watchdog.ErrOver) {
				t.Errorf("a step of a run that is over: got %v", err)
			}
			if _, err := k.Show(t.Context(), "r-9"); !errors.Is(err, watchdog.ErrNoRun) {
				t.Errorf("an unknown run: got %v", err)
			}
			states, err := k.Runs(t.Context())
			if err != nil || len(states) != 2 {
				t.Errorf("runs: got %+v, %v, want two", states, err)
			}
		})
	}
}

func TestNoConfirmation(t *testing.T) {
	for _, sh := range shells(t) {
		t.Run(filepath.Base(sh), func(t *testing.T) {
			t.Parallel()
			m, k := newMachine(t, sh)
			if _, err := k.Begin(t.Context(), m.job("r-1", 2*time.Second)); err != nil {
				t.Fatal(err)
			}
			steps(t, k, "r-1")
			m.is(now, "after the steps")
			await.Until(t, "the host takes it back", func() bool {
				s, err := k.Show(t.Context(), "r-1")
				return err == nil && s.Phase == watchdog.Reverted
			})
			m.is(old, "after the time was over")
			if s, err := k.Confirm(t.Context(), "r-1"); err != nil || s.Phase != watchdog.Reverted {
				t.Errorf("a confirmation that comes too late: got %+v, %v, want reverted", s, err)
			}
		})
	}
}

// pid reads what a process of the run left.
func (m *machine) pid(id, name string) int {
	text, _ := os.ReadFile(filepath.Join(m.base, id, name))
	n, _ := strconv.Atoi(strings.TrimSpace(string(text)))
	return n
}

func TestWatcherKilled(t *testing.T) {
	for _, which := range []string{"watch.a", "watch.b"} {
		t.Run(which, func(t *testing.T) {
			t.Parallel()
			m, k := newMachine(t, shells(t)[0])
			if _, err := k.Begin(t.Context(), m.job("r-1", 3*time.Second)); err != nil {
				t.Fatal(err)
			}
			steps(t, k, "r-1")
			if err := syscall.Kill(m.pid("r-1", which), syscall.SIGKILL); err != nil {
				t.Fatal(err)
			}
			await.Until(t, "the other one takes it back", func() bool { return cmp.Equal(m.values(), old) })
		})
	}
}

// Anyone who ends a run may be killed before he lets go of the host: a watcher
// does it then, and leaves alone what another run has taken.
func TestLockIsLetGoOf(t *testing.T) {
	t.Parallel()
	m, k := newMachine(t, shells(t)[0])
	if _, err := k.Begin(t.Context(), m.job("r-1", time.Minute)); err != nil {
		t.Fatal(err)
	}
	// The end of a confirmation that was killed in its middle.
	if err := os.Rename(filepath.Join(m.base, "r-1", "state.armed"), filepath.Join(m.base, "r-1", "state.confirmed")); err != nil {
		t.Fatal(err)
	}
	await.Until(t, "a watcher lets go", func() bool {
		_, err := os.Stat(filepath.Join(m.base, "pending"))
		return errors.Is(err, os.ErrNotExist)
	})
	if _, err := k.Begin(t.Context(), m.job("r-2", time.Minute)); err != nil {
		t.Fatal(err)
	}
	if s, err := k.Revert(t.Context(), "r-1"); !errors.Is(err, watchdog.ErrBusy) {
		t.Errorf("the first run taken back while the second holds the host: got %+v, %v, want that it is busy", s, err)
	}
	if text, err := os.ReadFile(filepath.Join(m.base, "pending")); err != nil || strings.TrimSpace(string(text)) != "r-2" {
		t.Errorf("who holds the host: got %q, %v, want r-2", text, err)
	}
}

func TestStepsThatFailOrHang(t *testing.T) {
	t.Parallel()
	m, k := newMachine(t, shells(t)[0])
	j := m.job("r-1", time.Minute)
	j.Limit = time.Second
	j.Tasks[0].Do = []string{"echo half >" + shellword.Quote(filepath.Join(m.vals, "a")), "sleep 4713"}
	j.Tasks[1].Do = []string{"echo 0514-062 busy >&2", "false"}
	if _, err := k.Begin(t.Context(), j); err != nil {
		t.Fatal(err)
	}
	if err := k.Step(t.Context(), "r-1", 1, time.Second); err == nil {
		t.Error("a step that hangs: got no error")
	}
	if err := k.Step(t.Context(), "r-1", 2, time.Second); err == nil || !strings.Contains(err.Error(), "0514-062") {
		t.Errorf("a step that fails: got %v, want what it printed", err)
	}
	if s, err := k.Revert(t.Context(), "r-1"); err != nil || s.Phase != watchdog.Reverted {
		t.Fatalf("revert: got %+v, %v", s, err)
	}
	m.is(old, "after revert")
	if out, _ := exec.Command("ps", "-e", "-o", "args=").Output(); strings.Contains(string(out), "sleep 4713") {
		t.Error("the hanging command is left")
	}
}

// The deadline passes while a step is at work: the host stops it first.
func TestRevertStopsTheStep(t *testing.T) {
	t.Parallel()
	m, k := newMachine(t, shells(t)[0])
	j := m.job("r-1", time.Minute)
	j.Tasks[0].Do = append(j.Tasks[0].Do, "sleep 4714", "echo late >"+shellword.Quote(filepath.Join(m.vals, "a")))
	if _, err := k.Begin(t.Context(), j); err != nil {
		t.Fatal(err)
	}
	done := make(chan error, 1)
	go func() { done <- k.Step(context.Background(), "r-1", 1, 20*time.Second) }()
	await.Until(t, "the step begins", func() bool { return m.values()["a"] == "2" })
	if s, err := k.Revert(t.Context(), "r-1"); err != nil || s.Phase != watchdog.Reverted {
		t.Fatalf("revert: got %+v, %v", s, err)
	}
	m.is(old, "after revert")
	if err := <-done; err == nil {
		t.Error("the stopped step: got no error")
	}
}

// An undo that fails at first is tried until the values read back right.
func TestUndoIsTriedAgain(t *testing.T) {
	t.Parallel()
	m, k := newMachine(t, shells(t)[0])
	j := m.job("r-1", time.Minute)
	flag := shellword.Quote(filepath.Join(m.bin, "once"))
	j.Tasks[1].Undo = append([]string{"test -f " + flag + " || { : >" + flag + "; exit 1; }"}, j.Tasks[1].Undo...)
	if _, err := k.Begin(t.Context(), j); err != nil {
		t.Fatal(err)
	}
	steps(t, k, "r-1")
	if s, err := k.Revert(t.Context(), "r-1"); err != nil || s.Phase != watchdog.Reverted {
		t.Fatalf("revert: got %+v, %v", s, err)
	}
	m.is(old, "after revert")
}

// A folder that somebody else can write to is not trusted.
func TestForeignFolder(t *testing.T) {
	m, k := newMachine(t, shells(t)[0])
	if err := os.Mkdir(m.base, 0o777); err != nil {
		t.Fatal(err)
	}
	os.Chmod(m.base, 0o777)
	if _, err := k.Begin(t.Context(), m.job("r-1", time.Minute)); err == nil || !strings.Contains(err.Error(),
		"not a folder that this login owns") {
		t.Errorf("got %v, want a refusal", err)
	}
	if _, err := k.Confirm(t.Context(), "r-1"); !errors.Is(err, watchdog.ErrNoRun) || !strings.Contains(err.Error(), "move it away") {
		t.Errorf("confirm: got %v, want that there is no such run, and why it cannot be seen", err)
	}
}

// A run that ends removes the empty folder, whenever another one looks at it.
func TestFolderVanishes(t *testing.T) {
	for _, sh := range shells(t) {
		t.Run(filepath.Base(sh), func(t *testing.T) {
			t.Parallel()
			m, k := newMachine(t, sh)
			vanishing := "#!/bin/sh\nn=$(cat \"$0.n\" 2>/dev/null)\n[ \"${#n}\" -ge 3 ] || rmdir " + shellword.Quote(m.base) +
				" 2>/dev/null\nprintf %s. \"$n\" >\"$0.n\"\nexec /bin/ls \"$@\"\n"
			if err := os.WriteFile(filepath.Join(m.bin, "ls"), []byte(vanishing), 0o700); err != nil {
				t.Fatal(err)
			}
			if err := os.Mkdir(m.base, 0o700); err != nil {
				t.Fatal(err)
			}
			if all, err := k.Runs(t.Context()); err != nil || len(all) != 0 {
				t.Errorf("runs: got %v, %v, want none", all, err)
			}
			if _, err := k.Begin(t.Context(), m.job("r-1", time.Minute)); err != nil {
				t.Errorf("begin: %v", err)
			}
		})
	}
}

// A disk that is full while the script arrives: nothing of the run is left,
// and anyone who takes it back learns that it never was.
func TestDiskFullAtBegin(t *testing.T) {
	t.Parallel()
	m, k := newMachine(t, shells(t)[0])
	cat := filepath.Join(m.bin, "cat")
	if err := os.WriteFile(cat, []byte("#!/bin/sh\necho '#!/bin/sh'\nexit 1\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	if _, err := k.Begin(t.Context(), m.job("r-1", time.Minute)); err == nil || !strings.Contains(err.Error(), "is the disk full?") {
		t.Errorf("begin: got %v, want that the disk may be full", err)
	}
	if s, err := k.Revert(t.Context(), "r-1"); !errors.Is(err, watchdog.ErrNoRun) {
		t.Errorf("revert: got %+v, %v, want that there is no such run", s, err)
	}
	if err := os.Remove(cat); err != nil {
		t.Fatal(err)
	}
	if _, err := k.Begin(t.Context(), m.job("r-1", time.Minute)); err != nil {
		t.Errorf("begin again with room: %v", err)
	}
	if s, err := k.Revert(t.Context(), "r-1"); err != nil || s.Phase != watchdog.Reverted {
		t.Errorf("revert: got %+v, %v", s, err)
	}
}

func TestShellcheck(t *testing.T) {
	path, err := exec.LookPath("shellcheck")
	if err != nil {
		t.Skip("shellcheck is not on this machine")
	}
	m, _ := newMachine(t, shells(t)[0])
	aix, lock := m.job("r-1", time.Minute), m.job("r-1", time.Minute)
	linux := m.job("r-1", time.Minute)
	linux.Tasks[0].Login.Platform = model.Linux
	lock.Tasks = nil
	for name, j := range map[string]watchdog.Job{"AIX": aix, "Linux": linux, "only the lock": lock} {
		file := filepath.Join(t.TempDir(), "watchdog.sh")
		script, err := j.Script(m.base, m.base+"-boot")
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(script), 0o600); err != nil {
			t.Fatal(err)
		}
		if out, err := exec.Command(path, "-s", "sh", "-S", "style", file).CombinedOutput(); err != nil {
			t.Errorf("%s: shellcheck: %v\n%s", name, err, out)
		}
	}
}

// init runs the script's boot also when its table is only read again: while
// watchers live, nothing was rebooted.
func TestBootWhileWatchersLive(t *testing.T) {
	t.Parallel()
	m, k := newMachine(t, shells(t)[0])
	if _, err := k.Begin(t.Context(), m.job("r-1", time.Minute)); err != nil {
		t.Fatal(err)
	}
	steps(t, k, "r-1")
	boot := func() {
		line := "sh " + shellword.Quote(filepath.Join(m.base, "r-1", "watchdog.sh")) + " boot"
		if res, err := m.Run(t.Context(), remote.Command{Line: line, Stdin: strings.NewReader("")}); err != nil || res.Exit != 0 {
			t.Fatalf("boot: got %+v, %v", res, err)
		}
	}
	boot()
	m.is(now, "after boot while the watchers live")
	for _, which := range []string{"watch.a", "watch.b"} {
		if err := syscall.Kill(m.pid("r-1", which), syscall.SIGKILL); err != nil {
			t.Fatal(err)
		}
	}
	await.Until(t, "the watchers are gone", func() bool {
		s, err := k.Show(t.Context(), "r-1")
		return err == nil && s.Watchers == 0
	})
	boot()
	m.is(old, "after boot without watchers")
}
