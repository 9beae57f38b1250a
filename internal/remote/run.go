package remote

import (
	"context"
	"errors"
	"fmt"
	"io"
	"sync"
	"time"
)

// Starter starts command lines: a Host, or the part of one that Run needs.
type Starter interface {
	Start(ctx context.Context, line string) (*Session, error)
}

// Run runs a command over a session of its own, within its limits. After an
// error the result still holds what was printed until then.
func Run(ctx context.Context, h Starter, c Command) (*Result, error) {
	ctx, cancel := Bound(ctx, c.Limit)
	defer cancel()
	stdout, stderr := NewOutput(c.MaxOutput), NewOutput(c.MaxOutput)
	res := &Result{Start: time.Now()}
	s, err := h.Start(ctx, c.Line)
	if err != nil {
		res.Duration = time.Since(res.Start)
		return res, err
	}
	res.Start = time.Now()
	go func() {
		if c.Stdin != nil {
			_, _ = io.Copy(s.Stdin, c.Stdin) // a command need not read its input
		}
		s.Stdin.Close()
	}()
	read := make(chan struct{}, 2)
	keep := func(o *Output, r io.Reader) {
		_, _ = io.Copy(o, r) // how it ended is said by Wait
		read <- struct{}{}
	}
	go keep(stdout, s.Stdout)
	go keep(stderr, s.Stderr)
	res.Exit, err = s.Wait()
	for range 2 {
		select {
		case <-read:
		case <-ctx.Done():
		}
	}
	res.Duration = time.Since(res.Start)
	res.Fill(stdout, stderr)
	return res, err
}

// Output keeps the first bytes written to it, up to a limit, and only counts
// the rest, so that a host that never stops printing costs time but no memory.
// It is safe to read while a writer is still at work: a command that reached
// its limit leaves what it printed so far.
type Output struct {
	mu    sync.Mutex
	limit int64
	kept  []byte
	total int64
}

// NewOutput returns an Output that keeps limit bytes; 0 means DefaultMaxOutput.
func NewOutput(limit int64) *Output {
	if limit <= 0 {
		limit = DefaultMaxOutput
	}
	return &Output{limit: limit}
}

// Write never fails and never writes short.
func (o *Output) Write(p []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.total += int64(len(p))
	if room := o.limit - int64(len(o.kept)); room > 0 {
		o.kept = append(o.kept, p[:min(room, int64(len(p)))]...)
	}
	return len(p), nil
}

// Bytes is a copy of what was kept so far.
func (o *Output) Bytes() []byte {
	o.mu.Lock()
	defer o.mu.Unlock()
	return append([]byte(nil), o.kept...)
}

// Total is how many bytes were written, kept or not.
func (o *Output) Total() int64 {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.total
}

// Fill copies two outputs into a result.
func (r *Result) Fill(stdout, stderr *Output) {
	r.Stdout, r.Stderr = stdout.Bytes(), stderr.Bytes()
	r.Printed = stdout.Total() + stderr.Total()
	r.Truncated = r.Printed > int64(len(r.Stdout)+len(r.Stderr))
}

// Bound gives a command its limit: the context ends when the parent ends or
// the limit is over, and Stopped of it says which of the two it was.
func Bound(ctx context.Context, limit time.Duration) (context.Context, context.CancelFunc) {
	if limit <= 0 {
		limit = DefaultLimit
	}
	return context.WithTimeoutCause(ctx, limit, limitReached(limit))
}

// Renewed is Bound for several things one after the other: renew gives the next one
// its limit, counted from then. It is not safe for concurrent use.
func Renewed(ctx context.Context, limit time.Duration) (bounded context.Context, renew func(time.Duration), stop func()) {
	bounded, cancel := context.WithCancelCause(ctx)
	var timer *time.Timer
	renew = func(limit time.Duration) {
		if timer != nil {
			timer.Stop()
		}
		if limit <= 0 {
			limit = DefaultLimit
		}
		timer = time.AfterFunc(limit, func() { cancel(limitReached(limit)) })
	}
	renew(limit)
	return bounded, renew, func() {
		timer.Stop()
		cancel(nil)
	}
}

type limitReached time.Duration

func (l limitReached) Error() string { return fmt.Sprintf("no end after %s", time.Duration(l)) }

// Stopped explains why a bounded context ended. The result wraps ErrTimeout,
// and the context's own error too if it was the caller who gave up.
func Stopped(ctx context.Context) error {
	cause := context.Cause(ctx)
	if _, ok := errors.AsType[limitReached](cause); ok {
		return fmt.Errorf("%w: %w", ErrTimeout, cause)
	}
	return &interrupted{cause}
}

// interrupted is a command that was given up because its caller was.
type interrupted struct{ cause error }

func (e *interrupted) Error() string {
	if errors.Is(e.cause, context.DeadlineExceeded) {
		return "stopped: the time for the whole work is over"
	}
	return fmt.Sprintf("stopped before its end: %v", e.cause)
}

func (e *interrupted) Unwrap() []error { return []error{ErrTimeout, e.cause} }
