package execute

import (
	"context"
	"errors"
	"fmt"
	"time"

	"seaworthy/change/plan"
	"seaworthy/change/task"
	"seaworthy/inventory"
	"seaworthy/remote"
)

// verifyAll reads everything back, and proves what is to be proved, over new
// connections.
func (k *confirmedRun) verifyAll(ctx context.Context) error {
	if err := k.compareAll(ctx, later, nil); err != nil {
		return err
	}
	return k.prove(ctx, k.plan.Proofs, k.runFresh)
}

// runFresh runs a line over a new connection: an old one may have died with
// the interface that it came in through.
func (k *confirmedRun) runFresh(ctx context.Context, host, line string) (*remote.Result, error) {
	h := k.Hosts[host]
	if k.Fresh != nil {
		var err error
		if h, err = k.Fresh(ctx, host); err != nil {
			return nil, remote.On(host, err)
		}
		defer h.Close()
	}
	return h.Run(ctx, remote.Command{Line: line})
}

// side is one of the two configurations that a run may leave.
type side int

const (
	earlier side = iota
	later
)

// compareAll reads every host over a new connection and compares the steps'
// attributes with one side; of those steps only that keep keeps (nil: all). Of
// an attribute that several steps set, the first step has its earlier value and
// the last its later one.
func (k *confirmedRun) compareAll(ctx context.Context, which side, keep func(plan.Step) bool) error {
	return forEachHost(k.plan.Hosts, func(host string) error {
		h, err := k.readFresh(ctx, host)
		if err != nil {
			return fmt.Errorf("%s: reading back: %w", host, err)
		}
		changes, wanted := k.plan.Last(host), func(_ plan.Step, c task.Change) task.Values { return c.After }
		if which == earlier {
			changes, wanted = k.plan.First(host), func(s plan.Step, c task.Change) task.Values { return s.Undone(c) }
		}
		for s, c := range changes {
			want, now := wanted(s, c), s.ValuesOf(c, h)
			if (keep == nil || keep(s)) && !want.Match(now) {
				return fmt.Errorf("%s %s: %s is %s, wanted %s", host, s.Of(c).Element, c.Attr, now, want)
			}
		}
		return nil
	})
}

func (k *confirmedRun) readFresh(ctx context.Context, host string) (*inventory.Host, error) {
	if k.Fresh == nil || k.ReadOver == nil {
		return k.Read(ctx, host)
	}
	// A host whose interface was just down may need a moment.
	var last error
	for range 5 {
		h, err := k.Fresh(ctx, host)
		if err == nil {
			inv, err := k.ReadOver(ctx, h)
			h.Close()
			if err == nil {
				return inv, nil
			}
			last = err
		} else {
			last = err
		}
		select {
		case <-ctx.Done():
			return nil, errors.Join(last, context.Cause(ctx))
		case <-time.After(time.Second):
		}
	}
	return nil, last
}
