package remote

import (
	"context"
	"log/slog"
	"strings"
	"time"
)

// Logged logs every command line that is sent to a host, with its exit status
// and time, at level debug. It logs neither input nor output: a command
// line is not secret, since the host's process table shows it.
func Logged(h Host) Host { return logged{h} }

type logged struct{ Host }

// User is who logs in; empty where that is not known.
func (l logged) User() string { return User(l.Host) }

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
