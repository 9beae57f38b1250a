package hub

import (
	"cmp"
	"context"
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/klauspost/compress/zstd"
	"github.com/nats-io/nats.go/jetstream"

	"seaworthy/internal/base/decode"
	"seaworthy/internal/fleet/control"
	"seaworthy/internal/fleet/message"
	"seaworthy/internal/fleet/queue"
	"seaworthy/internal/remote"
)

// sweep is a sweep as it is kept. Hosts that have no outcome yet are those of Hosts that are not in done.
type sweep struct {
	control.Sweep
	Hosts map[string]string `json:"at"` // zone by host; none once the sweep has ended

	done map[string]bool
	last time.Time // an outcome came
}

// Bounds of sweeps.
const (
	maxKept       = 32 << 20 // bytes of one that is kept
	mostNamed     = 100      // hosts that were not read
	mostSweeps    = 200      // that have ended, kept
	defaultWithin = 24 * time.Hour
	maxWithin     = 30 * 24 * time.Hour
	latest        = "latest"
)

// startSweep makes a sweep and its jobs.
func (h *sweeper) startSweep(ctx context.Context, q control.NewSweep) (*control.Sweep, error) {
	which, err := parseSelector(q.Words)
	if err != nil {
		return nil, err
	}
	within := cmp.Or(time.Duration(q.Within), defaultWithin)
	if within < time.Second || within > maxWithin {
		return nil, fmt.Errorf("--within %s: expected from 1s to 30d", within)
	}
	now := time.Now().UTC()
	s := &sweep{Hosts: map[string]string{}, done: map[string]bool{}, last: now}
	s.Sweep = control.Sweep{ID: newID(now), Words: append([]string{}, q.Words...), By: q.By, User: remote.Brief(q.User),
		Begun: now, Until: now.Add(within), Not: []control.Outcome{}}
	h.mu.Lock()
	for name, z := range h.zones {
		for host, x := range z.hosts {
			if which.has(name, x) {
				s.Hosts[host] = name
			}
		}
	}
	known := len(h.owners)
	h.mu.Unlock()
	if len(s.Hosts) == 0 {
		return nil, fmt.Errorf("sweep %s: none of the %d hosts of all zones (seaworthy fleet zones lists zones)",
			strings.Join(q.Words, " "), known)
	}
	s.count()
	err = h.keep(ctx, s)
	if err != nil {
		return nil, err
	}
	h.mu.Lock()
	h.sweeps[s.ID] = s
	h.mu.Unlock()
	h.notice("sweep %s: begun (hosts: %d, zones: %d)%s", s.ID, s.All, len(s.Zones), askedBy(s))
	h.makeJobs(ctx, s, nil)
	return h.status(ctx, control.Named{Name: s.ID})
}

// askedBy says who asked for a sweep.
func askedBy(s *sweep) string {
	switch {
	case s.By != "":
		return ", by schedule " + s.By
	case s.User != "":
		return ", by " + s.User
	}
	return ""
}

// newID names a sweep by its time.
func newID(now time.Time) string {
	var salt [3]byte
	rand.Read(salt[:])
	return now.Format("20060102-150405-") + hex.EncodeToString(salt[:])
}

// count notes how many hosts each zone has.
func (s *sweep) count() {
	s.All, s.Zones = len(s.Hosts), nil
	all := map[string]int{}
	for _, z := range s.Hosts {
		all[z]++
	}
	for z, n := range all {
		s.Zones = append(s.Zones, control.Part{Zone: z, All: n})
	}
	slices.SortFunc(s.Zones, func(a, b control.Part) int { return strings.Compare(a.Zone, b.Zone) })
}

// keep writes a sweep down.
func (h *sweeper) keep(ctx context.Context, s *sweep) error {
	text, err := json.Marshal(s)
	if err != nil {
		return fmt.Errorf("sweep %s: %w", s.ID, err)
	}
	packer, err := zstd.NewWriter(nil, zstd.WithEncoderConcurrency(1))
	if err != nil {
		return fmt.Errorf("sweep %s: %w", s.ID, err)
	}
	defer packer.Close()
	packed := packer.EncodeAll(text, nil)
	if len(packed) > message.MaxMessage {
		return fmt.Errorf("sweep of %d hosts: too many for one: make one for each zone (zone=NAME)", s.All)
	}
	return h.put(ctx, queue.Sweeps, s.ID, packed)
}

