package supervisor

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"time"

	"golang.org/x/sys/unix"

	"seaworthy/lab/rootfs"
	"seaworthy/lab/sshd"
)

// process is a command on a node, leader of its own session.
type process struct {
	reaper *reaper
	pid    int
	ended  chan struct{}
	status syscall.WaitStatus // once ended is closed
	tty    bool
	stdin  *os.File // with a terminal all are its master
	stdout *os.File
	stderr *os.File
	once   sync.Once
}

// grace is how long a command may take to end after its session has ended.
const grace = time.Second

// start runs a session's command on the node, after a restart that goes on.
func (p *nodeThread) start(r *reaper, b rootfs.Behaviour, s sshd.Start) (*process, error) {
	p.restart.RLock()
	defer p.restart.RUnlock()
	return p.startNow(r, b, s)
}

func (p *nodeThread) startNow(r *reaper, b rootfs.Behaviour, s sshd.Start) (*process, error) {
	shell, argv, env := p.login(b, s)
	proc := &process{reaper: r, ended: make(chan struct{}), tty: s.Terminal != nil}
	child, err := proc.open(p, s.Terminal)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", p.name, err)
	}
	defer func() {
		for _, f := range child {
			f.Close()
		}
	}()
	attr := &syscall.ProcAttr{Dir: home(s.User), Env: env, Sys: &syscall.SysProcAttr{Setsid: true}}
	for _, f := range child {
		attr.Files = append(attr.Files, f.Fd())
	}
	if proc.tty {
		attr.Files = append(attr.Files, child[0].Fd(), child[0].Fd())
		attr.Sys.Setctty, attr.Sys.Ctty = true, 0
	}
	if p.group != nil {
		attr.Sys.UseCgroupFD, attr.Sys.CgroupFD = true, int(p.group.Fd())
	}
	pid, end, err := r.start(p.name, func() (pid int, err error) {
		err = p.do(func() error {
			pid, err = syscall.ForkExec(shell, argv, attr)
			return err
		})
		return pid, err
	})
	if err != nil {
		proc.closeFiles()
		return nil, fmt.Errorf("%s: start %s: %w", p.name, shell, err)
	}
	proc.pid = pid
	go func() {
		proc.status = <-end
		close(proc.ended)
	}()
	return proc, nil
}

// open makes the streams and gives the child's ends: three pipes, or one
// terminal.
func (p *process) open(at *nodeThread, t *sshd.Terminal) ([]*os.File, error) {
	if t != nil {
		master, slave, err := openTerminal(at)
		if err != nil {
			return nil, err
		}
		p.stdin, p.stdout = master, master
		_ = p.Resize(t.Rows, t.Cols)
		return []*os.File{slave}, nil
	}
	var child []*os.File
	for i, to := range []**os.File{&p.stdin, &p.stdout, &p.stderr} {
		r, w, err := os.Pipe()
		if err != nil {
			p.closeFiles()
			return nil, err
		}
		if i == 0 {
			*to, child = w, append(child, r)
		} else {
			*to, child = r, append(child, w)
		}
	}
	return child, nil
}

// openTerminal opens a pseudo terminal of the node's own devpts.
func openTerminal(at *nodeThread) (master, slave *os.File, err error) {
	err = at.do(func() error {
		m, err := unix.Open("/dev/ptmx", unix.O_RDWR|unix.O_NOCTTY|unix.O_CLOEXEC|unix.O_NONBLOCK, 0)
		if err != nil {
			return fmt.Errorf("open a terminal: %w", err)
		}
		master = os.NewFile(uintptr(m), "ptmx")
		n, err := unix.IoctlGetInt(m, unix.TIOCGPTN)
		if err == nil {
			err = unix.IoctlSetPointerInt(m, unix.TIOCSPTLCK, 0)
		}
		if err != nil {
			return fmt.Errorf("unlock a terminal: %w", err)
		}
		s, err := unix.Open(fmt.Sprintf("/dev/pts/%d", n), unix.O_RDWR|unix.O_NOCTTY|unix.O_CLOEXEC, 0)
		if err != nil {
			return fmt.Errorf("open a terminal: %w", err)
		}
		slave = os.NewFile(uintptr(s), "pts")
		return nil
	})
	if err != nil && master != nil {
		master.Close()
	}
	return master, slave, err
}

