package main_test

import (
	"bytes"
	"encoding/json"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"seaworthy/internal/cli/command"
	"seaworthy/internal/test/draw"
)

// box is a user's home with all the places the program writes to.
type box struct {
	t    *testing.T
	dir  string
	env  []string
	cred *syscall.Credential // nil: the user who runs the tests
}

// nobody is the user of an ordinary box.
const nobody = 65534

// newBox makes a box, of an ordinary user if asked for and possible. When the
// test ends, nothing may be left of it.
func newBox(t *testing.T, ordinary bool) *box {
	t.Helper()
	dir, err := os.MkdirTemp("/tmp", "swb") // short: sockets lie below it
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	b := &box{t: t, dir: dir}
	if ordinary && os.Geteuid() == 0 {
		b.cred = &syscall.Credential{Uid: nobody, Gid: nobody}
	}
	for _, d := range []string{"", "home", "run", "state", "tmp", "out"} {
		p := filepath.Join(dir, d)
		if err := os.MkdirAll(p, 0o700); err != nil {
			t.Fatal(err)
		}
		if b.cred != nil {
			if err := os.Chown(p, nobody, nobody); err != nil {
				t.Fatal(err)
			}
		}
	}
	// A program of its own: it identifies what the box started.
	if err := os.Mkdir(b.path("bin"), 0o755); err != nil {
		t.Fatal(err)
	}
	for _, p := range []string{"seaworthy", "seaworthy-lab", "seaworthy-probe"} {
		if err := os.Link(filepath.Join(bin, p), b.path("bin", p)); err != nil {
			t.Fatal(err)
		}
	}
	b.env = []string{
		"PATH=" + os.Getenv("PATH"), "HOME=" + b.path("home"), "XDG_RUNTIME_DIR=" + b.path("run"),
		"XDG_STATE_HOME=" + b.path("state"), "TMPDIR=" + b.path("tmp"), "NO_COLOR=1", "SEAWORTHY_BOX=" + dir,
	}
	t.Cleanup(b.empty)
	return b
}

func (b *box) path(parts ...string) string {
	return filepath.Join(append([]string{b.dir}, parts...)...)
}

// result holds what a run of the program did.
type result struct {
	args     []string
	out, err string
	exit     int // -1: killed by a signal
	signal   syscall.Signal
}

func (r *result) String() string {
	return strings.Join(r.args, " ") + ": exit " + strconv.Itoa(r.exit) + "\n" + r.out + r.err
}

// command is the program, not started yet.
func (b *box) command(args ...string) *exec.Cmd {
	cmd := exec.Command(b.path("bin", "seaworthy"), args...)
	cmd.Env, cmd.Dir = b.env, b.path("out")
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: b.cred, Setpgid: true}
	cmd.WaitDelay = 20 * time.Second
	return cmd
}

// running is a run under way.
type running struct {
	*exec.Cmd
	t        *testing.T
	out, err bytes.Buffer
	ended    chan struct{}
}

func (b *box) start(args ...string) *running {
	b.t.Helper()
	r := &running{Cmd: b.command(args...), t: b.t, ended: make(chan struct{})}
	r.Stdout, r.Stderr = &r.out, &r.err
	r.begin()
	return r
}

func (r *running) begin() {
	r.t.Helper()
	if err := r.Start(); err != nil {
		r.t.Fatal(err)
	}
	go func() {
		_ = r.Cmd.Wait() // its state says how it ended
		close(r.ended)
	}()
}

// patience is how long anything may take on a busy machine.
const patience = 3 * time.Minute

// end waits for the end of a run.
func (r *running) end() *result {
	r.t.Helper()
	select {
	case <-r.ended:
	case <-time.After(patience):
		_ = r.Process.Signal(syscall.SIGQUIT) // for its stacks
		select {
		case <-r.ended:
		case <-time.After(time.Second):
		}
		_ = r.Process.Kill()
		<-r.ended
		said := r.err.String()
		r.t.Fatalf("%v: no end after %s\n%s", r.Args[1:], patience, said[:min(len(said), 6000)])
	}
	res := &result{args: r.Args[1:], out: r.out.String(), err: r.err.String(), exit: r.ProcessState.ExitCode()}
	if w, ok := r.ProcessState.Sys().(syscall.WaitStatus); ok && w.Signaled() {
		res.signal = w.Signal()
	}
	if strings.Contains(res.err, "goroutine ") || strings.Contains(res.err, "panic:") {
		r.t.Errorf("%s: crashed", res)
	}
	return res
}

