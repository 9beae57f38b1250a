package lab

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"golang.org/x/sys/unix"

	"seaworthy/internal/base/fileio"
	"seaworthy/lab/quota"
	"seaworthy/lab/rootfs"
	"seaworthy/lab/supervisor"
	"seaworthy/lab/topology"
)

// Options of a new lab. All but Topology may be left empty.
type Options struct {
	Name     string // default: the topology's name
	Topology string // built-in name or path of a .yaml file
	Text     []byte // of a topology, in place of Topology; nil: none
	StateDir string // default: labs.Dir()
	Probe    string // path of a seaworthy-probe for this machine, installed on the nodes
	Tied     bool   // the lab ends with the calling process, whatever ends that
	Shell    string // of logins: a name in /usr/bin or a path of this machine; default: the nearest to AIX's
	// Slow is how much longer each command takes that the lab answers.
	Slow time.Duration
	rootfs.Behaviour
}

// Up starts a lab and returns once its nodes answer. If it fails, or ctx ends
// first, nothing is left of the lab.
func Up(ctx context.Context, o Options) (*Lab, error) {
	c, err := o.config(ctx)
	if err != nil {
		return nil, err
	}
	quota.Sweep()
	guard, err := quota.StartGuard()
	if err != nil {
		return nil, fmt.Errorf("lab %s: %w", c.Name, err)
	}
	defer guard.Close() // the supervisor has a copy
	if o.Tied {
		err = guard.Folder(c.Dir, supervisor.LockFile(c.Dir))
		if err != nil {
			return nil, fmt.Errorf("lab %s: %w", c.Name, err)
		}
	}
	held, err := lock(c.Dir)
	if errors.Is(err, errRunning) {
		return nil, fmt.Errorf("lab %s is running already: take it down first, or give the new one another name", c.Name)
	}
	if err != nil {
		return nil, fmt.Errorf("lab %s: %w", c.Name, err)
	}
	defer held.Close()
	if err := empty(c.Dir); err != nil {
		return nil, fmt.Errorf("lab %s: %w", c.Name, err)
	}
	slog.Debug("lab state folder is locked and empty", "lab", c.Name, "dir", c.Dir, "topology", c.File)
	tie, err := launch(ctx, c, held, guard, o.Tied)
	if err != nil {
		_ = remove(c.Dir)
		return nil, fmt.Errorf("lab %s: %w", c.Name, err)
	}
	slog.Debug("lab answers", "lab", c.Name, "took", time.Since(c.Started))
	l, err := Open(filepath.Dir(c.Dir), c.Name)
	if err != nil {
		if tie != nil {
			tie.Close()
		}
		return nil, err
	}
	l.tie = tie
	return l, nil
}

func (o Options) config(ctx context.Context) (c supervisor.Config, err error) {
	file, text := "copy.yaml", o.Text
	if text == nil {
		file, text, err = topology.Source(ctx, o.Topology)
	}
	if err != nil {
		return c, err
	}
	t, err := topology.Parse(file, text)
	if err != nil {
		return c, err
	}
	c = supervisor.Config{Name: cmp.Or(o.Name, t.Name), File: file, Topology: string(text), Started: time.Now()}
	if err := checkName(c.Name); err != nil {
		return c, err
	}
	if c.Program, err = os.Executable(); err != nil {
		return c, err
	}
	if o.Probe != "" {
		if c.Probe, err = filepath.Abs(o.Probe); err != nil {
			return c, err
		}
	}
	if c.Shell, err = rootfs.Shell(o.Shell); err != nil {
		return c, err
	}
	if !slices.Contains([]string{"", "last", "0", "4"}, o.OEMStatus) {
		return c, fmt.Errorf("oem_setup_env's exit status %q, expected last, 0 or 4", o.OEMStatus)
	}
	c.Slow, c.Behaviour = o.Slow, o.Behaviour
	base, err := openStateDir(o.StateDir)
	if err != nil {
		return c, err
	}
	c.Dir = filepath.Join(base, c.Name)
	logins := []string{t.HMC}
	for _, n := range t.Hosts() {
		logins = append(logins, n.Name)
	}
	for _, name := range logins {
		if p := supervisor.SSHSocket(c.Dir, name); len(p) > maxSocketPath {
			return c, fmt.Errorf("%s: longer than the %d characters that a socket's path can have: choose a shorter state folder or name",
				p, maxSocketPath)
		}
	}
	return c, nil
}

