package assemble

// The watch over pairs of addresses, as a lab's program asks for it.

import (
	"context"
	"encoding/json"
	"errors"
	"sync"
	"time"

	"seaworthy/lab/watch"
	"seaworthy/lab/wire"
)

// watchLimit ends a watch that nobody asks for again.
const watchLimit = 30 * time.Minute

// watches runs one watch at a time.
type watches struct {
	mu  sync.Mutex
	net *wire.Network
	now *watch.Watch
	end *time.Timer
}

// start answers "watch-start" for pairs; ctx is that of the lab.
func (w *watches) start(ctx context.Context) func(context.Context, []watch.Pair) (any, error) {
	return func(_ context.Context, pairs []watch.Pair) (any, error) {
		w.mu.Lock()
		defer w.mu.Unlock()
		if w.now != nil {
			return nil, errors.New("watch: another one is running in this lab")
		}
		now, err := watch.Start(ctx, w.net, pairs)
		if err != nil {
			return nil, err
		}
		w.now = now
		w.end = time.AfterFunc(watchLimit, func() {
			w.mu.Lock()
			defer w.mu.Unlock()
			if w.now == now { // and no later one
				w.now = nil
				now.Stop()
			}
		})
		return true, nil
	}
}

// stop answers "watch-stop" with what was seen.
func (w *watches) stop(context.Context, json.RawMessage) (any, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.now == nil {
		return nil, errors.New("watch: none is running in this lab")
	}
	w.end.Stop()
	seen := w.now.Stop()
	w.now = nil
	return seen, nil
}
