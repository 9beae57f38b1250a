package bench

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"seaworthy/internal/app"
	"seaworthy/internal/app/fleet"
	"seaworthy/internal/collect"
	"seaworthy/internal/inventory/graph"
	"seaworthy/internal/inventory/model"
	"seaworthy/internal/knowledge"
	"seaworthy/internal/measure"
	"seaworthy/internal/remote"
)

// Setup says between whom is measured, and how.
type Setup struct {
	From, To string   // hosts, or interfaces of hosts (HOST:enN)
	Via      []string // hosts between them; none: those of the hosts file that are on the path
	Target   string   // address of To; empty: the one that the path ends at
	Counters bool     // the hosts' counters are read before and after

	Experiment measure.Experiment // all but the hosts and the address
}

// Bench is a path that is ready to be measured. The caller closes the connection.
type Bench struct {
	Experiment measure.Experiment
	Connection *fleet.Connection
	Fleet      *model.Fleet // of the path; nil: it was not read, since the address was given
	Path       *model.Path  // the same
}

// Open connects the hosts and finds the address to measure.
func (s *Setup) Open(ctx context.Context, access fleet.Access) (*Bench, error) {
	from, to := fleet.HostOf(s.From), fleet.HostOf(s.To)
	switch {
	case s.From == "" || s.To == "":
		return nil, app.Usage("bench: --from and --to are required")
	case from == to:
		return nil, app.Usage("bench: --from and --to are the same host")
	}
	names := append([]string{from, to}, s.Via...)
	if len(s.Via) == 0 && access.HostsFile != "" {
		names = nil
	}
	c, err := access.Open(ctx, names)
	if err != nil {
		return nil, err
	}
	b := &Bench{Experiment: s.Experiment, Connection: c}
	err = s.prepare(ctx, access, b)
	if err != nil {
		c.Close()
		return nil, err
	}
	return b, nil
}

// prepare completes the experiment for the hosts that are connected.
func (s *Setup) prepare(ctx context.Context, access fleet.Access, b *Bench) error {
	from, to := fleet.HostOf(s.From), fleet.HostOf(s.To)
	e := &b.Experiment
	e.Lookup, e.Target = strings.TrimSpace(access.Flags()), s.Target
	if s.Target == "" || len(s.Via) == 0 && access.HostsFile != "" {
		err := s.findPath(ctx, b)
		if err != nil {
			return err
		}
	}
	byName := b.Connection.ByName()
	e.From, e.To = byName[from], byName[to]
	if e.From == nil || e.To == nil {
		return app.Usage("bench: %s and %s are not both in the inventory", from, to)
	}
	for _, h := range b.Connection.Hosts {
		if h != e.From && h != e.To {
			e.Via = append(e.Via, h)
		}
	}
	_, err := access.Require(ctx, []remote.Host{e.From, e.To}, knowledge.Benchmarking)
	if s.Counters {
		e.Counters = b.Connection.Counters().Read
	}
	return err
}

// findPath reads the hosts, finds the address to measure if none is given, and
// keeps the two ends and the hosts between them. Hosts that were named with Via
// all stay.
func (s *Setup) findPath(ctx context.Context, b *Bench) error {
	from, to := fleet.HostOf(s.From), fleet.HostOf(s.To)
	r, err := b.Connection.Read(ctx, collect.Options{})
	if err != nil {
		return err
	}
	for _, f := range r.Failed {
		if f.Broke != nil && (f.Host == from || f.Host == to || len(s.Via) > 0) {
			return f.Broke
		}
	}
	b.Fleet = r.Fleet
	g := graph.Of(b.Fleet)
	b.Path, err = g.Path(s.From, s.To)
	if err != nil {
		return fmt.Errorf("path %s to %s: %w", s.From, s.To, err)
	}
	b.Experiment.LineRate = b.Fleet.LineRate(b.Path)
	if s.Target == "" {
		b.Experiment.Target, err = b.Fleet.Target(b.Path)
		if err != nil {
			return err
		}
	}
	if len(s.Via) == 0 {
		on := g.OnPath(b.Path).Hosts(graph.OnPath)
		b.Connection.Keep(func(host string) bool { return slices.Contains(on, host) })
	}
	return nil
}