func home(user string) string {
	switch {
	case user == "padmin":
		return "/home/padmin"
	case rootfs.IsOrdinary(user):
		return "/tmp"
	}
	return "/root"
}

// login is the shell of a session, its arguments and its environment.
func (p *nodeThread) login(b rootfs.Behaviour, s sshd.Start) (shell string, argv, env []string) {
	env = []string{"HOME=" + home(s.User), "USER=" + s.User, "LOGNAME=" + s.User}
	if s.Terminal != nil {
		env = append(env, "TERM="+s.Terminal.Type)
	}
	if p.linux {
		shell = rootfs.LinuxShell()
		argv, env = []string{filepath.Base(shell), "-c", s.Line}, append(env, "SHELL="+shell, "PATH="+rootfs.LinuxPath)
	} else {
		shell, argv = rootfs.Ksh, b.Arguments("ksh", []string{"-c", s.Line}, s.User == "padmin")
		env = append(env, "LOGIN="+s.User, "SHELL=/usr/bin/ksh", "PATH="+rootfs.Path(s.User))
		if s.Terminal != nil {
			env = append(env, "PS1=$LOGNAME@$(hostname):$PWD$ ")
		}
		if b.Strict {
			env = append(env, "ENV="+home(s.User)+"/.kshrc")
		}
	}
	if s.Line == "" {
		argv = []string{"-" + argv[0]}
	}
	return shell, argv, append(env, s.Env...)
}

func (p *process) Stdin() io.WriteCloser {
	if p.tty {
		return keepOpen{p.stdin} // the end of input must not hang up the terminal
	}
	return p.stdin
}

func (p *process) Stdout() io.Reader { return p.stdout }

func (p *process) Stderr() io.Reader {
	if p.tty {
		return nil
	}
	return p.stderr
}

type keepOpen struct{ io.Writer }

func (keepOpen) Close() error { return nil }

func (p *process) Resize(rows, cols uint16) error {
	c, err := p.stdout.SyscallConn()
	if err != nil {
		return err
	}
	var set error
	err = c.Control(func(fd uintptr) {
		set = unix.IoctlSetWinsize(int(fd), unix.TIOCSWINSZ, &unix.Winsize{Row: rows, Col: cols})
	})
	return cmp.Or(err, set)
}

func (p *process) Signal(sig os.Signal) {
	if s, ok := sig.(syscall.Signal); ok {
		p.reaper.kill(p.pid, s)
	}
}

func (p *process) Wait() sshd.Status {
	<-p.ended
	if p.status.Signaled() {
		name := strings.TrimPrefix(unix.SignalName(p.status.Signal()), "SIG")
		if name == "" { // a real-time signal
			name = "USR1"
		}
		return sshd.Status{Exit: 128 + int(p.status.Signal()), Signal: name}
	}
	return sshd.Status{Exit: p.status.ExitStatus()}
}

// Close sends SIGHUP, and SIGKILL to what ignores it.
func (p *process) Close() {
	p.once.Do(func() {
		p.reaper.kill(p.pid, syscall.SIGHUP)
		p.reaper.kill(p.pid, syscall.SIGCONT)
		p.closeFiles()
		go func() {
			select {
			case <-p.ended:
			case <-time.After(grace):
				p.reaper.kill(p.pid, syscall.SIGKILL)
			}
		}()
	})
}

func (p *process) closeFiles() {
	for _, f := range []*os.File{p.stdin, p.stdout, p.stderr} {
		if f != nil {
			f.Close()
		}
	}
}

// discard gives a process without a terminal no input and drops what it prints.
func (p *process) discard() {
	p.stdin.Close()
	var printed sync.WaitGroup
	for _, stream := range []io.Reader{p.stdout, p.stderr} {
		printed.Go(func() { _, _ = io.Copy(io.Discard, stream) })
	}
	printed.Wait()
	p.closeFiles()
}

// starter gives a node's SSH server its way to start commands.
func (state *LabState) starter(p *nodeThread) sshd.Starter {
	return func(_ context.Context, s sshd.Start) (sshd.Process, error) {
		if state.Down != nil {
			if err := state.Down(p.name); err != nil {
				return nil, err
			}
		}
		return p.start(state.reaper, state.Behaviour, s)
	}
}
