package remote_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"seaworthy/internal/remote"
)

func TestOutput(t *testing.T) {
	for _, tc := range []struct {
		limit  int64
		writes []string
		kept   string
		total  int64
	}{
		{4, []string{"ab", "cd"}, "abcd", 4},
		{4, []string{"abc", "def", "ghi"}, "abcd", 9},
		{1, nil, "", 0},
		{0, []string{"default"}, "default", 7},
	} {
		o := remote.NewOutput(tc.limit)
		for _, w := range tc.writes {
			if n, err := o.Write([]byte(w)); n != len(w) || err != nil {
				t.Errorf("Write(%q): got %d, %v", w, n, err)
			}
		}
		if got := string(o.Bytes()); got != tc.kept || o.Total() != tc.total {
			t.Errorf("limit %d, %q: got %q of %d, want %q of %d", tc.limit, tc.writes, got, o.Total(), tc.kept, tc.total)
		}
		var r remote.Result
		r.Fill(o, remote.NewOutput(1))
		if want := tc.total > int64(len(tc.kept)); r.Truncated != want || r.Printed != tc.total {
			t.Errorf("result: got truncated %v, printed %d, want %v, %d", r.Truncated, r.Printed, want, tc.total)
		}
	}
}

func TestStopped(t *testing.T) {
	ctx, cancel := remote.Bound(context.Background(), time.Nanosecond)
	defer cancel()
	<-ctx.Done()
	if err := remote.Stopped(ctx); !errors.Is(err, remote.ErrTimeout) || !strings.Contains(err.Error(), "no end after 1ns") {
		t.Errorf("limit: got %v", err)
	}
	parent, stop := context.WithCancel(context.Background())
	ctx, cancel = remote.Bound(parent, time.Hour)
	defer cancel()
	stop()
	if err := remote.Stopped(ctx); !errors.Is(err, remote.ErrTimeout) || !errors.Is(err, context.Canceled) || strings.Contains(err.Error(), "time limit") {
		t.Errorf("cancel: got %v", err)
	}
}

func TestError(t *testing.T) {
	for _, tc := range []struct {
		e    remote.Error
		want string
	}{
		{remote.Error{Host: "lpar1", Err: remote.ErrAuth}, "lpar1: authentication refused"},
		{remote.Error{Host: "lpar1", Command: "no -a", Err: fmt.Errorf("%w: x", remote.ErrLost), Hint: "try"}, "lpar1: no -a: connection lost: x (try)"},
	} {
		if got := tc.e.Error(); got != tc.want {
			t.Errorf("got %q, want %q", got, tc.want)
		}
	}
}
