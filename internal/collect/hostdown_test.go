package collect

import (
	"context"
	"io"
	"strings"
	"sync"
	"testing"

	"seaworthy/internal/test/remotetest"
)

// A host that crashes while its session stays open answers every command with
// a failure: that is not a whole snapshot with many gaps.
func TestHostGoesAway(t *testing.T) {
	for _, c := range []struct {
		name  string
		after func(*remotetest.Call) int // what every command does from netstat -s on
		back  bool                       // it answers again after one command
		want  string                     // part of the error; empty: read to its end
	}{
		{name: "crashed", after: func(c *remotetest.Call) int { io.WriteString(c.Stderr, "down\n"); return 255 }, want: "host became unreachable during collection"},
		{name: "killed, and back", after: func(*remotetest.Call) int { return 137 }, back: true, want: "commands were killed"},
		{name: "one command fails", after: func(*remotetest.Call) int { return 1 }, back: true},
	} {
		var mu sync.Mutex
		gone := false
		h := func(ctx context.Context, call *remotetest.Call) int {
			mu.Lock()
			begins := strings.HasSuffix(call.Command, "netstat -s")
			gone = gone && !c.back || begins
			now := gone
			mu.Unlock()
			if now {
				return c.after(call)
			}
			return aixHost().Serve(ctx, call)
		}
		f := remotetest.Start(t, map[string]remotetest.Handler{"host": h})
		out, err := Fleet(t.Context(), f.Hosts("host"), t.TempDir(), Options{}, nil)
		if err != nil {
			t.Fatal(err)
		}
		got := out[0].Err
		switch {
		case c.want == "" && got != nil:
			t.Errorf("%s: got %v, want it read to its end", c.name, got)
		case c.want != "" && (got == nil || !strings.Contains(got.Error(), c.want)):
			t.Errorf("%s: got %v, want %q", c.name, got, c.want)
		case out[0].Manifest == nil || len(out[0].Manifest.Commands) == 0:
			t.Errorf("%s: what was read before is not there: %+v", c.name, out[0])
		}
	}
}
