package collect

import (
	"context"
	"errors"
	"strings"
	"testing"

	"seaworthy/internal/remote"
)

// late is a host that answers nothing in time.
type late struct{ remote.Host }

func (late) Name() string { return "db1" }

func (late) Run(_ context.Context, c remote.Command) (*remote.Result, error) {
	return nil, &remote.Error{Host: "db1", Command: c.Line, Err: remote.ErrTimeout}
}

// People know uname and id, not the line that asks several commands at once.
func TestTooSlowToBeKnown(t *testing.T) {
	_, err := detect(t.Context(), late{}, hints{})
	if !errors.Is(err, remote.ErrTimeout) || !strings.HasPrefix(err.Error(), "db1: uname -s; id -u; uname -m; ") {
		t.Errorf("got %v, want the commands asked and the time limit", err)
	}
}
