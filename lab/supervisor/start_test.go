package supervisor_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"seaworthy/internal/remote/labs"
	"seaworthy/internal/test/await"
	"seaworthy/lab"
	"seaworthy/lab/node"
	"seaworthy/lab/rootfs"
	"seaworthy/lab/supervisor"
	"seaworthy/lab/topology"
)

// The test program is the supervisor of its labs, and what runs on their nodes.
func TestMain(m *testing.M) {
	if handled, exit := lab.Main(os.Args, backend()); handled {
		os.Exit(exit)
	}
	os.Exit(m.Run())
}

// backend lets tests run lines on nodes by queries.
func backend() supervisor.Backend {
	return supervisor.Backend{
		Answer: func() []byte { return nil },
		Names:  func() rootfs.Commands { return rootfs.Commands{AIX: []string{"whoasks"}, IOS: []string{"ioscli"}} },
		Build: func(ctx context.Context, s *supervisor.LabState) (*supervisor.Served, error) {
			n := &sessions{lab: s, open: map[string]func(){}}
			return &supervisor.Served{
				Commands: map[string]node.Command{"whoasks": func(_ context.Context, c *node.Call) int {
					fmt.Fprintf(c.Stdout, "%s %s %s\n", c.Node, c.User, strings.Join(c.Argv, " "))
					return 3
				}},
				Queries: map[string]func(context.Context, json.RawMessage) (any, error){
					"run": n.run, "begin": n.begin, "end": n.end,
					"reboot": func(ctx context.Context, args json.RawMessage) (any, error) {
						var l line
						if err := json.Unmarshal(args, &l); err != nil {
							return nil, err
						}
						return true, s.Reboot(ctx, l.Node)
					},
				},
			}, nil
		},
	}
}

// line is a command line for a root shell on a node.
type line struct{ Node, Line string }

type output struct {
	Out, Err string
	Exit     int
}

// sessions are shells that tests begin and end.
type sessions struct {
	lab  *supervisor.LabState
	mu   sync.Mutex
	open map[string]func() // by node
}

func (s *sessions) run(ctx context.Context, args json.RawMessage) (any, error) {
	var l line
	if err := json.Unmarshal(args, &l); err != nil {
		return nil, err
	}
	var out, errs bytes.Buffer
	exit := s.lab.Shell(ctx, &node.Call{Node: l.Node, User: "root", Stdin: strings.NewReader(l.Line + "\n"), Stdout: &out, Stderr: &errs})
	return output{out.String(), errs.String(), exit}, nil
}

func (s *sessions) begin(_ context.Context, args json.RawMessage) (any, error) {
	var l line
	if err := json.Unmarshal(args, &l); err != nil {
		return nil, err
	}
	ctx, cancel := context.WithCancel(context.Background())
	s.mu.Lock()
	s.open[l.Node] = cancel
	s.mu.Unlock()
	go s.lab.Shell(ctx, &node.Call{Node: l.Node, User: "root", Stdin: strings.NewReader(l.Line + "\n"), Stdout: &bytes.Buffer{}, Stderr: &bytes.Buffer{}})
	return true, nil
}

func (s *sessions) end(_ context.Context, args json.RawMessage) (any, error) {
	var l line
	if err := json.Unmarshal(args, &l); err != nil {
		return nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.open[l.Node]()
	return true, nil
}

// running is a supervisor that a test started.
type running struct {
	t     *testing.T
	dir   string // state folder of the lab
	line  *os.File
	cmd   *exec.Cmd
	ended chan struct{}
}

// start starts a supervisor with a configuration as it comes over standard input.
func start(t *testing.T, dir string, config []byte) *running {
	t.Helper()
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(filepath.Join(dir, "root"), 0o700); err != nil {
		t.Fatal(err)
	}
	lock, err := os.Create(supervisor.LockFile(dir))
	if err != nil {
		t.Fatal(err)
	}
	defer lock.Close()
	ends, err := unix.Socketpair(unix.AF_UNIX, unix.SOCK_STREAM|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		t.Fatal(err)
	}
	theirs := os.NewFile(uintptr(ends[1]), "line")
	defer theirs.Close()
	r := &running{t: t, dir: dir, line: os.NewFile(uintptr(ends[0]), "line"), ended: make(chan struct{})}
	r.cmd = exec.Command(program)
	r.cmd.Args = []string{"seaworthy", "lab-supervisor"}
	r.cmd.Dir = "/"
	r.cmd.Stdin = bytes.NewReader(config)
	r.cmd.ExtraFiles = []*os.File{theirs, lock}
	r.cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true,
		Cloneflags: syscall.CLONE_NEWPID | syscall.CLONE_NEWNS | syscall.CLONE_NEWNET | syscall.CLONE_NEWUTS | syscall.CLONE_NEWIPC}
	if os.Geteuid() != 0 {
		r.cmd.SysProcAttr.Cloneflags |= syscall.CLONE_NEWUSER
		r.cmd.SysProcAttr.UidMappings = []syscall.SysProcIDMap{{HostID: os.Geteuid(), Size: 1}}
		r.cmd.SysProcAttr.GidMappings = []syscall.SysProcIDMap{{HostID: os.Getegid(), Size: 1}}
	}
	if err := r.cmd.Start(); err != nil {
		if os.Getenv("CI") != "true" {
			t.Skipf("no namespaces on this machine: %v", err)
		}
		t.Fatal(err)
	}
	go func() {
		_ = r.cmd.Wait()
		close(r.ended)
	}()
	t.Cleanup(func() {
		r.line.Close()
		_ = r.cmd.Process.Kill()
		<-r.ended
	})
	return r
}

