package top_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"seaworthy/internal/collect/live"
	"seaworthy/internal/test/await"
	"seaworthy/internal/ui/top"
)

// Many news make few trees, and the last of them is shown.
func TestFollow(t *testing.T) {
	ctx, stop := context.WithCancel(t.Context())
	frames := make(chan *live.Frame, 1000)
	f := top.Follow(ctx, live.NewModel("h0"), func(m any) { frames <- m.(top.FrameMsg).Frame })
	const hosts = 500
	for i := range hosts {
		f.Add(live.Event{Lost: &live.Lost{Host: fmt.Sprintf("h%d", i), At: time.Unix(int64(i), 0), Why: "x"}})
	}
	var last *live.Frame
	await.Until(t, "a tree with all hosts", func() bool {
		select {
		case last = <-frames:
		default:
		}
		return last != nil && len(last.Systems) == 1 && len(last.Systems[0].Hosts) == hosts
	})
	stop()
	f.Wait()
	if n := len(frames); n > 20 {
		t.Errorf("%d trees were made of %d news", n, hosts)
	}
}