// open reads what keep wrote.
func open(id string, packed []byte) (*sweep, error) {
	opener, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxMemory(maxKept))
	if err != nil {
		return nil, fmt.Errorf("sweep %s: %w", id, err)
	}
	defer opener.Close()
	text, err := opener.DecodeAll(packed, nil)
	if err != nil {
		return nil, fmt.Errorf("sweep %s: %w", id, err)
	}
	s := &sweep{done: map[string]bool{}, last: time.Now()}
	err = decode.JSON("sweep "+id, text, s, decode.Newer)
	return s, err
}

// makeJobs makes a job for each host that has no outcome and whose result has not arrived. One
// that has a job, of another sweep too, keeps that: its result is one of both.
func (h *sweeper) makeJobs(ctx context.Context, s *sweep, arrived map[string]bool) {
	h.mu.Lock()
	var hosts []string
	zones := map[string]string{}
	for host, zone := range s.Hosts {
		if !s.done[host] && !arrived[host] {
			hosts = append(hosts, host)
			zones[host] = zone
		}
	}
	order := h.together(zones, hosts)
	h.mu.Unlock()
	made := time.Now().UTC()
	for _, some := range slices.Collect(slices.Chunk(order, 500)) {
		var waiting []jetstream.PubAckFuture
		for _, host := range some {
			job := message.Job{ID: s.ID + "." + message.Token(host), Sweep: s.ID, Host: host, Made: made, Until: s.Until}
			text, err := json.Marshal(job)
			if err != nil {
				continue
			}
			f, err := h.js.PublishAsync(message.JobSubject(zones[host], host), text, jetstream.WithExpectLastSequencePerSubject(0))
			if err == nil {
				waiting = append(waiting, f)
			}
		}
		for _, f := range waiting {
			select {
			case <-f.Ok():
			case <-f.Err(): // it has one, or is made when the hub begins again
			case <-ctx.Done():
				return
			}
		}
	}
}

// together sorts hosts by managed system, so that those of one are read at about the same
// time and judged together.
func (h *sweeper) together(zones map[string]string, hosts []string) []string {
	systemOf := func(host string) string {
		z := h.zones[zones[host]]
		if z == nil {
			return ""
		}
		return z.hosts[host].Labels["system"]
	}
	slices.SortFunc(hosts, func(a, b string) int {
		return cmp.Or(strings.Compare(systemOf(a), systemOf(b)), strings.Compare(a, b))
	})
	return hosts
}

// loadSweeps reads the sweeps that are not over, and the outcomes that they have.
func (h *sweeper) loadSweeps(ctx context.Context) error {
	err := h.each(ctx, queue.Sweeps, func(e jetstream.KeyValueEntry) error {
		s, err := open(e.Key(), e.Value())
		if err == nil && s.Ended.IsZero() {
			h.sweeps[s.ID] = s
		}
		return err
	})
	if err != nil {
		return err
	}
	stream, err := h.js.Stream(ctx, queue.Outcomes)
	if err != nil {
		return fmt.Errorf("hub: outcomes: %w", err)
	}
	c, err := stream.OrderedConsumer(ctx, jetstream.OrderedConsumerConfig{})
	if err != nil {
		return fmt.Errorf("hub: outcomes: %w", err)
	}
	info, err := stream.Info(ctx)
	if err != nil {
		return fmt.Errorf("hub: outcomes: %w", err)
	}
	for left := int(info.State.Msgs); left > 0; {
		batch, err := c.Fetch(min(left, 500), jetstream.FetchMaxWait(answerWait))
		if err != nil {
			return fmt.Errorf("hub: outcomes: %w", err)
		}
		n := 0
		for m := range batch.Messages() {
			n++
			h.loadOutcome(m.Data())
		}
		if n == 0 {
			return errors.Join(errors.New("hub: outcomes: not all could be read: start it again"), batch.Error())
		}
		left -= n
	}
	return nil
}

// loadOutcome counts an outcome that was written.
func (h *sweeper) loadOutcome(text []byte) {
	var o control.Outcome
	err := decode.JSON("outcome", text, &o, decode.Newer)
	if err != nil {
		h.notice("%v", err)
		return
	}
	s := h.sweeps[o.Sweep]
	if s != nil {
		s.add(o)
	}
}

// add counts an outcome.
func (s *sweep) add(o control.Outcome) {
	if s.done[o.Host] {
		return
	}
	s.done[o.Host] = true
	s.last = time.Now()
	for i := range s.Zones {
		if s.Zones[i].Zone == o.Zone {
			s.Zones[i].Done++
		}
	}
	switch o.Verdict {
	case control.Read:
		s.Read++
		return
	case control.Partial:
		s.Partial++
	default:
		s.Failed++
	}
	if len(s.Not) < mostNamed {
		s.Not = append(s.Not, o)
	}
}

