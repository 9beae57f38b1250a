package change

import (
	"errors"
	"slices"
	"sync"
)

// atOnce is how many hosts are worked on at the same time: a jump host in
// between has to take their connections.
const atOnce = 32

// each runs f for all hosts side by side and joins their errors in order.
func each(hosts []string, f func(host string) error) error {
	errs := make([]error, len(hosts))
	free := make(chan struct{}, atOnce)
	var all sync.WaitGroup
	for i, h := range hosts {
		free <- struct{}{}
		all.Go(func() {
			defer func() { <-free }()
			errs[i] = f(h)
		})
	}
	all.Wait()
	return errors.Join(errs...)
}

// together groups neighbouring steps that may run at the same time: those of
// one stage, each on a host of its own.
func (p *Plan) together() [][]Step {
	var out [][]Step
	for _, s := range p.Steps {
		if n := len(out); n > 0 && s.Stage != 0 && out[n-1][0].Stage == s.Stage &&
			!slices.ContainsFunc(out[n-1], func(o Step) bool { return o.Host == s.Host }) {
			out[n-1] = append(out[n-1], s)
			continue
		}
		out = append(out, []Step{s})
	}
	return out
}
