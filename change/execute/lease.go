package execute

import (
	"context"
	"time"

	"seaworthy/change/watchdog"
)

// leaseTime is how long a host's lock outlives a program that was killed.
const leaseTime = time.Minute

// take takes the hosts' own locks, and keeps them until leave is called: a run
// without steps, as far as the hosts know. A host that does not hear that it is over
// lets go by itself.
func (k *attempt) take(ctx context.Context, id string, hosts []string) error {
	err := k.arm(ctx, hosts, watchdog.Job{ID: id, Window: leaseTime})
	ctx = context.WithoutCancel(ctx)
	stop := k.alive(ctx, id, leaseTime, hosts)
	k.leave = func() {
		stop()
		_ = forEachHost(hosts, func(h string) error { return k.watchdog(h).Leave(ctx, id) })
	}
	return err
}

// release gives back what take has taken.
func (k *attempt) release() {
	if k.leave != nil {
		k.leave()
	}
}
