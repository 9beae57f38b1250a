package web

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"time"
)

const (
	patience = 150 * time.Millisecond // a page waits so long for a job
	mostJobs = 8                      // results that are kept
	atOnce   = 2                      // jobs that run
	unasked  = 10 * time.Second       // nobody waits for a job that was not asked for so long
)

// jobs are computations that may take longer than a page may. A result stays
// for who asks again.
type jobs struct {
	ctx   context.Context
	slots chan struct{}
	now   func() time.Time

	mu    sync.Mutex
	all   map[string]*job
	order []string // the latest asked for last
}

type job struct {
	done  chan struct{}
	begun chan struct{} // closed when it has a slot
	stop  context.CancelFunc
	asked time.Time // the last time
	value any
	err   error
}

// over says whether a channel is closed.
func over(c <-chan struct{}) bool {
	select {
	case <-c:
		return true
	default:
		return false
	}
}

func newJobs(ctx context.Context) *jobs {
	return &jobs{ctx: ctx, slots: make(chan struct{}, atOnce), now: time.Now, all: map[string]*job{}}
}

// do gives what f computed for a key, or done false while it still does, or while
// there is no room for another job.
func (j *jobs) do(key string, f func(ctx context.Context) (any, error)) (value any, done bool, err error) {
	x := j.ask(key, f)
	if x == nil {
		return nil, false, nil
	}
	wait := time.NewTimer(patience)
	defer wait.Stop()
	select {
	case <-x.done:
		return x.value, true, x.err
	case <-wait.C:
		return nil, false, nil
	}
}

// ask gives the job of a key, begun if there is room; nil: there is none.
func (j *jobs) ask(key string, f func(ctx context.Context) (any, error)) *job {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.dropUnasked(key)
	x := j.all[key]
	if x == nil {
		if len(j.order) >= mostJobs && !j.dropDone() {
			return nil
		}
		ctx, stop := context.WithCancel(j.ctx)
		x = &job{done: make(chan struct{}), begun: make(chan struct{}), stop: stop}
		j.all[key] = x
		go j.run(ctx, x, f)
	}
	x.asked = j.now()
	j.order = append(slices.DeleteFunc(j.order, func(k string) bool { return k == key }), key)
	return x
}

// run computes a job as soon as it has a slot.
func (j *jobs) run(ctx context.Context, x *job, f func(ctx context.Context) (any, error)) {
	defer close(x.done)
	defer x.stop()
	select {
	case j.slots <- struct{}{}:
		defer func() { <-j.slots }()
		close(x.begun)
		defer func() {
			if broken := recover(); broken != nil { // it costs this page, not the server
				x.err = fmt.Errorf("this could not be computed: %v", broken)
			}
		}()
		x.value, x.err = f(ctx)
	case <-ctx.Done():
		x.err = ctx.Err()
	}
}

// dropUnasked stops jobs that nobody waits for any more where others wait for a slot.
func (j *jobs) dropUnasked(key string) {
	waiting := j.all[key] == nil && len(j.slots) == atOnce
	for _, x := range j.all {
		waiting = waiting || !over(x.begun)
	}
	if !waiting {
		return
	}
	for k, x := range j.all {
		if k != key && !over(x.done) && j.now().Sub(x.asked) >= unasked {
			j.drop(k)
		}
	}
}

// dropDone forgets the result that was asked for longest ago; false: none is done.
func (j *jobs) dropDone() bool {
	for _, k := range j.order {
		if over(j.all[k].done) {
			j.drop(k)
			return true
		}
	}
	return false
}

func (j *jobs) drop(key string) {
	j.all[key].stop()
	delete(j.all, key)
	j.order = slices.DeleteFunc(j.order, func(k string) bool { return k == key })
}
