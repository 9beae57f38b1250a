package hub

import (
	"context"
	"fmt"

	"github.com/nats-io/nats.go"
	"golang.org/x/time/rate"

	"seaworthy/internal/fleet/message"
	"seaworthy/internal/fleet/queue"
)

// How many messages of a zone are taken, a second and at once. A collector stays far below: it asks for its lease ten
// times a second at most, and each result waits for the disk.
const (
	asksPerSecond, asksAtOnce = 50, 200
	sentPerSecond, sentAtOnce = 2000, 5000
)

// pace bounds what a zone sends.
type pace struct {
	asks *rate.Limiter // for leases and with lists of hosts: each is answered
	sent *rate.Limiter // results and chunks: each is written to the disk
}

func newPace() pace {
	return pace{rate.NewLimiter(asksPerSecond, asksAtOnce), rate.NewLimiter(sentPerSecond, sentAtOnce)}
}

// mayAsk reports whether a zone's question is answered.
func (h *state) mayAsk(name string) bool {
	h.mu.Lock()
	z := h.zones[name]
	h.mu.Unlock()
	if z == nil || z.pace.asks.Allow() {
		return true // of a zone that is not known the answer says so
	}
	h.refuse(name, fmt.Sprintf("more than %d questions a second", asksPerSecond))
	return false
}

// watchSent counts what zones send to the queue. What is too large the queue has refused, and told who sent it alone; a
// zone that sends more than the disk should take is cut off, and may log in again.
func (h *Hub) watchSent(m *nats.Msg) {
	name := message.ZoneOfSent(m.Subject)
	size := m.Size() - len(m.Subject) - len(m.Reply)
	h.mu.Lock()
	z := h.zones[name]
	if z != nil {
		h.heard(z)
	}
	h.mu.Unlock()
	switch {
	case z == nil:
	case size > queue.MostSent(m.Subject):
		h.refuse(name, fmt.Sprintf("%d bytes in one message, more than the limit of %d", size, queue.MostSent(m.Subject)))
	case !z.pace.sent.Allow():
		h.refuse(name, fmt.Sprintf("more than %d results and chunks a second", sentPerSecond))
		h.cut(name)
	}
}

// cut ends the connections of a zone.
func (h *Hub) cut(name string) {
	h.keys.RLock()
	defer h.keys.RUnlock()
	for key, zone := range h.zoneKeys {
		if zone == name {
			h.o.Queue.Drop(key)
		}
	}
}

// listenToZones answers what zones ask, and watches what they send.
func (h *Hub) listenToZones(ctx context.Context, add func(*nats.Subscription, error)) {
	add(h.nc.Subscribe(message.LeaseSubject("*"), func(m *nats.Msg) {
		if h.mayAsk(message.ZoneOf(m.Subject)) {
			h.lease(ctx, m)
		}
	}))
	add(h.nc.Subscribe(message.HostsSubject("*"), func(m *nats.Msg) {
		if h.mayAsk(message.ZoneOf(m.Subject)) {
			h.takeHosts(ctx, m)
		}
	}))
	add(h.nc.Subscribe(message.ResultSubject("*"), h.watchSent))
	add(h.nc.Subscribe(message.ChunkSubject("*", "*"), h.watchSent))
}
