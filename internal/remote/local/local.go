package local

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"strings"
	"sync"
	"syscall"
	"time"

	"seaworthy/internal/remote"
)

// grace is how long a group has between SIGTERM and SIGKILL, and how long
// output is awaited from a grandchild that left the group with the pipe open.
const grace = time.Second

// Host runs commands on this machine.
type Host struct {
	name string
	env  []string
}

// New returns this machine under the given name. env adds to the environment
// of every command, as NAME=value.
func New(name string, env ...string) *Host { return &Host{name: name, env: env} }

// Name is the name given to New.
func (h *Host) Name() string { return h.name }

// Close does nothing: there is no connection.
func (h *Host) Close() error { return nil }

func (h *Host) command(line string) *exec.Cmd {
	cmd := exec.Command("sh", "-c", line)
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Env = append(cmd.Environ(), h.env...)
	cmd.WaitDelay = grace
	return cmd
}

// Run runs one line with sh -c.
func (h *Host) Run(ctx context.Context, c remote.Command) (*remote.Result, error) {
	return remote.Run(ctx, h, c)
}

// Start runs a line and leaves its streams to the caller. The end of the
// context ends the command.
func (h *Host) Start(ctx context.Context, line string) (*remote.Session, error) {
	if ctx.Err() != nil {
		return nil, h.fail(line, remote.Stopped(ctx))
	}
	cmd := h.command(line)
	stdin, err := cmd.StdinPipe()
	if err != nil {
		return nil, h.fail(line, err)
	}
	// Pipes of our own: exec's StdoutPipe would be closed by Wait while the
	// caller still reads.
	outR, outW := io.Pipe()
	errR, errW := io.Pipe()
	cmd.Stdout, cmd.Stderr = outW, errW
	if err := cmd.Start(); err != nil {
		return nil, h.fail(line, fmt.Errorf("%w: %w", remote.ErrUnreachable, err))
	}
	p := &process{cmd: cmd, done: make(chan struct{})}
	go func() {
		p.end = cmd.Wait()
		outW.Close()
		errW.Close()
		close(p.done)
	}()
	p.stop = sync.OnceFunc(func() {
		outR.Close() // a writer blocked on an unread pipe must not hold Wait
		errR.Close()
		strays := StraysOf(cmd.Process.Pid)
		kill(cmd.Process.Pid, p.done)
		strays.End()
	})
	go func() {
		select {
		case <-ctx.Done():
			p.stop()
		case <-p.done:
		}
	}()
	return &remote.Session{
		Stdin: stdin, Stdout: outR, Stderr: errR, PID: cmd.Process.Pid,
		Wait: func() (int, error) {
			exit, err := p.wait(ctx)
			if err != nil {
				return exit, h.fail(line, err)
			}
			return exit, nil
		},
		Close: func() error {
			p.close()
			return nil
		},
	}, nil
}

// process is a command that was started.
type process struct {
	cmd  *exec.Cmd
	stop func()        // kills its group, once
	done chan struct{} // closed when it has ended
	end  error         // of Wait, once done is closed
}

// wait returns the exit status; an error if the context ended the command.
func (p *process) wait(ctx context.Context) (int, error) {
	<-p.done
	exit, err := exitStatus(p.end)
	if ctx.Err() != nil {
		err = remote.Stopped(ctx)
	}
	return exit, err
}

// close ends the command if it still runs.
func (p *process) close() {
	select {
	case <-p.done:
	default:
		p.stop()
		<-p.done
	}
}

// kill ends a process group: politely, then not.
func kill(pid int, ended <-chan struct{}) {
	_ = syscall.Kill(-pid, syscall.SIGTERM) // the group may be gone already
	select {
	case <-ended:
		_ = syscall.Kill(-pid, syscall.SIGKILL) // members that outlived the shell
		return
	case <-time.After(grace):
	}
	_ = syscall.Kill(-pid, syscall.SIGKILL)
	<-ended
}

// exitStatus turns what Wait said into a status; a death by signal is 128 plus
// the signal's number, as shells report it.
func exitStatus(err error) (int, error) {
	if err == nil || errors.Is(err, exec.ErrWaitDelay) {
		return 0, nil
	}
	exit, ok := errors.AsType[*exec.ExitError](err)
	if !ok {
		return -1, fmt.Errorf("%w: %w", remote.ErrLost, err)
	}
	if ws, ok := exit.Sys().(syscall.WaitStatus); ok && ws.Signaled() {
		return 128 + int(ws.Signal()), nil
	}
	return exit.ExitCode(), nil
}

func (h *Host) fail(line string, err error) error {
	return &remote.Error{Host: h.name, Command: strings.TrimSpace(line), Err: err}
}
