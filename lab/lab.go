package lab

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"os"
	"path/filepath"
	"strings"
	"time"

	"golang.org/x/sys/unix"

	"seaworthy/internal/remote/labs"
	"seaworthy/lab/supervisor"
	"seaworthy/lab/topology"
)

// Lab is a running lab.
type Lab struct {
	supervisor.Info
	Dir string // its state folder

	// tie keeps a tied lab up. It is closed with this process, or when nothing
	// holds the Lab any more.
	tie *os.File
}

// ErrNotRunning is the error of a lab that does not exist or has died.
var ErrNotRunning = errors.New("is not running")

// Open finds a running lab. An empty stateDir means labs.Dir(); an empty name
// means the only lab that runs.
func Open(stateDir, name string) (*Lab, error) {
	base, err := openStateDir(stateDir)
	if err != nil {
		return nil, err
	}
	if name == "" {
		return only(base)
	}
	if err := checkName(name); err != nil {
		return nil, err
	}
	l := &Lab{Dir: filepath.Join(base, name)}
	l.Name = name
	s, err := dial(l.Dir)
	if err != nil {
		return nil, fmt.Errorf("lab %s %w (seaworthy lab ls lists those that are)", name, ErrNotRunning)
	}
	pid, err := peer(s)
	s.Close()
	if err != nil {
		return nil, fmt.Errorf("lab %s: %w", name, err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	if err := l.Query(ctx, "info", nil, &l.Info); err != nil {
		return nil, err
	}
	l.PID = pid
	return l, nil
}

func checkName(name string) error {
	if !topology.NameForm.MatchString(name) {
		return fmt.Errorf("lab name %q: expected small letters, digits and -, at most 31, a letter first", name)
	}
	return nil
}

func only(base string) (*Lab, error) {
	all, err := List(base)
	switch {
	case len(all) == 1:
		return all[0], nil
	case err != nil:
		return nil, err
	case len(all) == 0:
		return nil, errors.New("no lab is running: seaworthy lab up starts one")
	}
	var names []string
	for _, l := range all {
		names = append(names, l.Name)
	}
	return nil, fmt.Errorf("several labs are running: %s: choose one with --lab NAME", strings.Join(names, ", "))
}

// List gives the running labs by name, and removes what dead ones left. A folder
// that cannot be read does not hide the others: the error names it.
func List(stateDir string) ([]*Lab, error) {
	base, err := openStateDir(stateDir)
	if err != nil {
		return nil, err
	}
	entries, err := os.ReadDir(base)
	if err != nil {
		return nil, err
	}
	var found []*Lab
	var failed error
	for _, e := range entries {
		if !e.IsDir() || !topology.NameForm.MatchString(e.Name()) {
			continue
		}
		dir := filepath.Join(base, e.Name())
		held, err := lock(dir) // a start that was killed early has made no lock
		if err == nil {
			err = remove(dir)
			held.Close()
		} else if errors.Is(err, errRunning) {
			var l *Lab
			// Not answering while the lock is held: it is starting or ending.
			if l, err = Open(base, e.Name()); err == nil {
				found = append(found, l)
			} else if errors.Is(err, ErrNotRunning) {
				err = nil
			}
		}
		if err != nil {
			failed = errors.Join(failed, fmt.Errorf("lab %s: %w", e.Name(), err))
		}
	}
	return found, failed // ReadDir sorts by name
}

// Down ends a lab and returns when nothing is left of it. A lab that has died
// is cleaned up; one that does not answer is killed.
func Down(ctx context.Context, stateDir, name string) error {
	base, err := openStateDir(stateDir)
	if err != nil {
		return err
	}
	if err := checkName(name); err != nil {
		return err
	}
	dir := filepath.Join(base, name)
	if _, err := os.Lstat(dir); errors.Is(err, os.ErrNotExist) {
		return fmt.Errorf("lab %s %w", name, ErrNotRunning)
	}
	held, err := lock(dir)
	if errors.Is(err, errRunning) {
		begun := time.Now()
		if err := stop(ctx, dir); err != nil {
			return fmt.Errorf("lab %s: %w", name, err)
		}
		slog.Debug("the lab's supervisor has ended", "lab", name, "took", time.Since(begun))
		if held, err = lock(dir); errors.Is(err, errRunning) {
			return nil // somebody starts the next one of that name already
		}
	}
	if err != nil {
		return fmt.Errorf("lab %s: %w", name, err)
	}
	defer held.Close()
	return remove(dir)
}

// stop asks the supervisor to end, and waits until it has: it is the last of
// its PID namespace to go.
func stop(ctx context.Context, dir string) error {
	s, err := dial(dir)
	if err != nil {
		return fmt.Errorf("it is starting or ending just now: %w", err)
	}
	defer s.Close()
	pid, err := peer(s)
	if err != nil {
		return err
	}
	fd, err := unix.PidfdOpen(pid, 0)
	if err == unix.ESRCH {
		return nil
	}
	if err != nil {
		return fmt.Errorf("process %d: %w", pid, err)
	}
	defer unix.Close(fd)
	_ = json.NewEncoder(s).Encode(supervisor.Request{Op: "shutdown"})
	patience := time.Now().Add(3 * time.Second)
	for killed := false; ; {
		n, err := unix.Poll([]unix.PollFd{{Fd: int32(fd), Events: unix.POLLIN}}, 50)
		if n > 0 {
			return nil
		}
		if err != nil && err != unix.EINTR {
			return err
		}
		if !killed && (time.Now().After(patience) || ctx.Err() != nil) {
			killed = true
			if err := unix.PidfdSendSignal(fd, unix.SIGKILL, nil, 0); err != nil && err != unix.ESRCH {
				return fmt.Errorf("kill process %d: %w", pid, err)
			}
		}
	}
}

// Down ends the lab.
func (l *Lab) Down(ctx context.Context) error {
	err := Down(ctx, filepath.Dir(l.Dir), l.Name)
	if l.tie != nil {
		l.tie.Close() // ends it too, should it not have heeded
	}
	return err
}

// SSHConfig is the path of a configuration for ssh -F: every node by name, and
// a VIOS also as NODE-root.
func (l *Lab) SSHConfig() string { return supervisor.SSHConfigFile(l.Dir) }

// HostsFile is the path of the lab's hosts.yaml.
func (l *Lab) HostsFile() string { return labs.HostsFile(l.Dir) }

// Query asks the supervisor; result is filled from its JSON answer.
func (l *Lab) Query(ctx context.Context, op string, args, result any) error {
	a, _, err := l.ask(ctx, op, args)
	if err != nil || result == nil {
		return err
	}
	return json.Unmarshal(a.Result, result)
}

// ask is Query's answer as it came, and the file that may have come with it (a socket
// control message).
func (l *Lab) ask(ctx context.Context, op string, args any) (a supervisor.Answer, rights []byte, err error) {
	s, err := dial(l.Dir)
	if err != nil {
		return a, nil, fmt.Errorf("lab %s %w", l.Name, ErrNotRunning)
	}
	defer s.Close()
	defer context.AfterFunc(ctx, func() { s.Close() })()
	r := supervisor.Request{Op: op}
	if args != nil {
		if r.Args, err = json.Marshal(args); err != nil {
			return a, nil, err
		}
	}
	slog.Debug("ask the lab", "lab", l.Name, "for", op, "args", string(r.Args))
	if err = json.NewEncoder(s).Encode(r); err == nil {
		var n, size int
		begin := make([]byte, 1<<16)
		rights = make([]byte, unix.CmsgSpace(4))
		if n, size, _, _, err = s.ReadMsgUnix(begin, rights); err == nil {
			rights = rights[:size]
			err = json.NewDecoder(io.MultiReader(bytes.NewReader(begin[:n]), s)).Decode(&a)
		}
	}
	switch {
	case ctx.Err() != nil:
		return a, nil, ctx.Err()
	case err != nil:
		return a, nil, fmt.Errorf("lab %s %w any more: it went away while asked for %s: %w", l.Name, ErrNotRunning, op, err)
	case a.Error != "":
		return a, nil, fmt.Errorf("lab %s: %s", l.Name, a.Error)
	}
	return a, rights, nil
}

func dial(dir string) (*net.UnixConn, error) {
	return net.DialUnix("unix", nil, &net.UnixAddr{Name: labs.ControlSocket(dir), Net: "unix"})
}

// peer is the process at the other end, as this PID namespace sees it.
func peer(s *net.UnixConn) (pid int, err error) {
	raw, err := s.SyscallConn()
	if err != nil {
		return 0, err
	}
	cerr := raw.Control(func(fd uintptr) {
		var u *unix.Ucred
		if u, err = unix.GetsockoptUcred(int(fd), unix.SOL_SOCKET, unix.SO_PEERCRED); err == nil {
			pid = int(u.Pid)
		}
	})
	return pid, cmp.Or(err, cerr)
}

// SwitchPort is a place at a hypervisor switch.
type SwitchPort struct {
	System string `json:"system"`
	VLAN   int    `json:"vlan"`
}

// Port makes a port of a managed system's hypervisor switch: a tap device, which is
// what QEMU takes. It goes when the file and all copies of it are closed.
func (l *Lab) Port(ctx context.Context, system string, vlan int) (*os.File, error) {
	_, rights, err := l.ask(ctx, "port", SwitchPort{system, vlan})
	if err != nil {
		return nil, err
	}
	var fds []int
	messages, err := unix.ParseSocketControlMessage(rights)
	for i := range messages {
		fds, err = unix.ParseUnixRights(&messages[i])
	}
	if err != nil || len(fds) != 1 {
		return nil, fmt.Errorf("lab %s: port: no file in the answer", l.Name)
	}
	return os.NewFile(uintptr(fds[0]), "port"), nil
}
