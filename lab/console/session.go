package console

import (
	"bufio"
	"context"
	"errors"
	"io"
	"os"
	"sync"

	"golang.org/x/term"

	"seaworthy/lab/sshd"
)

// session is a login: it has the streams of a process, and is none.
type session struct {
	in          *io.PipeReader
	inW         *io.PipeWriter
	out, errs   *io.PipeReader
	outW, errsW *io.PipeWriter
	terminal    *term.Terminal
	end         context.CancelFunc
	ended       chan struct{}
	exit        int
	once        sync.Once
}

// Start runs a login's line, or its lines one by one.
func (c *Console) Start(ctx context.Context, s sshd.Start) (sshd.Process, error) {
	login := *c
	login.user = s.User
	ctx, end := context.WithCancel(ctx)
	p := &session{end: end, ended: make(chan struct{})}
	p.in, p.inW = io.Pipe()
	p.out, p.outW = io.Pipe()
	p.errs, p.errsW = io.Pipe()
	var run func() int
	switch {
	case s.Line != "":
		run = func() int {
			status, _ := login.run(ctx, s.Line, 0, p.outW, p.errsW)
			return status
		}
	case s.Terminal != nil:
		p.terminal = term.NewTerminal(struct {
			io.Reader
			io.Writer
		}{p.in, p.outW}, s.User+"@"+login.Name+":~> ")
		_ = p.terminal.SetSize(max(int(s.Terminal.Cols), 1), max(int(s.Terminal.Rows), 1))
		run = func() int { return login.lines(ctx, p.terminal.ReadLine, p.terminal, p.terminal) }
	default:
		in := bufio.NewScanner(p.in)
		read := func() (string, error) {
			if !in.Scan() {
				return "", io.EOF
			}
			return in.Text(), nil
		}
		run = func() int { return login.lines(ctx, read, p.outW, p.errsW) }
	}
	go func() {
		p.exit = run()
		p.outW.Close()
		p.errsW.Close()
		p.in.Close()
		close(p.ended)
	}()
	return p, nil
}

// lines runs what is read until it ends or says exit.
func (c *Console) lines(ctx context.Context, read func() (string, error), out, errs io.Writer) (status int) {
	for ctx.Err() == nil {
		line, err := read()
		if err != nil && !errors.Is(err, term.ErrPasteIndicator) {
			return status
		}
		var exit bool
		status, exit = c.run(ctx, line, status, out, errs)
		if exit {
			return status
		}
	}
	return status
}

func (p *session) Stdin() io.WriteCloser { return p.inW }
func (p *session) Stdout() io.Reader     { return p.out }

func (p *session) Stderr() io.Reader {
	if p.terminal != nil {
		return nil
	}
	return p.errs
}

func (p *session) Resize(rows, cols uint16) error {
	if p.terminal == nil {
		return nil
	}
	return p.terminal.SetSize(max(int(cols), 1), max(int(rows), 1))
}

// Signal ends the login, whatever it is.
func (p *session) Signal(os.Signal) { p.Close() }

func (p *session) Wait() sshd.Status {
	<-p.ended
	return sshd.Status{Exit: p.exit}
}

func (p *session) Close() {
	p.once.Do(func() {
		p.end()
		for _, c := range []io.Closer{p.in, p.inW, p.out, p.errs} {
			_ = c.Close()
		}
	})
}
