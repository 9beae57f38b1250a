package hub

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
	"golang.org/x/sync/semaphore"

	"seaworthy/internal/collect"
	"seaworthy/internal/fleet/control"
	"seaworthy/internal/fleet/queue"
	"seaworthy/internal/fleet/trust"
)

// Arrival is one host of one zone whose result has come.
type Arrival struct {
	Host     string
	Zone     string
	Snapshot *collect.Snapshot // nil: nothing was read
	At       time.Time         // when reading ended
	Why      string            // it was not read, or not to its end
}

// Keeper keeps snapshots. It is called by one goroutine at a time.
type Keeper interface {
	// Keep keeps snapshots and notes which hosts were not reached. It gives the hosts whose
	// snapshots it refuses, with the reasons. An error means that nothing was kept.
	Keep(ctx context.Context, arrived []Arrival) (refused map[string]string, err error)
}

// Options of a hub.
type Options struct {
	Queue    *queue.Server
	Keeper   Keeper
	Made     control.Made // for tokens
	Operator string       // the operator's public key
	Lease    time.Duration
	OnNotice func(line string)
	OnReady  func() // called once it is at work
}

// Hub is a hub: what it knows, the sweeps that it makes, who may log in.
type Hub struct {
	*sweeper

	known    chan struct{} // closed when it is known who may log in
	followed sync.Once
	keys     sync.RWMutex
	zoneKeys map[string]string // zone by public key
	keeping  sync.Mutex
	room     *semaphore.Weighted // bytes of snapshots that are unpacked
}

// sweeper makes sweeps, at once and by schedules, and ends them.
type sweeper struct{ *state }

// state is what a hub knows of its zones and sweeps, and where it keeps that.
type state struct {
	o       Options
	nc      *nats.Conn
	js      jetstream.JetStream
	streams queue.Streams

	mu        sync.Mutex
	began     time.Time // the hub's work
	zones     map[string]*zone
	owners    map[string]string // zone by host
	sweeps    map[string]*sweep // that are not over
	schedules map[string]*scheduled
	failed    chan error
}

// New makes a hub; its Users are those of the queue's server.
func New() *Hub {
	known := &state{failed: make(chan error, 1)}
	return &Hub{sweeper: &sweeper{known}, zoneKeys: map[string]string{}, known: make(chan struct{}),
		room: semaphore.NewWeighted(mostUnpacked)}
}

// Users says who has a public key. Until the hub knows that, it waits.
func (h *Hub) Users(key string) (queue.User, bool) {
	select {
	case <-h.known:
	case <-time.After(loginWait):
		return queue.User{}, false
	}
	h.keys.RLock()
	defer h.keys.RUnlock()
	if key == h.o.Operator && key != "" {
		return queue.User{Operator: true}, true
	}
	zone, ok := h.zoneKeys[key]
	return queue.User{Zone: zone}, ok
}

// SetOperator says who the operator is, before the hub runs.
func (h *Hub) SetOperator(key string) { h.o.Operator = key }

const (
	tickEvery  = time.Second
	answerWait = 30 * time.Second
	loginWait  = 8 * time.Second
	keyEvery   = 2 * time.Millisecond
)

// Run works until the context ends. An error says why it cannot go on.
func (h *Hub) Run(ctx context.Context, o Options) error {
	h.o = o
	var err error
	h.nc, err = o.Queue.Connect()
	if err != nil {
		return err
	}
	defer h.nc.Close()
	h.js, err = jetstream.New(h.nc)
	if err != nil {
		return fmt.Errorf("hub: %w", err)
	}
	h.streams = o.Queue.Streams(h.js)
	err = h.prepare(ctx)
	if err != nil {
		return err
	}
	return h.work(ctx)
}

// prepare makes the streams.
func (h *Hub) prepare(ctx context.Context) error {
	within, done := context.WithTimeout(ctx, answerWait)
	defer done()
	err := h.streams.Prepare(within, h.o.Lease)
	if err != nil {
		return err
	}
	return h.follow(ctx)
}