// launch starts the supervisor and waits until it is ready. With tied it gives
// the file whose end, by whatever way, is the end of the lab.
func launch(ctx context.Context, c supervisor.Config, held *os.File, guard *quota.Guard, tied bool) (tie *os.File, err error) {
	// What this process inherited is not the lab's: a lock of its caller would be held as
	// long as the lab runs. An older kernel (before 5.11) leaves it open.
	_ = unix.CloseRange(3, math.MaxInt32, unix.CLOSE_RANGE_CLOEXEC)
	if err := fileio.Mkdir(filepath.Join(c.Dir, "root")); err != nil {
		return nil, err
	}
	bounds, err := controlGroups(&c, guard)
	if err != nil {
		return nil, err
	}
	c.Debug = slog.Default().Enabled(ctx, slog.LevelDebug)
	if c.Debug {
		defer printLog(c.Dir)
	}
	cmd, line, err := startSupervisor(c, []*os.File{held, guard.File()})
	if err != nil {
		return nil, err
	}
	joined := quota.Join(bounds, cmd.Process.Pid)
	reaped := make(chan struct{})
	go func() {
		_ = cmd.Wait() // its log says what there is to say
		close(reaped)
	}()
	err = keep(ctx, line, supervisor.LogFile(c.Dir), joined, tied)
	if err != nil {
		line.Close()
		_ = cmd.Process.Kill()
		<-reaped
		return nil, err
	}
	if tied {
		return line, nil
	}
	line.Close()
	return nil, nil
}

// printLog prints what the supervisor of a lab logged.
func printLog(dir string) {
	text, _ := os.ReadFile(supervisor.LogFile(dir))
	_, _ = os.Stderr.Write(text)
}

// startSupervisor starts the supervisor in new namespaces, with files after its line, and
// returns this end of the line.
func startSupervisor(c supervisor.Config, files []*os.File) (*exec.Cmd, *os.File, error) {
	config, err := json.Marshal(c)
	if err != nil {
		return nil, nil, err
	}
	log, err := fileio.Open(supervisor.LogFile(c.Dir), os.O_WRONLY|os.O_APPEND)
	if err != nil {
		return nil, nil, err
	}
	defer log.Close()
	ends, err := unix.Socketpair(unix.AF_UNIX, unix.SOCK_STREAM|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		return nil, nil, err
	}
	line, theirs := os.NewFile(uintptr(ends[0]), "line"), os.NewFile(uintptr(ends[1]), "line")
	defer theirs.Close()
	cmd, err := start(func() *exec.Cmd {
		cmd := exec.Command(c.Program)
		cmd.Args = []string{"seaworthy", supervisorVerb}
		cmd.Stdin = bytes.NewReader(config)
		cmd.Stdout, cmd.Stderr = log, log
		cmd.ExtraFiles = append([]*os.File{theirs}, files...)
		return cmd
	})
	if err != nil {
		line.Close()
		return nil, nil, err
	}
	return cmd, line, nil
}

// keep waits until the lab is up and lets it go on; joined is the error of its control groups.
func keep(ctx context.Context, line *os.File, log string, joined error, tied bool) error {
	answered := make(chan error, 1)
	go func() { answered <- readReady(line, log) }()
	var err error
	select {
	case err = <-answered:
	case <-ctx.Done():
	}
	if err := cmp.Or(err, joined, context.Cause(ctx)); err != nil {
		return err
	}
	how := supervisor.Keep
	if tied {
		how = supervisor.Tie
	}
	_, err = line.Write([]byte{how})
	return err
}

