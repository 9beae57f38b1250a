package remote

import (
	"bytes"
	"context"
	"io"
	"log/slog"
	"strings"
	"sync/atomic"
	"time"
)

// begin is the line before an answer: what stands in front of it was printed by
// the login files of the host.
const begin = "seaworthy-begin"

// Marked is a command line for any shell that prints Mark before all else.
func Marked(line string) string { return "echo " + begin + "; " + line }

// Quiet leaves out what a host's login files (.profile, .kshrc) print on standard
// output before a command. The first command shows whether they do; where they do
// not, later ones are sent as they are.
func Quiet(h Host) Host { return &quiet{Host: h} }

type quiet struct {
	Host
	files atomic.Int32 // unknown, silent or talking
}

const (
	unknown = iota
	silent
	talking
)

// Raw is the host with what its login files print.
func (q *quiet) Raw() Host { return q.Host }

// User is who logs in; empty where that is not known.
func (q *quiet) User() string { return User(q.Host) }

// Disconnect ends the connection to the host.
func (q *quiet) Disconnect() { Disconnect(q.Host) }

func (q *quiet) Run(ctx context.Context, c Command) (*Result, error) {
	if q.files.Load() == silent {
		return q.Host.Run(ctx, c)
	}
	plain := c.Line
	c.Line = Marked(plain)
	r, err := q.Host.Run(ctx, c)
	if r != nil {
		if before, after, ok := CutMark(r.Stdout); ok {
			q.learn(len(before) > 0)
			r.Stdout = after
			r.Printed -= int64(len(before) + len(begin) + 1)
		}
	}
	return r, Named(err, plain)
}

// CutMark parts an answer at the mark's line.
func CutMark(answer []byte) (before, after []byte, ok bool) {
	before, after, ok = bytes.Cut(answer, []byte(begin))
	if ok {
		after = bytes.TrimPrefix(after, []byte("\r"))
		return before, bytes.TrimPrefix(after, []byte("\n")), true
	}
	return nil, answer, false
}

func (q *quiet) learn(talks bool) {
	if talks {
		q.files.Store(talking)
	} else {
		q.files.CompareAndSwap(unknown, silent)
	}
}

func (q *quiet) Start(ctx context.Context, line string) (*Session, error) {
	if q.files.Load() == silent {
		return q.Host.Start(ctx, line)
	}
	s, err := q.Host.Start(ctx, Marked(line))
	if err == nil {
		s.Stdout = &unmarked{from: s.Stdout, learn: q.learn}
	}
	return s, Named(err, line)
}

// unmarked reads what follows the mark.
type unmarked struct {
	from  io.Reader
	learn func(talks bool)
	after io.Reader // nil: the mark was not looked for yet
}

// maxBefore is how much login files may print before a session's own output.
const maxBefore = 1 << 20

func (u *unmarked) Read(p []byte) (int, error) {
	if u.after == nil {
		u.after = io.MultiReader(bytes.NewReader(u.skip()), u.from)
	}
	return u.after.Read(p)
}

// skip reads over the mark, and gives what was read behind it: all, if no shell echoes one.
func (u *unmarked) skip() (held []byte) {
	for buf := make([]byte, 4096); len(held) <= maxBefore; {
		n, err := u.from.Read(buf)
		held = append(held, buf[:n]...)
		if at := bytes.Index(held, []byte(begin)); at >= 0 && bytes.IndexByte(held[at:], '\n') >= 0 {
			u.learn(at > 0)
			_, after, _ := CutMark(held)
			return after
		}
		if err != nil {
			break
		}
	}
	return held
}

// Logged logs every command line that is sent to a host, with its exit status
// and time, at level debug. It logs neither input nor output: a command
// line is not secret, since the host's process table shows it.
func Logged(h Host) Host { return logged{h} }

type logged struct{ Host }

// User is who logs in; empty where that is not known.
func (l logged) User() string { return User(l.Host) }

// Disconnect ends the connection to the host.
func (l logged) Disconnect() { Disconnect(l.Host) }

func (l logged) Run(ctx context.Context, c Command) (*Result, error) {
	start := time.Now()
	r, err := l.Host.Run(ctx, c)
	about := []any{"host", l.Name(), "line", brief(c.Line), "took", time.Since(start).Round(time.Millisecond)}
	if err != nil {
		about = append(about, "error", err)
	} else {
		about = append(about, "exit", r.Exit, "bytes", r.Printed)
	}
	slog.DebugContext(ctx, "command", about...)
	return r, err
}

func (l logged) Start(ctx context.Context, line string) (*Session, error) {
	s, err := l.Host.Start(ctx, line)
	about := []any{"host", l.Name(), "line", brief(line)}
	if err != nil {
		slog.DebugContext(ctx, "session", append(about, "error", err)...)
		return s, err
	}
	slog.DebugContext(ctx, "session", append(about, "state", "started")...)
	start, wait := time.Now(), s.Wait
	s.Wait = func() (int, error) {
		exit, err := wait()
		slog.DebugContext(ctx, "session", append(about, "exit", exit, "took", time.Since(start).Round(time.Millisecond))...)
		return exit, err
	}
	return s, nil
}

// brief cuts a script that is sent as one line.
func brief(line string) string {
	const most = 400
	line = strings.TrimSpace(line)
	if r := []rune(line); len(r) > most {
		return string(r[:most]) + "…"
	}
	return line
}
