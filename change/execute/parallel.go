package execute

import (
	"context"
	"errors"
	"slices"
	"time"

	"golang.org/x/sync/errgroup"

	"seaworthy/progress"
)

// atOnce is how many hosts are worked on at the same time: a jump host in
// between has to take their connections.
const atOnce = 32

// forEachHost runs f for all hosts side by side and joins their errors in order.
func forEachHost(hosts []string, f func(host string) error) error {
	return shown(context.Background(), "", hosts, f) // a context that shows no progress
}

// shown is forEachHost with its progress: doing is what happens to the hosts.
func shown(ctx context.Context, doing string, hosts []string, f func(host string) error) error {
	_, err := gather(ctx, doing, hosts, func(h string) (struct{}, error) { return struct{}{}, f(h) })
	return err
}

// gather asks all hosts side by side. Their answers are in the order of hosts.
func gather[T any](ctx context.Context, doing string, hosts []string, ask func(host string) (T, error)) ([]T, error) {
	t := progress.Begin(ctx, doing, "host", len(hosts))
	defer t.End()
	answers := make([]T, len(hosts))
	err := each(hosts, func(h string) (err error) {
		if answers[slices.Index(hosts, h)], err = ask(h); err != nil {
			t.Failed(h)
		}
		t.Step(h)
		return err
	})
	return answers, errors.Join(err...)
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
