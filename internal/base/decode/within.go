package decode

import "context"

// Within runs f, and returns when f does or when ctx ends, with its cause. After that
// f runs on to its end: what it sets must not be read.
func Within(ctx context.Context, f func()) error {
	if ctx.Done() == nil {
		f()
		return nil
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		f()
	}()
	select {
	case <-done:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}