// configOf is the configuration of a lab with a topology; dir is its state folder.
func configOf(t *testing.T, dir, text string) []byte {
	t.Helper()
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	shell, err := rootfs.Shell("")
	if err != nil {
		t.Fatal(err)
	}
	b, err := json.Marshal(supervisor.Config{Name: "test", Dir: dir, File: "test.yaml", Topology: text, Program: program,
		Started: time.Now(), Shell: shell})
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// stateDir is a folder with a path that is short enough for sockets.
func stateDir(t *testing.T) string {
	t.Helper()
	d, err := os.MkdirTemp("", "sw")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(d) })
	return filepath.Join(d, "test")
}

// up starts a lab of two systems, which waits to be kept.
func up(t *testing.T) *running {
	t.Helper()
	_, text, err := topology.Source(t.Context(), "two-systems")
	if err != nil {
		t.Fatal(err)
	}
	dir := stateDir(t)
	r := start(t, dir, configOf(t, dir, string(text)))
	if a := r.answer(); a.Error != "" {
		if strings.Contains(a.Error, "not permitted") && os.Getenv("CI") != "true" {
			t.Skipf("no lab on this machine: %s", a.Error)
		}
		t.Fatal(a.Error)
	}
	return r
}

// kept is up with the lab kept.
func kept(t *testing.T) *running {
	t.Helper()
	r := up(t)
	r.say(supervisor.Keep)
	r.line.Close()
	return r
}

// answer returns what the supervisor says once the lab is up or has failed.
func (r *running) answer() (a supervisor.Answer) {
	r.t.Helper()
	if err := json.NewDecoder(r.line).Decode(&a); err != nil {
		r.t.Fatalf("the supervisor ended without an answer: %v", err)
	}
	return a
}

func (r *running) say(b byte) {
	r.t.Helper()
	if _, err := r.line.Write([]byte{b}); err != nil {
		r.t.Fatal(err)
	}
}

// waitEnd waits for the end of the supervisor and returns its exit status; -1: a signal.
func (r *running) waitEnd() int {
	r.t.Helper()
	await.Until(r.t, "the supervisor ends", func() bool {
		select {
		case <-r.ended:
			return true
		default:
			return false
		}
	})
	return r.cmd.ProcessState.ExitCode()
}

// lives reports whether the supervisor runs and answers.
func (r *running) lives() bool {
	var info supervisor.Info
	return r.ask("info", nil, &info) == nil && info.Name == "test"
}

// ask sends a request to the control socket.
func (r *running) ask(op string, args, result any) error {
	s, err := net.Dial("unix", labs.ControlSocket(r.dir))
	if err != nil {
		return err
	}
	defer s.Close()
	request := supervisor.Request{Op: op}
	if request.Args, err = json.Marshal(args); err != nil {
		return err
	}
	if err := json.NewEncoder(s).Encode(request); err != nil {
		return err
	}
	var a supervisor.Answer
	if err := json.NewDecoder(s).Decode(&a); err != nil {
		return err
	}
	if a.Error != "" {
		return errors.New(a.Error)
	}
	if result == nil {
		return nil
	}
	return json.Unmarshal(a.Result, result)
}

// run runs a line as root on a node.
func (r *running) run(on, text string) string {
	r.t.Helper()
	var out output
	if err := r.ask("run", line{on, text}, &out); err != nil {
		r.t.Fatalf("%s: %s: %v", on, text, err)
	}
	if out.Err != "" {
		r.t.Logf("%s: %s: %s", on, text, out.Err)
	}
	return out.Out
}

// gone fails the test if the state folder is left.
func (r *running) gone() {
	r.t.Helper()
	if _, err := os.Lstat(r.dir); !errors.Is(err, os.ErrNotExist) {
		r.t.Errorf("the state folder is left: %v", err)
	}
}