// work is what the hub does once its streams are there.
func (h *Hub) work(ctx context.Context) error {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	err := h.load(ctx)
	if err != nil {
		return err
	}
	err = h.resume(ctx) // before a collector may ask: it would read again what has come
	if err != nil {
		return err
	}
	var over sync.WaitGroup
	defer over.Wait()
	defer stop()
	subscriptions, err := h.listen(ctx)
	defer func() {
		for _, s := range subscriptions {
			_ = s.Unsubscribe() // the connection may be closed already
		}
	}()
	if err != nil {
		return err
	}
	h.mu.Lock()
	for _, z := range h.zones {
		h.takeResults(ctx, &over, z)
	}
	h.mu.Unlock()
	if h.o.OnReady != nil {
		h.o.OnReady()
	}
	return h.tick(ctx, &over)
}

// tick does what is due, every second.
func (h *Hub) tick(ctx context.Context, over *sync.WaitGroup) error {
	tick := time.NewTicker(tickEvery)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return nil
		case err := <-h.failed:
			if ctx.Err() != nil { // it failed since it is being stopped
				return nil
			}
			return err
		case <-tick.C:
		}
		broken := h.o.Queue.Broken()
		if broken != nil {
			return full(broken)
		}
		h.mu.Lock()
		for _, z := range h.zones {
			h.takeResults(ctx, over, z)
		}
		h.mu.Unlock()
		h.tellSilent()
		h.endLate(ctx)
		h.beginDue(ctx)
	}
}

// full is why a hub stops whose store takes nothing more.
func full(err error) error {
	return fmt.Errorf("hub: its store takes nothing more: %w: is the disk full? (df; results wait in the zones until it runs again)", err)
}

// listen answers operators and zones.
func (h *Hub) listen(ctx context.Context) (all []*nats.Subscription, err error) {
	add := func(s *nats.Subscription, e error) {
		if e != nil {
			err = errors.Join(err, e)
			return
		}
		all = append(all, s)
	}
	add(control.Answer(ctx, h.nc, control.AddZone, h.addZone))
	add(control.Answer(ctx, h.nc, control.RemoveZone, h.removeZone))
	add(control.Answer(ctx, h.nc, control.ListZones, h.listZones))
	add(control.Answer(ctx, h.nc, control.StartSweep, h.startSweep))
	add(control.Answer(ctx, h.nc, control.SweepStatus, h.status))
	add(control.Answer(ctx, h.nc, control.ListSweeps, h.listSweeps))
	add(control.Answer(ctx, h.nc, control.CancelSweep, h.cancelSweep))
	add(control.Answer(ctx, h.nc, control.PutSchedule, h.putSchedule))
	add(control.Answer(ctx, h.nc, control.RemoveSchedule, h.removeSchedule))
	add(control.Answer(ctx, h.nc, control.ListSchedules, h.listSchedules))
	h.listenToZones(ctx, add)
	if err == nil {
		err = h.nc.FlushTimeout(answerWait) // else who asks a hub that is ready may ask before the server knows who answers
	}
	return all, err
}

// fail ends the hub's work with an error.
func (h *state) fail(err error) {
	select {
	case h.failed <- err:
	default: // one is enough
	}
}

func (h *state) notice(format string, args ...any) {
	if h.o.OnNotice != nil {
		h.o.OnNotice(fmt.Sprintf(format, args...))
	}
}

// wait waits, or until the context ends.
func wait(ctx context.Context, d time.Duration) {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-ctx.Done():
	case <-t.C:
	}
}

// OperatorToken makes the token of the hub's operator.
func OperatorToken(made control.Made) (*trust.Token, string, error) {
	seed, public, err := trust.NewKey()
	if err != nil {
		return nil, "", err
	}
	t := &trust.Token{Schema: trust.SchemaToken, User: trust.Operator, Hubs: made.Hubs, Pin: made.Pin, OwnCA: made.OwnCA, Seed: seed}
	return t, public, nil
}
