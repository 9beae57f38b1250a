package remote

import (
	"context"
	"errors"
	"fmt"
	"time"
)

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
