package sshhost

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"golang.org/x/crypto/ssh"

	"seaworthy/remote"
)

// grace is how long a command has between the signal and the end of its
// channel.
const grace = 500 * time.Millisecond

// Run runs one line in the host's login shell. After an error the result still
// holds what was printed until then.
func (h *Host) Run(ctx context.Context, c remote.Command) (*remote.Result, error) {
	ctx, cancel := remote.Bound(ctx, c.Limit)
	defer cancel()
	stdout, stderr := remote.NewOutput(c.MaxOutput), remote.NewOutput(c.MaxOutput)
	res := &remote.Result{Start: time.Now()}
	r, err := h.begin(ctx, c.Line, func(s *ssh.Session) error {
		s.Stdout, s.Stderr = stdout, stderr
		if c.Stdin == nil {
			return nil
		}
		// Not s.Stdin: Wait would then wait for a reader that may never end.
		w, err := s.StdinPipe()
		if err != nil {
			return err
		}
		go func() {
			_, _ = io.Copy(w, c.Stdin) // a command need not read its input
			w.Close()
		}()
		return nil
	})
	if err == nil {
		res.Start = r.start
		res.Exit, err = r.wait(ctx)
		r.end()
	}
	res.Duration = time.Since(res.Start)
	res.Fill(stdout, stderr)
	if err != nil {
		return res, h.fail(c.Line, err)
	}
	return res, nil
}

// Start runs a line and leaves its streams to the caller. The end of the
// context ends the command.
func (h *Host) Start(ctx context.Context, line string) (*remote.Session, error) {
	var out remote.Session
	r, err := h.begin(ctx, line, func(s *ssh.Session) error {
		var errs [3]error
		out.Stdin, errs[0] = s.StdinPipe()
		out.Stdout, errs[1] = s.StdoutPipe()
		out.Stderr, errs[2] = s.StderrPipe()
		return errors.Join(errs[:]...)
	})
	if err != nil {
		return nil, h.fail(line, err)
	}
	ended := make(chan struct{})
	var exit int
	var end error
	go func() {
		exit, end = r.wait(ctx)
		close(ended)
		r.end()
	}()
	out.Wait = func() (int, error) {
		<-ended
		if end != nil {
			return exit, h.fail(line, end)
		}
		return exit, nil
	}
	out.Close = func() error {
		select {
		case <-ended:
		default:
			r.kill()
			select {
			case <-ended:
			case <-time.After(2 * grace): // the link is stalled: nothing more will come
			}
		}
		return nil
	}
	return &out, nil
}

// running is a command on its way.
type running struct {
	h       *Host
	conn    *conn
	session *ssh.Session
	start   time.Time
	ended   chan error
}

// begin takes a slot, opens a session and starts the command. prepare ties the
// session's streams.
func (h *Host) begin(ctx context.Context, line string, prepare func(*ssh.Session) error) (*running, error) {
	select {
	case h.slots <- struct{}{}:
	case <-ctx.Done():
		return nil, remote.Stopped(ctx)
	}
	r := &running{h: h, ended: make(chan error, 1)}
	var err error
	if r.conn, r.session, err = h.session(ctx); err != nil {
		<-h.slots
		return nil, err
	}
	r.start = time.Now()
	if err = prepare(r.session); err == nil {
		err = r.request(ctx, line)
	}
	if err != nil {
		r.end()
		return nil, err
	}
	go func() { r.ended <- r.session.Wait() }()
	return r, nil
}

// request sends the command; the server's answer to it can be a long time
// coming on a dying link, so the context bounds it.
func (r *running) request(ctx context.Context, line string) error {
	sent := make(chan error, 1)
	go func() { sent <- r.session.Start(line) }()
	select {
	case err := <-sent:
		if err == nil {
			return nil
		}
		if r.conn.lost() {
			return fmt.Errorf("%w: before the command began: %w", remote.ErrLost, err)
		}
		if errors.Is(err, io.EOF) {
			return fmt.Errorf("%w: the server closed the session without saying whether the command began", remote.ErrLost)
		}
		return fmt.Errorf("%w: the server refused to run it: %s", remote.ErrUnreachable, clean(err.Error()))
	case <-ctx.Done():
		return remote.Stopped(ctx)
	}
}

// wait waits for the end of the command or of the context, which ends it.
func (r *running) wait(ctx context.Context) (int, error) {
	select {
	case err := <-r.ended:
		return r.status(err)
	case <-ctx.Done():
		// The select picks at random if both are ready; the command's own end
		// is the better news.
		select {
		case err := <-r.ended:
			return r.status(err)
		default:
		}
		r.kill()
		return -1, remote.Stopped(ctx)
	}
}

// kill ends the remote command: a signal where the server passes it on (older
// ones do not), then the end of its channel, which makes its writes fail.
func (r *running) kill() {
	done := make(chan struct{})
	go func() {
		_ = r.session.Signal(ssh.SIGTERM) // a server that ignores it gets the rest
		_ = r.session.Signal(ssh.SIGKILL)
		close(done)
	}()
	select {
	case <-done:
	case <-time.After(grace):
	}
	go r.session.Close() // a stalled connection would block it
}

// status turns the end of a session into an exit status. A death by signal is
// 128 plus the signal's number, as shells report it.
func (r *running) status(err error) (int, error) {
	var exit *ssh.ExitError
	var missing *ssh.ExitMissingError
	switch {
	case err == nil:
		return 0, nil
	case errors.As(err, &exit) && exit.Signal() != "":
		return 128 + signals[exit.Signal()], nil
	case errors.As(err, &exit):
		return exit.ExitStatus(), nil
	case errors.As(err, &missing) && !r.conn.lost():
		return -1, fmt.Errorf("%w: the session ended without an exit status", remote.ErrLost)
	case errors.As(err, &missing):
		return -1, fmt.Errorf("%w in the middle of the command", remote.ErrLost)
	}
	return -1, fmt.Errorf("%w: %s", remote.ErrLost, clean(err.Error()))
}

// signals by the names of RFC 4254.
var signals = map[string]int{
	"HUP": 1, "INT": 2, "QUIT": 3, "ILL": 4, "ABRT": 6, "FPE": 8, "KILL": 9, "SEGV": 11, "PIPE": 13, "ALRM": 14, "TERM": 15,
}

func (r *running) end() {
	s := r.session
	go s.Close() // already closed after a normal end; on a stalled connection it may block
	r.conn.count(-1)
	<-r.h.slots
}
