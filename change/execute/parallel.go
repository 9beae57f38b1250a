package execute

import (
	"errors"

	"golang.org/x/sync/errgroup"

	"seaworthy/change/plan"
)

// atOnce is how many hosts are worked on at the same time: a jump host in
// between has to take their connections.
const atOnce = 32

// forEachHost runs f for all hosts side by side and joins their errors in order.
func forEachHost(hosts []string, f func(host string) error) error {
	return errors.Join(each(hosts, f)...)
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

// forEachStep runs f for steps of different hosts side by side.
func forEachStep(stage []plan.Step, f func(plan.Step) error) error {
	var hosts []string
	of := map[string]plan.Step{}
	for _, s := range stage {
		hosts = append(hosts, s.Host)
		of[s.Host] = s
	}
	return forEachHost(hosts, func(h string) error { return f(of[h]) })
}
