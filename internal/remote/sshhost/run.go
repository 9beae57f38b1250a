package sshhost

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"golang.org/x/crypto/ssh"

	"seaworthy/internal/remote"
)

// grace is how long a command has between the signal and the end of its
// channel.
const grace = 500 * time.Millisecond

// Run runs one line in the host's login shell.
func (h *Host) Run(ctx context.Context, c remote.Command) (*remote.Result, error) {
	return remote.Run(ctx, h, c)
}

// Start runs a line and leaves its streams to the caller. The end of the
// context ends the command.
func (h *Host) Start(ctx context.Context, line string) (*remote.Session, error) {
	select {
	case h.slots <- struct{}{}:
	case <-ctx.Done():
		return nil, h.fail(line, remote.Stopped(ctx))
	}
	c, s, err := h.session(ctx)
	if err != nil {
		<-h.slots
		return nil, h.fail(line, err)
	}
	end := func() {
		go s.Close() // already closed after a normal end; on a stalled connection it may block
		c.count(-1)
		<-h.slots
	}
	var out remote.Session
	var errs [3]error
	out.Stdin, errs[0] = s.StdinPipe()
	out.Stdout, errs[1] = s.StdoutPipe()
	out.Stderr, errs[2] = s.StderrPipe()
	if err = errors.Join(errs[:]...); err == nil {
		err = request(ctx, c, s, line)
	}
	if err != nil {
		end()
		return nil, h.fail(line, err)
	}
	ctx, cancel := context.WithCancel(ctx)
	ended := make(chan struct{})
	var exit int
	go func() {
		exit, err = wait(ctx, c, s)
		cancel()
		end()
		close(ended)
	}()
	out.Wait = func() (int, error) {
		<-ended
		if err != nil {
			return exit, h.fail(line, err)
		}
		return exit, nil
	}
	out.Close = func() error {
		cancel()
		<-ended
		return nil
	}
	return &out, nil
}

// request sends the command; the server's answer to it can be a long time
// coming on a dying link.
func request(ctx context.Context, c *conn, s *ssh.Session, line string) error {
	_, err := within(ctx, func() (struct{}, error) { return struct{}{}, s.Start(line) })
	switch {
	case err == nil || ctx.Err() != nil:
		return err
	case c.lost():
		return fmt.Errorf("%w: before the command began: %w", remote.ErrLost, err)
	case errors.Is(err, io.EOF):
		return fmt.Errorf("%w: the server closed the session without saying whether the command began", remote.ErrLost)
	}
	return fmt.Errorf("%w: the server refused to run it: %s", remote.ErrUnreachable, remote.Brief(err.Error()))
}

// wait waits for the end of the command or of the context, which ends it: by a
// signal where the server passes it on (older ones do not), then by the end of its
// channel, which makes its writes fail.
func wait(ctx context.Context, c *conn, s *ssh.Session) (int, error) {
	ended := make(chan error, 1)
	go func() { ended <- s.Wait() }()
	select {
	case err := <-ended:
		return status(c, err)
	case <-ctx.Done():
	}
	select { // both may be ready: the command's own end is the better news
	case err := <-ended:
		return status(c, err)
	default:
	}
	stopping, cancel := context.WithTimeout(context.Background(), grace)
	defer cancel()
	_, _ = within(stopping, func() (struct{}, error) { // a server that ignores it closes the channel
		return struct{}{}, errors.Join(s.Signal(ssh.SIGTERM), s.Signal(ssh.SIGKILL))
	})
	return -1, remote.Stopped(ctx)
}

// status turns the end of a session into an exit status. A death by signal is
// 128 plus the signal's number, as shells report it.
func status(c *conn, err error) (int, error) {
	var exit *ssh.ExitError
	var missing *ssh.ExitMissingError
	switch {
	case err == nil:
		return 0, nil
	case errors.As(err, &exit) && exit.Signal() != "":
		return 128 + signals[exit.Signal()], nil
	case errors.As(err, &exit):
		return exit.ExitStatus(), nil
	case errors.As(err, &missing) && !c.lost():
		return -1, fmt.Errorf("%w: the session ended without an exit status", remote.ErrLost)
	case errors.As(err, &missing):
		return -1, fmt.Errorf("%w in the middle of the command", remote.ErrLost)
	}
	return -1, fmt.Errorf("%w: %s", remote.ErrLost, remote.Brief(err.Error()))
}

// signals by the names of RFC 4254.
var signals = map[string]int{
	"HUP": 1, "INT": 2, "QUIT": 3, "ILL": 4, "ABRT": 6, "FPE": 8, "KILL": 9, "SEGV": 11, "PIPE": 13, "ALRM": 14, "TERM": 15,
}
