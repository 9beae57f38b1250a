package measure

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync"

	"golang.org/x/sync/errgroup"

	"seaworthy/internal/measure/deploy"
	"seaworthy/internal/remote"
)

// Path holds what a driver works between.
type Path struct {
	From, To remote.Host
	Target   string
	Port     int // 0: any

	hosts    []remote.Host
	ends     map[string]bool // hosts that make load, by name
	meters   map[string]hostMeter
	from, to deploy.System
	driver   Driver
	why      string // it was chosen instead of the built-in one; empty: it was not
	lookup   string // flags that find the hosts again
}

// agent is the helper on a host, nil if it runs none.
func (p *Path) agent(host remote.Host) *agentMeter {
	a, _ := p.meters[host.Name()].(*agentMeter)
	return a
}

// open puts a meter on every host of the path, and chooses what makes the load if
// the experiment leaves that open. The two ends must have a helper if the driver
// needs one; elsewhere the host's own commands will do, and a host that cannot be
// metered at all says so in the result.
func open(ctx context.Context, e *Experiment) (*Path, error) {
	p := &Path{From: e.From, To: e.To, Target: e.Target, Port: e.Port, lookup: e.Lookup, hosts: e.hosts(), meters: map[string]hostMeter{},
		ends: map[string]bool{}}
	for _, pair := range e.pairs {
		p.ends[pair.From.Name()], p.ends[pair.To.Name()] = true, true
	}

	systems, unknown := make([]deploy.System, len(p.hosts)), make([]error, len(p.hosts))
	var asking sync.WaitGroup
	for i, h := range p.hosts {
		asking.Go(func() { systems[i], unknown[i] = deploy.Ask(ctx, h) })
	}
	asking.Wait()
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	for i, h := range p.hosts {
		if p.end(h) && unknown[i] != nil {
			return nil, unknown[i]
		}
		if h.Name() == e.From.Name() {
			p.from = systems[i]
		}
		if h.Name() == e.To.Name() {
			p.to = systems[i]
		}
	}
	p.driver = e.Driver
	if p.driver == nil {
		var err error
		if p.driver, p.why, err = p.choose(ctx, e.Workloads); err != nil {
			return nil, err
		}
	}
	var mu sync.Mutex
	var all errgroup.Group
	for i, h := range p.hosts {
		all.Go(func() error {
			m, err := attach(ctx, h, e, systems[i], unknown[i], p.end(h) && p.driver.NeedsProbe())
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

func (p *Path) end(h remote.Host) bool { return p.ends[h.Name()] }

func attach(ctx context.Context, h remote.Host, e *Experiment, system deploy.System, unknown error, must bool) (hostMeter, error) {
	if unknown != nil {
		var r *remote.Error
		if errors.As(unknown, &r) {
			unknown = r.Err // the host's name stands before it where it is shown
		}
		return &noMeter{reason: unknown.Error()}, nil
	}
	a, err := deploy.Start(ctx, h, system, e.ProbeDirs)
	if err == nil {
		return &agentMeter{agent: a}, nil
	}
	if must || ctx.Err() != nil {
		return nil, err
	}
	m := &commandMeter{host: h, system: system}
	if number, _, _ := strings.Cut(system.Partition, " "); system.OS == "AIX" && number != "" {
		m.scope = "lpar:" + system.Machine + ":" + number
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

// info describes the hosts in the order From, To, Via; of a mesh ends, Via.
func (p *Path) info() []HostInfo {
	var all []HostInfo
	for _, h := range p.hosts {
		i := p.meters[h.Name()].info()
		i.Name, i.Role = h.Name(), "via"
		switch {
		case len(p.ends) > 2 && p.ends[i.Name]:
			i.Role = "end"
		case i.Name == p.From.Name():
			i.Role = "from"
		case i.Name == p.To.Name():
			i.Role = "to"
		}
		all = append(all, i)
	}
	rank := map[string]int{"from": 0, "to": 1, "end": 1, "via": 2}
	slices.SortStableFunc(all, func(a, b HostInfo) int { return rank[a.Role] - rank[b.Role] })
	return all
}
