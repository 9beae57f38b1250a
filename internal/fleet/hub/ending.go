package hub

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"seaworthy/internal/fleet/control"
	"seaworthy/internal/fleet/message"
	"seaworthy/internal/fleet/queue"
)

// status is how far a sweep is.
func (h *sweeper) status(ctx context.Context, q control.Named) (*control.Sweep, error) {
	h.mu.Lock()
	id := q.Name
	if id == latest {
		id = ""
		for other := range h.sweeps {
			id = max(id, other)
		}
	}
	s := h.sweeps[id]
	if s != nil {
		out := h.now(s)
		h.mu.Unlock()
		return out, nil
	}
	h.mu.Unlock()
	return h.ended(ctx, id)
}

// ended is a sweep that is over; an empty id: the last one.
func (h *sweeper) ended(ctx context.Context, id string) (*control.Sweep, error) {
	kv, err := h.js.KeyValue(ctx, queue.Sweeps)
	if err != nil {
		return nil, fmt.Errorf("hub: sweeps: %w", err)
	}
	keys, err := kv.Keys(ctx)
	if err != nil && !errors.Is(err, jetstream.ErrNoKeysFound) {
		return nil, fmt.Errorf("hub: sweeps: %w", err)
	}
	slices.Sort(keys)
	if id == "" && len(keys) > 0 {
		id = keys[len(keys)-1]
	}
	if !slices.Contains(keys, id) {
		slices.Reverse(keys)
		return nil, h.unknown("sweep", id, keys)
	}
	e, err := kv.Get(ctx, id)
	if err != nil {
		return nil, fmt.Errorf("sweep %s: %w", id, err)
	}
	s, err := open(id, e.Value())
	if err != nil {
		return nil, err
	}
	return &s.Sweep, nil
}

// now is a copy with the time left, as far as the hosts so far tell it: nobody knows it while a zone is silent. h.mu is held.
func (h *state) now(s *sweep) *control.Sweep {
	out := s.Sweep
	out.Zones, out.Not = slices.Clone(s.Zones), slices.Clone(s.Not)
	silent := h.markSilent(out.Zones)
	done := out.Done()
	if done > 0 && !silent && s.Ended.IsZero() {
		left := time.Duration(float64(time.Since(s.Begun)) / float64(done) * float64(s.All-done))
		out.Left = control.Seconds(left.Round(time.Second))
	}
	return &out
}

func (h *sweeper) listSweeps(ctx context.Context, _ control.Nothing) ([]*control.Sweep, error) {
	out := []*control.Sweep{}
	err := h.each(ctx, queue.Sweeps, func(e jetstream.KeyValueEntry) error {
		h.mu.Lock()
		s := h.sweeps[e.Key()]
		if s != nil {
			out = append(out, h.now(s))
		}
		h.mu.Unlock()
		if s != nil {
			return nil
		}
		s, err := open(e.Key(), e.Value())
		if err == nil {
			out = append(out, &s.Sweep)
		}
		return err
	})
	out = out[max(0, len(out)-20):]
	for _, s := range out {
		s.Not = []control.Outcome{}
	}
	return out, err
}

func (h *sweeper) cancelSweep(ctx context.Context, q control.Named) (*control.Sweep, error) {
	s, err := h.status(ctx, q)
	if err != nil {
		return nil, err
	}
	h.end(ctx, s.ID, func(string, string) string { return "the sweep was cancelled" })
	return h.status(ctx, control.Named{Name: s.ID})
}

// endLate ends what was not read in time.
func (h *sweeper) endLate(ctx context.Context) {
	now := time.Now()
	h.mu.Lock()
	var late []*sweep
	for _, s := range h.sweeps {
		if now.After(s.Until) {
			late = append(late, s)
		}
	}
	h.mu.Unlock()
	for _, s := range late {
		h.end(ctx, s.ID, func(_, zone string) string {
			return "not read within " + s.Until.Sub(s.Begun).String() + h.whereabouts(zone)
		})
	}
}

// whereabouts says why a zone may have read nothing.
func (h *state) whereabouts(name string) string {
	h.mu.Lock()
	defer h.mu.Unlock()
	z := h.zones[name]
	switch {
	case z == nil:
		return ": zone " + name + " was removed"
	case z.seen.IsZero():
		return ": no collector of zone " + name + " was there since the hub began"
	case !h.connected(z):
		return ": the collector of zone " + name + " was last heard of at " + z.seen.Format(time.DateTime) + " UTC"
	}
	return ""
}

// endWhere ends hosts of all sweeps for which there is a reason.
func (h *sweeper) endWhere(ctx context.Context, why func(host, zone string) string) {
	h.mu.Lock()
	var ids []string
	for id := range h.sweeps {
		ids = append(ids, id)
	}
	h.mu.Unlock()
	for _, id := range ids {
		h.end(ctx, id, why)
	}
}

// end gives the hosts of a sweep that have no outcome one with a reason, and takes back their jobs
// unless another sweep waits for them.
func (h *sweeper) end(ctx context.Context, id string, why func(host, zone string) string) {
	type at struct{ host, zone string }
	var left []at
	h.mu.Lock()
	s := h.sweeps[id]
	if s != nil {
		for host, zone := range s.Hosts {
			if !s.done[host] {
				left = append(left, at{host, zone})
			}
		}
	}
	h.mu.Unlock()
	var outcomes []control.Outcome
	for _, x := range left {
		reason := why(x.host, x.zone)
		if reason != "" {
			outcomes = append(outcomes, control.Outcome{Host: x.host, Zone: x.zone, Verdict: control.Failed, Reason: reason,
				Ended: time.Now().UTC()})
		}
	}
	err := h.settleOf(ctx, s, outcomes)
	if err != nil {
		h.notice("%v", err)
		return
	}
	for _, o := range outcomes {
		if !h.awaited(o.Host) {
			h.takeBack(ctx, o.Zone, o.Host)
		}
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, o := range outcomes {
		z := h.zones[o.Zone]
		if z != nil {
			z.ended = true
		}
	}
}

// awaited reports whether a sweep waits for a host.
func (h *state) awaited(host string) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.awaitedNow(host)
}

// awaitedNow is awaited where h.mu is held.
func (h *state) awaitedNow(host string) bool {
	for _, s := range h.sweeps {
		if s.Hosts[host] != "" && !s.done[host] {
			return true
		}
	}
	return false
}

// takeBack removes the job of a host.
func (h *sweeper) takeBack(ctx context.Context, zone, host string) {
	stream, err := h.js.Stream(ctx, queue.JobsStream(zone))
	if err == nil {
		err = stream.Purge(ctx, jetstream.WithPurgeSubject(message.JobSubject(zone, host)))
	}
	if err != nil && !errors.Is(err, jetstream.ErrStreamNotFound) {
		h.notice("zone %s: job of %s: %v", zone, host, err)
	}
}