// start starts a program in new namespaces. Without root's rights it gets
// a user namespace in which it is root.
func start(command func() *exec.Cmd) (*exec.Cmd, error) {
	const spaces = syscall.CLONE_NEWPID | syscall.CLONE_NEWNS | syscall.CLONE_NEWNET | syscall.CLONE_NEWUTS | syscall.CLONE_NEWIPC
	try := func(user bool) (*exec.Cmd, error) {
		cmd := command()
		cmd.Dir = "/"
		cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Cloneflags: spaces}
		if user {
			cmd.SysProcAttr.Cloneflags |= syscall.CLONE_NEWUSER
			cmd.SysProcAttr.UidMappings = []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Geteuid(), Size: 1}}
			cmd.SysProcAttr.GidMappings = []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getegid(), Size: 1}}
		}
		err := cmd.Start()
		slog.Debug("start in new namespaces", "command", cmd.Args, "user_namespace", user, "error", err)
		return cmd, err
	}
	if os.Geteuid() == 0 {
		cmd, err := try(false)
		if !errors.Is(err, syscall.EPERM) {
			return cmd, err
		}
	}
	cmd, err := try(true)
	if err != nil {
		return nil, fmt.Errorf("start in new namespaces: %w%s", err, whyNot(err.Error()))
	}
	return cmd, nil
}

// whyNot names the setting that keeps users from making namespaces.
func whyNot(msg string) string {
	for _, s := range []struct{ key, off, set string }{
		{"kernel/unprivileged_userns_clone", "0", "kernel.unprivileged_userns_clone=1"},
		{"kernel/apparmor_restrict_unprivileged_userns", "1", "kernel.apparmor_restrict_unprivileged_userns=0"},
		{"user/max_user_namespaces", "0", "user.max_user_namespaces=10000"},
		{"user/max_net_namespaces", "0", "user.max_net_namespaces=1000"},
		{"user/max_pid_namespaces", "0", "user.max_pid_namespaces=1000"},
		{"user/max_mnt_namespaces", "0", "user.max_mnt_namespaces=1000"},
	} {
		if b, err := os.ReadFile("/proc/sys/" + s.key); err == nil && strings.TrimSpace(string(b)) == s.off {
			return fmt.Sprintf(" (this machine does not let users make namespaces: an administrator can allow it with sysctl -w %s)", s.set)
		}
	}
	if strings.Contains(msg, syscall.ENOSPC.Error()) {
		return " (a limit of namespaces is reached: end other labs, or raise sysctl user.max_net_namespaces, " +
			"user.max_mnt_namespaces, user.max_uts_namespaces, user.max_pid_namespaces, user.max_user_namespaces)"
	}
	return " (a container or security policy may forbid new namespaces here)"
}

func readReady(f *os.File, log string) error {
	var a supervisor.Answer
	if err := json.NewDecoder(f).Decode(&a); err != nil {
		said, _ := os.ReadFile(log)
		if len(said) > 2000 {
			said = said[:2000]
		}
		return fmt.Errorf("the supervisor ended before the lab stood: %s", cmp.Or(strings.TrimSpace(string(said)), "killed?"))
	}
	if a.Error != "" {
		return errors.New(a.Error + hint(a.Error))
	}
	return nil
}

// hint adds the likely setting to a refusal that came after the namespaces
// were made: AppArmor lets them be made but takes all rights in them.
func hint(msg string) string {
	limit := strings.Contains(msg, "namespace") && strings.Contains(msg, syscall.ENOSPC.Error())
	if limit || strings.Contains(msg, "operation not permitted") || strings.Contains(msg, "permission denied") {
		return whyNot(msg)
	}
	return ""
}
