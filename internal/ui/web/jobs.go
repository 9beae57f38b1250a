package web

import (
	"context"
	"slices"
	"sync"
	"time"
)

const (
	patience = 150 * time.Millisecond // a page waits so long for a job
	mostJobs = 8                      // results that are kept
	atOnce   = 2                      // jobs that run
)

// jobs are computations that may take longer than a page may. A result stays
// for who asks again.
type jobs struct {
	ctx   context.Context
	slots chan struct{}

	mu    sync.Mutex
	all   map[string]*job
	order []string // the latest asked for last
}

type job struct {
	done  chan struct{}
	stop  context.CancelFunc
	value any
	err   error
}

func newJobs(ctx context.Context) *jobs {
	return &jobs{ctx: ctx, slots: make(chan struct{}, atOnce), all: map[string]*job{}}
}

// do gives what f computed for a key, or done false while it still does. Of too
// many, the one that was asked for longest ago is stopped and forgotten.
func (j *jobs) do(key string, f func(ctx context.Context) (any, error)) (value any, done bool, err error) {
	j.mu.Lock()
	x := j.all[key]
	if x == nil {
		ctx, stop := context.WithCancel(j.ctx)
		x = &job{done: make(chan struct{}), stop: stop}
		j.all[key] = x
		go func() {
			defer close(x.done)
			select {
			case j.slots <- struct{}{}:
				defer func() { <-j.slots }()
				x.value, x.err = f(ctx)
			case <-ctx.Done():
				x.err = ctx.Err()
			}
		}()
	}
	j.order = append(slices.DeleteFunc(j.order, func(k string) bool { return k == key }), key)
	if len(j.order) > mostJobs {
		j.all[j.order[0]].stop()
		delete(j.all, j.order[0])
		j.order = j.order[1:]
	}
	j.mu.Unlock()
	wait := time.NewTimer(patience)
	defer wait.Stop()
	select {
	case <-x.done:
		return x.value, true, x.err
	case <-wait.C:
		return nil, false, nil
	}
}
