package decode_test

import (
	"context"
	"errors"
	"testing"

	"seaworthy/internal/base/decode"
)

func TestWithin(t *testing.T) {
	for name, ctx := range map[string]context.Context{"that may end": t.Context(), "that does not": context.Background()} {
		got := 0
		if err := decode.Within(ctx, func() { got = 1 }); err != nil || got != 1 {
			t.Errorf("a context %s: got %d, %v, want what was computed", name, got, err)
		}
	}
	cause := errors.New("Ctrl-C")
	ctx, cancel := context.WithCancelCause(t.Context())
	begun, end, ended := make(chan struct{}), make(chan struct{}), make(chan struct{})
	go func() {
		<-begun
		cancel(cause)
	}()
	err := decode.Within(ctx, func() {
		defer close(ended)
		close(begun)
		<-end
	})
	if !errors.Is(err, cause) {
		t.Errorf("interrupted: got %v, want the cause", err)
	}
	close(end)
	<-ended // left behind, not stopped
}
