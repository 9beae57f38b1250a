package remote

import (
	"context"
	"io"
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
