package execute

import (
	"context"
	"slices"
	"sync"
	"time"
)

// alive gives every host its time anew, again and again, until the function
// that it returns is called: a host that is done waits for the others and for
// the verification, and must not take its part back while this program is at
// work. Should this program be stopped or killed, the hosts count from its last
// word.
func (k *confirmedRun) alive(ctx context.Context, within time.Duration) (stop func()) {
	ctx, cancel := context.WithCancel(ctx)
	var all sync.WaitGroup
	for _, host := range k.plan.Hosts {
		all.Go(func() {
			for {
				select {
				case <-ctx.Done():
					return
				case <-time.After(within / 4):
				}
				if !k.stepping(host) {
					// A host that does not hear it says so at its next step.
					_, _ = k.watchdog(host).Extend(ctx, k.id)
				}
			}
		})
	}
	return sync.OnceFunc(func() { cancel(); all.Wait() })
}

// stepping says whether a step is under way on a host: it has time of its own.
func (k *confirmedRun) stepping(host string) bool {
	k.atWork.Lock()
	defer k.atWork.Unlock()
	return slices.Contains(k.working, host)
}

// works notes that a step on a host begins, and gives what notes its end.
func (k *confirmedRun) works(host string) (done func()) {
	k.atWork.Lock()
	defer k.atWork.Unlock()
	k.working = append(k.working, host)
	return func() {
		k.atWork.Lock()
		defer k.atWork.Unlock()
		i := slices.Index(k.working, host)
		k.working = slices.Delete(k.working, i, i+1)
	}
}
