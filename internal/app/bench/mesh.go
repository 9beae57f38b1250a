package bench

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"seaworthy/internal/app"
	"seaworthy/internal/app/fleet"
	"seaworthy/internal/collect"
	"seaworthy/internal/inventory/graph"
	"seaworthy/internal/knowledge"
	"seaworthy/internal/measure"
	"seaworthy/internal/remote"
)

// Ends are two hosts, or interfaces of hosts (HOST:enN).
type Ends struct{ From, To string }

// Mesh is pairs that are ready to be measured at once. The caller closes the connection.
type Mesh struct {
	Experiment measure.Experiment
	Connection *fleet.Connection
	Pairs      []measure.Pair
}

// OpenMesh connects the hosts of all pairs, and those of the hosts file on their
// paths. The experiment has all but the hosts; counters are read if it is asked for.
func OpenMesh(ctx context.Context, access fleet.Access, e measure.Experiment, counters bool, pairs []Ends) (*Mesh, error) {
	ends := map[string]bool{}
	var names []string
	for _, p := range pairs {
		for _, n := range []string{fleet.HostOf(p.From), fleet.HostOf(p.To)} {
			if !ends[n] {
				ends[n] = true
				names = append(names, n)
			}
		}
	}
	if access.HostsFile != "" {
		names = nil
	}
	c, err := access.Open(ctx, names)
	if err != nil {
		return nil, err
	}
	m := &Mesh{Experiment: e, Connection: c}
	err = m.prepare(ctx, access, pairs, ends)
	if err != nil {
		c.Close()
		return nil, err
	}
	if counters {
		m.Experiment.Counters = c.Counters().Read
	}
	return m, nil
}

// prepare finds the pairs' addresses, and tests what a measurement leans on.
func (m *Mesh) prepare(ctx context.Context, access fleet.Access, pairs []Ends, ends map[string]bool) error {
	m.Experiment.Lookup = strings.TrimSpace(access.Flags())
	err := m.findPaths(ctx, pairs, ends)
	if err != nil {
		return err
	}
	var measured []remote.Host
	for _, h := range m.Connection.Hosts {
		if ends[h.Name()] {
			measured = append(measured, h)
		} else {
			m.Experiment.Via = append(m.Experiment.Via, h)
		}
	}
	_, err = access.Require(ctx, measured, knowledge.Benchmarking)
	return err
}

// findPaths finds the address of each pair, and keeps the hosts on their paths.
func (m *Mesh) findPaths(ctx context.Context, pairs []Ends, ends map[string]bool) error {
	byName := m.Connection.ByName()
	for name := range ends {
		if byName[name] == nil {
			return app.Usage("bench mesh: %s is not in the inventory", name)
		}
	}
	r, err := m.Connection.Read(ctx, collect.Options{})
	if err != nil {
		return err
	}
	var unread error
	for _, f := range r.Failed {
		if ends[f.Host] {
			unread = errors.Join(unread, f.Broke)
		}
	}
	if unread != nil {
		return unread
	}
	on := map[string]bool{}
	for _, p := range pairs {
		path, err := graph.Of(r.Fleet).Path(p.From, p.To)
		if err != nil {
			return fmt.Errorf("path %s to %s: %w", p.From, p.To, err)
		}
		target, err := r.Fleet.Target(path)
		if err != nil {
			return err
		}
		for _, hop := range path.Hops {
			if hop.Ref != nil {
				on[hop.Ref.Host] = true
			}
		}
		m.Pairs = append(m.Pairs, measure.Pair{From: byName[fleet.HostOf(p.From)], To: byName[fleet.HostOf(p.To)], Target: target})
	}
	m.Connection.Keep(func(host string) bool { return ends[host] || on[host] })
	return nil
}
