package execute

import (
	"context"
	"time"

	"seaworthy/change/watchdog"
)

// leaseTime is how long a host's lock outlives a program that was killed.
const leaseTime = time.Minute

// take takes the hosts' own locks, and keeps them until leave is called: a run
// without steps, as far as the hosts know.
func (k *attempt) take(ctx context.Context, id string, hosts []string) error {
	k.lease, k.leased = id, hosts
	err := forEachHost(hosts, func(host string) error {
		_, err := k.watchdog(host).Begin(ctx, watchdog.Job{
			ID: id, Plan: string(k.plan.ID), Hosts: k.plan.Hosts, Window: leaseTime, Limit: k.limit(),
		})
		return err
	})
	k.extending = k.alive(context.WithoutCancel(ctx), id, leaseTime, hosts)
	return err
}

// leave gives the locks back. A host that does not hear it lets go by itself.
func (k *attempt) leave(ctx context.Context) {
	if k.lease == "" {
		return
	}
	k.extending()
	_ = forEachHost(k.leased, func(h string) error { return k.watchdog(h).Leave(ctx, k.lease) })
}
