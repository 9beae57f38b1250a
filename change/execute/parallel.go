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
	errs := make([]error, len(hosts))
	var all errgroup.Group
	all.SetLimit(atOnce)
	for i, h := range hosts {
		all.Go(func() error {
			errs[i] = f(h)
			return nil // one host that fails does not stop the others
		})
	}
	_ = all.Wait() // the errors are in errs
	return errors.Join(errs...)
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
