package execute

import (
	"context"
	"errors"
	"time"

	"golang.org/x/sync/errgroup"

	"seaworthy/progress"
)

// atOnce is how many hosts are worked on at the same time: a jump host in
// between has to take their connections.
const atOnce = 32

// forEachHost runs f for all hosts side by side and joins their errors in order.
func forEachHost(hosts []string, f func(host string) error) error {
	return errors.Join(each(hosts, f)...)
}

// shown is forEachHost with its progress: doing is what happens to the hosts.
func shown(ctx context.Context, doing string, hosts []string, f func(host string) error) error {
	t := progress.Begin(ctx, doing, "host", len(hosts))
	defer t.End()
	return forEachHost(hosts, func(h string) error {
		err := f(h)
		if err != nil {
			t.Failed(h)
		}
		t.Step(h)
		return err
	})
}

// each runs f for all of a list side by side. One that fails does not stop the
// others.
func each[T any](list []T, f func(T) error) []error {
	errs := make([]error, len(list))
	var all errgroup.Group
	all.SetLimit(atOnce)
	for i, one := range list {
		all.Go(func() error {
			errs[i] = f(one)
			return nil
		})
	}
	_ = all.Wait() // the errors are in errs
	return errs
}

// pause waits, or ends with the context and its cause.
func pause(ctx context.Context, d time.Duration) error {
	select {
	case <-ctx.Done():
		return context.Cause(ctx)
	case <-time.After(d):
		return nil
	}
}
