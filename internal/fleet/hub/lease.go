package hub

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"seaworthy/internal/base/decode"
	"seaworthy/internal/fleet/message"
	"seaworthy/internal/fleet/queue"
)

// holder is who has the lease of a zone.
type holder struct {
	Collector string `json:"collector"`
	Session   string `json:"session"`
}

// aliveFor is how long ago a collector that is connected spoke, at most.
func (h *state) aliveFor() time.Duration { return min(h.o.Lease, 30*time.Second) }

// lease answers a collector that asks for its zone's lease. The lease ends in the queue,
// by the time of its server, when it is not renewed; the collector counts from when it asked.
func (h *Hub) lease(ctx context.Context, m *nats.Msg) {
	zone := message.ZoneOf(m.Subject)
	q, err := message.Parse[message.LeaseRequest]("lease", m.Data)
	var a message.Lease
	if err == nil {
		a, err = h.grant(ctx, zone, q)
	}
	if err != nil {
		a = message.Lease{Error: err.Error()}
	}
	respond(m, a)
}

func (h *Hub) grant(ctx context.Context, name string, q message.LeaseRequest) (a message.Lease, err error) {
	if q.Collector == "" || q.Session == "" || len(q.Collector) > 100 || len(q.Session) > 100 || len(q.Version) > 100 {
		return a, errors.New("lease: expected collector and session")
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	z := h.zones[name]
	if z == nil {
		return a, fmt.Errorf("zone %s is not known", name)
	}
	has, revision, err := h.holds(ctx, name)
	if err != nil {
		return a, err
	}
	switch {
	case has.Collector != "" && has.Collector != q.Collector:
		return message.Lease{Holder: has.Collector}, nil
	case q.Release:
		z.ceased = z.ceased || has.Session == q.Session
		return a, h.release(ctx, name, has, revision, q)
	case has.Session != q.Session || q.Again:
		// Jobs were lost with a link, or the earlier session is over: its lease ended, or its collector began again.
		_, err = h.dropSettled(ctx, name)
		if err == nil {
			err = h.streams.GiveBack(ctx, name)
		}
		if err != nil {
			return a, err
		}
	}
	text, err := json.Marshal(holder{q.Collector, q.Session})
	if err != nil {
		return a, fmt.Errorf("lease: %w", err)
	}
	err = h.streams.TakeLease(ctx, name, text, revision)
	if err != nil {
		return a, err
	}
	hosts := q.Hosts
	q.Hosts = nil
	z.last = q
	h.heard(z)
	a = message.Lease{Granted: true, For: h.o.Lease, Ask: z.ended && hosts == nil}
	if hosts != nil {
		z.ended = false
		a.Withdrawn = slices.DeleteFunc(hosts, h.awaitedNow)
	}
	return a, nil
}

// holds gives who holds the lease of a zone, and its revision; nobody does at revision 0.
func (h *state) holds(ctx context.Context, name string) (has holder, revision uint64, err error) {
	text, revision, err := h.streams.Lease(ctx, name)
	if err == nil && revision > 0 {
		err = decode.JSON("lease", text, &has, decode.Newer)
	}
	return has, revision, err
}

// release ends a lease whose collector stops.
func (h *Hub) release(ctx context.Context, name string, has holder, revision uint64, q message.LeaseRequest) error {
	if has.Session != q.Session {
		return nil
	}
	err := h.streams.GiveBack(ctx, name)
	if err == nil {
		err = h.streams.EndLease(ctx, name, revision)
	}
	return err
}

// arrived are the hosts whose results are in the queue, and have no outcome yet.
func (h *Hub) arrived(ctx context.Context, name string) (map[string]bool, error) {
	stream, err := h.js.Stream(ctx, queue.ResultsStream(name))
	if err != nil {
		return nil, fmt.Errorf("zone %s: results: %w", name, err)
	}
	hosts := map[string]bool{}
	state := stream.CachedInfo().State
	for at := state.FirstSeq; at <= state.LastSeq && state.Msgs > 0; at++ {
		m, err := stream.GetMsg(ctx, at)
		if errors.Is(err, jetstream.ErrMsgNotFound) {
			continue
		}
		if err != nil {
			return nil, fmt.Errorf("zone %s: results: %w", name, err)
		}
		r, _, err := message.ParseResult(m.Data)
		if err == nil {
			hosts[r.Host] = true
		}
	}
	return hosts, nil
}

// dropSettled removes the jobs of hosts that no sweep waits for: their collector ended before
// it said that they were done, and their results are here. It gives the hosts of results that
// are in the queue. h.mu is held.
func (h *Hub) dropSettled(ctx context.Context, name string) (arrived map[string]bool, err error) {
	stream, err := h.js.Stream(ctx, queue.JobsStream(name))
	if err != nil {
		return nil, fmt.Errorf("zone %s: jobs: %w", name, err)
	}
	arrived, err = h.arrived(ctx, name)
	if err != nil {
		return nil, err
	}
	info, err := stream.Info(ctx, jetstream.WithSubjectFilter(message.JobsSubject(name)))
	if err != nil {
		return nil, fmt.Errorf("zone %s: jobs: %w", name, err)
	}
	for subject := range info.State.Subjects {
		host, bad := message.Name(message.ZoneOf(subject))
		if bad == nil && h.awaitedNow(host) && !arrived[host] {
			continue
		}
		err = stream.Purge(ctx, jetstream.WithPurgeSubject(subject))
		if err != nil {
			return nil, fmt.Errorf("zone %s: jobs: %w", name, err)
		}
	}
	return arrived, nil
}
