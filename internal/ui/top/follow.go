package top

import (
	"context"
	"sync"
	"time"

	"seaworthy/internal/collect/live"
)

// shownEvery is how often a changed tree is made at most: of a thousand hosts that
// are read every two seconds, one for each news would take all of a processor.
const shownEvery = 250 * time.Millisecond

// Follower shows a model while news come. Add is safe for concurrent use.
type Follower struct {
	mu    sync.Mutex
	model *live.Model

	news chan struct{}
	ends sync.WaitGroup
}

// Follow sends the tree of a model, and again when it changed, until the context
// ends. From then on only Add may touch the model.
func Follow(ctx context.Context, m *live.Model, send Send) *Follower {
	f := &Follower{model: m, news: make(chan struct{}, 1)}
	f.news <- struct{}{}
	f.ends.Go(func() { f.run(ctx, send) })
	return f
}

// Add takes news of a host.
func (f *Follower) Add(e live.Event) {
	f.mu.Lock()
	f.model.Add(e)
	f.mu.Unlock()
	select {
	case f.news <- struct{}{}:
	default: // a tree is due already
	}
}

// Wait returns when nothing more is sent.
func (f *Follower) Wait() { f.ends.Wait() }

func (f *Follower) run(ctx context.Context, send Send) {
	pause := time.NewTicker(shownEvery)
	defer pause.Stop()
	for {
		select {
		case <-f.news:
		case <-ctx.Done():
			return
		}
		f.mu.Lock()
		frame := f.model.Frame()
		f.mu.Unlock()
		send(FrameMsg{frame})
		select {
		case <-pause.C:
		case <-ctx.Done():
			return
		}
	}
}
