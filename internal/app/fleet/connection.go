package fleet

import (
	"context"
	"errors"
	"slices"
	"strings"

	"seaworthy/internal/base/progress"
	"seaworthy/internal/change/execute"
	"seaworthy/internal/collect"
	"seaworthy/internal/inventory/model"
	"seaworthy/internal/remote"
)

// Connection is a set of hosts that can run commands.
type Connection struct {
	Hosts     []remote.Host
	Platforms map[string]model.Platform // as the hosts file gives them
	Hung      *remote.Hung              // commands that are not asked again; nil: of one reading alone
}

// Close ends the sessions of all hosts.
func (c *Connection) Close() {
	for _, h := range c.Hosts {
		h.Close()
	}
}

// Keep closes the hosts that are not wanted.
func (c *Connection) Keep(wanted func(host string) bool) {
	c.Hosts = slices.DeleteFunc(c.Hosts, func(h remote.Host) bool {
		unwanted := !wanted(h.Name())
		if unwanted {
			h.Close()
		}
		return unwanted
	})
}

// DropHMCs closes those that the hosts file calls HMCs: nothing is changed or counted there.
func (c *Connection) DropHMCs() {
	c.Keep(func(host string) bool { return c.Platforms[host] != collect.PlatformHMC })
}

// ByName returns the hosts by their names.
func (c *Connection) ByName() map[string]remote.Host {
	m := map[string]remote.Host{}
	for _, h := range c.Hosts {
		m[h.Name()] = h
	}
	return m
}

// Collect saves what the hosts say below dir, as collect.Fleet does.
func (c *Connection) Collect(ctx context.Context, dir string, o collect.Options) ([]collect.Outcome, error) {
	event, done := showReading(ctx, "collecting", len(c.Hosts))
	defer done()
	o.Platforms, o.Hung = c.Platforms, c.Hung
	return collect.Fleet(ctx, c.Hosts, dir, o, event)
}

// Ask runs on every host what collect runs there, and keeps nothing on disk.
func (c *Connection) Ask(ctx context.Context, o collect.Options) []collect.Live {
	event, done := showReading(ctx, "reading", len(c.Hosts))
	defer done()
	o.Platforms, o.Hung = c.Platforms, c.Hung
	return collect.ReadFleet(ctx, c.Hosts, o, event)
}

// Read reads all hosts once. One that cannot be read does not stop the others:
// it is in Failed. The error says that reading was interrupted, or why no host
// answered.
func (c *Connection) Read(ctx context.Context, o collect.Options) (*Reading, error) {
	answers := c.Ask(ctx, o)
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	var broke []error
	for _, a := range answers {
		if a.Err != nil {
			broke = append(broke, a.Err)
		}
	}
	if len(broke) == len(answers) {
		return nil, errors.Join(broke...)
	}
	r := newReading()
	r.addAnswers(answers)
	r.Fleet.MergeHMC()
	return r, nil
}

// Counters reads the counters of hosts for a measurement.
func (c *Connection) Counters() *collect.Counters {
	return &collect.Counters{Options: collect.Options{Platforms: c.Platforms, Hung: c.Hung}}
}

// Runner applies plans to the hosts.
func (c *Connection) Runner(journals execute.Journals) *execute.Runner {
	byName := c.ByName()
	values := &collect.Values{Platforms: c.Platforms, Hung: c.Hung}
	read := func(ctx context.Context, name string) (*model.Host, error) { return values.Read(ctx, byName[name]) }
	placement := func(ctx context.Context, name string) (*model.Host, error) {
		return values.Placement(ctx, byName[name])
	}
	return &execute.Runner{Hosts: byName, Journals: journals, ReadOver: values.Read, Read: read, Placement: placement}
}

// showReading shows how far the reading of hosts is, until done is called.
func showReading(ctx context.Context, doing string, hosts int) (event func(collect.Event), done func()) {
	t := progress.Begin(ctx, doing, "host", hosts)
	parts := map[string]float64{} // of the hosts that are being read
	ended := 0
	return func(e collect.Event) {
		switch {
		case e.Ended:
			delete(parts, e.Host)
			ended++
			t.At(ended, hosts)
		case e.Total > 0:
			parts[e.Host] = float64(e.Done) / float64(e.Total)
		}
		if e.Ended && e.Err != nil {
			t.Failed(e.Host)
		}
		sum := float64(ended)
		for _, p := range parts {
			sum += p
		}
		t.Share(sum / float64(max(hosts, 1)))
		if e.Line != "" {
			t.Now(strings.TrimSpace(e.Host + " $ " + e.Line))
		}
	}, t.End
}