// try runs the program to its end.
func (b *box) try(args ...string) *result { b.t.Helper(); return b.start(args...).end() }

// must is try with the exit status that is expected.
func (b *box) must(exit int, args ...string) *result {
	b.t.Helper()
	r := b.try(args...)
	if r.exit != exit {
		b.t.Fatalf("%s\nwant exit %d", r, exit)
	}
	return r
}

// lab starts a lab of two systems, and takes it down with the test.
func (b *box) lab(name string) { b.t.Helper(); b.labOf("two-systems", name) }

func (b *box) labOf(topology, name string) {
	b.t.Helper()
	r := b.try("lab", "up", topology, "--name", name)
	if r.exit != command.ExitDone {
		if strings.Contains(r.err, "namespaces") && os.Getenv("CI") != "true" {
			b.t.Skipf("no lab on this machine: %s", r.err)
		}
		b.t.Fatal(r)
	}
	b.t.Cleanup(func() { b.try("lab", "down", name) })
}

// needLab skips the test where there can be no lab.
func (b *box) needLab() {
	b.t.Helper()
	b.lab("probe")
	b.must(command.ExitDone, "lab", "down", "probe")
}

// on runs a line on a node.
func (b *box) on(lab, node, line string) *result {
	b.t.Helper()
	return b.try("lab", "exec", "--lab", lab, "-u", "root", node, "--", line)
}

var nodes = []string{"lpar1", "vios1", "vios2", "lpar2"}

// values returns what the tests' plans touch and what lies around it, running and
// at the next boot. An interface's running values are those of ifconfig.
func (b *box) values(lab string) string {
	b.t.Helper()
	var all strings.Builder
	for _, n := range nodes {
		line := "lsattr -El en0; ifconfig -a; no -a"
		if strings.HasPrefix(n, "vios") {
			line = "lsattr -El ent5; lsattr -Pl ent5; ifconfig -a"
		}
		r := b.on(lab, n, line)
		if r.exit != 0 {
			b.t.Fatal(r)
		}
		all.WriteString(n + "\n" + r.out)
	}
	return all.String()
}

// diff are the lines that differ between two texts.
func diff(before, after string) string {
	return cmp.Diff(strings.Split(before, "\n"), strings.Split(after, "\n"))
}

// labs are the names that lab ls gives.
func (b *box) labs() []string {
	b.t.Helper()
	var list []struct{ Name string }
	b.parse(b.must(command.ExitDone, "lab", "ls", "-f", "json"), &list)
	names := []string{}
	for _, l := range list {
		names = append(names, l.Name)
	}
	return names
}

func (b *box) parse(r *result, v any) {
	b.t.Helper()
	if err := json.Unmarshal([]byte(r.out), v); err != nil {
		b.t.Fatalf("%s: %v", r, err)
	}
}

// each runs a test as the user who runs it and, if that is root, as an
// ordinary user: both in CI, else one of them.
func each(t *testing.T, f func(t *testing.T, ordinary bool)) {
	users := []bool{false}
	if os.Geteuid() == 0 {
		users = draw.OneIn(t, 2, []bool{false, true})
	}
	for _, ordinary := range users {
		name := "user"
		if ordinary {
			name = "ordinary"
		}
		t.Run(name, func(t *testing.T) { t.Parallel(); f(t, ordinary) })
	}
}

// onLab runs a test on a lab of its own for each user, with the values that its hosts begin with.
func onLab(t *testing.T, lab string, f func(t *testing.T, b *box, before string, random *rand.Rand)) {
	t.Helper()
	t.Parallel()
	each(t, func(t *testing.T, ordinary bool) {
		b := newBox(t, ordinary)
		b.lab(lab)
		f(t, b, b.values(lab), moments(t))
	})
}