// resume makes the jobs that sweeps still lack, and drops those that were done: the hub may
// have been killed between, before its disk had the end of a job.
func (h *Hub) resume(ctx context.Context) error {
	arrived := map[string]bool{}
	h.mu.Lock()
	var all []*sweep
	for _, s := range h.sweeps {
		all = append(all, s)
	}
	for _, name := range h.zoneNames() {
		came, err := h.dropSettled(ctx, name)
		if err != nil {
			h.mu.Unlock()
			return err
		}
		for host := range came {
			arrived[host] = h.owners[host] == name || arrived[host]
		}
	}
	h.mu.Unlock()
	for _, s := range all {
		h.makeJobs(ctx, s, arrived)
		h.endIfDone(ctx, s)
	}
	return nil
}

// settle writes down what became of hosts: one outcome for each sweep that waits for it.
// The queue takes the first of a host and refuses all others.
func (h *sweeper) settle(ctx context.Context, outcomes []control.Outcome) error {
	return h.settleOf(ctx, nil, outcomes)
}

// settleOf is settle of one sweep alone; nil: of all.
func (h *sweeper) settleOf(ctx context.Context, only *sweep, outcomes []control.Outcome) error {
	type written struct {
		outcome control.Outcome
		sweep   *sweep
		ack     jetstream.PubAckFuture
	}
	var all []written
	h.mu.Lock()
	for _, o := range outcomes {
		for _, s := range h.sweeps {
			if (only == nil || s == only) && s.Hosts[o.Host] == o.Zone && !s.done[o.Host] {
				o.Sweep = s.ID
				all = append(all, written{outcome: o, sweep: s})
			}
		}
	}
	h.mu.Unlock()
	for i, w := range all {
		text, err := json.Marshal(w.outcome)
		if err == nil {
			all[i].ack, err = h.js.PublishAsync(queue.OutcomeSubject(w.sweep.ID, w.outcome.Host), text,
				jetstream.WithExpectLastSequencePerSubject(0))
		}
		if err != nil {
			return fmt.Errorf("hub: outcome of %s: %w", w.outcome.Host, err)
		}
	}
	for _, w := range all {
		var err error
		select {
		case <-w.ack.Ok():
		case err = <-w.ack.Err():
		case <-ctx.Done():
			return context.Cause(ctx)
		}
		if err != nil && !queue.Exists(err) {
			return fmt.Errorf("hub: outcome of %s: %w", w.outcome.Host, err)
		}
		h.mu.Lock()
		w.sweep.add(w.outcome)
		h.mu.Unlock()
	}
	touched := map[*sweep]bool{}
	for _, w := range all {
		touched[w.sweep] = true
	}
	for s := range touched {
		h.endIfDone(ctx, s)
	}
	return nil
}

// endIfDone ends a sweep of which every host has its outcome.
func (h *sweeper) endIfDone(ctx context.Context, s *sweep) {
	h.mu.Lock()
	over := len(s.done) >= s.All && s.Ended.IsZero()
	if over {
		s.Ended = time.Now().UTC()
		s.Hosts = nil
		delete(h.sweeps, s.ID)
	}
	h.mu.Unlock()
	if !over {
		return
	}
	h.notice("sweep %s: ended after %s (read: %d, in part: %d, not read: %d)", s.ID, s.Ended.Sub(s.Begun).Round(time.Second),
		s.Read, s.Partial, s.Failed)
	err := h.keep(ctx, s)
	if err != nil {
		h.fail(err)
		return
	}
	stream, err := h.js.Stream(ctx, queue.Outcomes)
	if err == nil {
		err = stream.Purge(ctx, jetstream.WithPurgeSubject(queue.OutcomeSubject(s.ID, "*")))
	}
	if err != nil {
		h.notice("sweep %s: its outcomes were not cleared: %v", s.ID, err)
	}
	h.forgetOld(ctx)
}

// forgetOld removes the oldest sweeps that have ended.
func (h *sweeper) forgetOld(ctx context.Context) {
	kv, err := h.js.KeyValue(ctx, queue.Sweeps)
	if err != nil {
		return
	}
	keys, err := kv.Keys(ctx)
	if err != nil {
		return
	}
	slices.Sort(keys)
	h.mu.Lock()
	keys = slices.DeleteFunc(keys, func(id string) bool { return h.sweeps[id] != nil })
	h.mu.Unlock()
	for _, id := range keys[:max(0, len(keys)-mostSweeps)] {
		err = kv.Purge(ctx, id)
		if err != nil {
			h.notice("sweep %s: not removed: %v", id, err)
		}
	}
}
