package bench

import (
	"context"
	"fmt"
	"slices"
	"sync"

	"golang.org/x/sync/errgroup"

	"seaworthy/bench/deploy"
	"seaworthy/remote"
)

// open puts a meter on every host of the path. The two ends must have a
// helper if the driver needs one; elsewhere the host's own commands will do,
// and a host that cannot be metered at all says so in the result.
func open(ctx context.Context, e *Experiment) (*Path, error) {
	p := &Path{From: e.From, To: e.To, Target: e.Target, Port: e.Port, hosts: e.hosts(), meters: map[string]hostMeter{}}
	var mu sync.Mutex
	var all errgroup.Group
	for _, h := range p.hosts {
		all.Go(func() error {
			end := h.Name() == e.From.Name() || h.Name() == e.To.Name()
			m, err := attach(ctx, h, e, end && e.Driver.NeedsProbe())
			if err != nil {
				return err
			}
			mu.Lock()
			defer mu.Unlock()
			p.meters[h.Name()] = m
			return nil
		})
	}
	if err := all.Wait(); err != nil {
		p.close()
		return nil, err
	}
	return p, nil
}

func attach(ctx context.Context, h remote.Host, e *Experiment, must bool) (hostMeter, error) {
	a, err := deploy.Start(ctx, h, deploy.Options{Dirs: e.ProbeDirs, Version: e.Version})
	if err == nil {
		return &agentMeter{agent: a}, nil
	}
	if must || ctx.Err() != nil {
		return nil, err
	}
	m, cerr := newCommandMeter(ctx, h)
	if cerr != nil {
		if ctx.Err() != nil {
			return nil, cerr
		}
		return &noMeter{reason: fmt.Sprintf("%v; %v", err, cerr)}, nil
	}
	return m, nil
}

func (p *Path) close() {
	var wg sync.WaitGroup
	for _, m := range p.meters {
		wg.Go(m.close)
	}
	wg.Wait()
}

// info describes the hosts in the order From, To, Via.
func (p *Path) info() []HostInfo {
	var all []HostInfo
	for _, h := range p.hosts {
		i := p.meters[h.Name()].info()
		i.Name, i.Role = h.Name(), "via"
		switch i.Name {
		case p.From.Name():
			i.Role = "from"
		case p.To.Name():
			i.Role = "to"
		}
		all = append(all, i)
	}
	rank := map[string]int{"from": 0, "to": 1, "via": 2}
	slices.SortStableFunc(all, func(a, b HostInfo) int { return rank[a.Role] - rank[b.Role] })
	return all
}
