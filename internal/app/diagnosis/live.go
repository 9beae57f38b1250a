package diagnosis

import (
	"context"
	"fmt"
	"sync"
	"time"

	"seaworthy/internal/app/fleet"
	"seaworthy/internal/app/prediction"
	"seaworthy/internal/base/progress"
	"seaworthy/internal/collect"
	"seaworthy/internal/diagnose"
	"seaworthy/internal/inventory/graph"
)

// RunLive diagnoses the path over hosts that are connected: it reads them, pings,
// and reads them again. Hosts that do not concern the path are closed on the way.
func (q *Request) RunLive(ctx context.Context, access fleet.Access, c *fleet.Connection) (*Result, error) {
	begun := time.Now()
	in := diagnose.Input{Symptom: q.Symptom, Live: true, Failed: map[string]string{},
		Ends: access.CommandLine(q.words()), Hosts: access.CommandLine(access.PathHosts(q.words()))}
	before, err := readAgain(ctx, c, in.Failed)
	if err != nil {
		return nil, err
	}
	in.Before = before.Fleet
	for _, end := range []string{q.From, q.To} {
		_, down := in.Failed[fleet.HostOf(end)]
		if down {
			d, err := diagnose.Unreachable(q.From, q.To, in)
			return &Result{Diagnosis: d}, err
		}
	}
	in.Path, err = graph.Of(in.Before).Path(q.From, q.To)
	if err != nil {
		return nil, fmt.Errorf("path %s to %s: %w", q.From, q.To, err)
	}
	c.Keep(func(host string) bool { return in.Failed[host] == "" }) // asking them again would only wait
	links, err := q.observe(ctx, c, &in, begun)
	if err != nil {
		return nil, err
	}
	c.Keep(in.Concerns())
	after, err := readAgain(ctx, c, in.Failed)
	if err != nil {
		return nil, err
	}
	in.Fleet = after.Fleet
	addNeighbours(&in)
	in.Links = links.End(ctx, in.Fleet)
	path, err := graph.Of(in.Fleet).Path(q.From, q.To)
	if err == nil {
		in.Path = path // an SEA may have failed over
	}
	in.Predict = forecaster(in.Fleet, in.Path, prediction.Costs(access))
	d, err := diagnose.Judge(ctx, in)
	if err != nil {
		return nil, err
	}
	d.Took(time.Since(begun).Seconds(), in.Path, in.Fleet)
	return &Result{d, in}, nil
}

// readAgain reads all hosts once; why a host did not answer is noted in failed.
func readAgain(ctx context.Context, c *fleet.Connection, failed map[string]string) (*fleet.Reading, error) {
	r, err := c.Read(ctx, collect.Options{})
	if err != nil {
		return nil, err
	}
	for host, why := range r.Broken() {
		failed[host] = why
	}
	return r, nil
}

// addNeighbours keeps the hosts near the path that were read only once: one may
// have the same address, or another netmask.
func addNeighbours(in *diagnose.Input) {
	for _, h := range graph.Of(in.Before).Near(in.Path).Hosts {
		if in.Fleet.Host(h.Name) == nil && in.Failed[h.Name] == "" {
			in.Fleet.Hosts = append(in.Fleet.Hosts, h)
		}
	}
}

// observe measures the path and lets the time between the readings pass. A link that
// comes and goes ends the measuring: nothing else could be learned from it.
func (q *Request) observe(ctx context.Context, c *fleet.Connection, in *diagnose.Input, begun time.Time) (*diagnose.Watch, error) {
	p := diagnose.Prober{Fleet: in.Before, Hosts: c.ByName(), Hung: c.Hung}
	in.Clocks = p.Clocks(ctx)
	measuring, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	links := p.Watch(ctx, in.Path, begun.Add(q.Watch), stop)
	p.Lost = links.Lost
	var watching sync.WaitGroup
	watch := func() { in.Activity = p.Activity(ctx, in.Path) }
	if !q.Load {
		watching.Go(watch)
	}
	if !q.NoPing {
		t := progress.Begin(ctx, "pinging both ways", "", 0)
		in.Measured = p.Path(measuring, in.Path)
		t.End()
	}
	if q.Load { // after the pings, which would wait behind it
		watching.Go(watch)
		t := progress.Begin(ctx, "sending streams", "", 0)
		in.Load = q.sendStreams(measuring, p, in.Path)
		t.End()
	}
	watching.Wait()
	err := waitUntil(ctx, begun.Add(q.Watch))
	return links, err
}

// waitUntil lets time pass for counters to move.
func waitUntil(ctx context.Context, end time.Time) error {
	t := progress.Begin(ctx, "waiting for counters to move", "", 0)
	defer t.End()
	t.Until(end)
	timer := time.NewTimer(time.Until(end))
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return context.Cause(ctx)
	case <-timer.C:
		return nil
	}
}
