package hub

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"golang.org/x/sync/errgroup"

	"seaworthy/internal/collect"
	"seaworthy/internal/fleet/control"
	"seaworthy/internal/fleet/message"
	"seaworthy/internal/fleet/queue"
	"seaworthy/internal/remote"
)

// Results are kept together: so many, or all that came within a time.
const (
	mostTogether = 250
	mostFetched  = 64       // at once
	mostGathered = 16 << 20 // bytes of results, after which no more are waited for
	mostUnpacked = 256 << 20
	someUnpacked = 64 << 20 // bytes of snapshots that are kept together, unless one alone is larger
	gatherFor    = time.Second
	gatherMost   = 8 * time.Second
	quiet        = 250 * time.Millisecond // between two looks
	purgers      = 8
	tryAgain     = 10 * time.Second
	clockOff     = 26 * time.Hour // a zone's clock may differ by so much
)

// takeResults begins to take a zone's results, once. h.mu is held.
func (h *Hub) takeResults(ctx context.Context, over *sync.WaitGroup, z *zone) {
	if z.taking {
		return
	}
	z.taking = true
	name := z.Name
	over.Go(func() {
		for ctx.Err() == nil && h.hasZone(name) {
			err := h.takeSome(ctx, name)
			if queue.Full(err) {
				h.fail(full(err))
				return
			}
			if err != nil && ctx.Err() == nil && h.hasZone(name) { // a zone that was removed has no results any more
				h.notice("zone %s: %v", name, err)
				wait(ctx, tryAgain)
			}
		}
		h.mu.Lock()
		z.taking = false
		h.mu.Unlock()
	})
}

func (h *state) hasZone(name string) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.zones[name] != nil
}

// takeSome takes what has come of a zone: an error leaves it where it is.
func (h *Hub) takeSome(ctx context.Context, name string) error {
	c, err := h.js.Consumer(ctx, queue.ResultsStream(name), queue.Hub)
	if err != nil {
		return fmt.Errorf("its results: %w", err)
	}
	chunks, err := h.js.Stream(ctx, queue.ChunksStream(name))
	if err != nil {
		return fmt.Errorf("its chunks: %w", err)
	}
	unpacker, err := message.NewUnpacker()
	if err != nil {
		return err
	}
	defer unpacker.Close()
	for ctx.Err() == nil && h.hasZone(name) {
		all, err := gather(ctx, c, func() int { return h.awaitedOf(name) })
		for err == nil && len(all) > 0 {
			in := &intake{h: h, zone: name, chunks: chunks, unpacker: unpacker}
			some := all[:in.parse(all)]
			err = h.process(ctx, in, some)
			if err == nil {
				all = all[len(some):]
			}
		}
		if err != nil {
			for _, m := range all {
				_ = m.NakWithDelay(tryAgain) // else it comes again later
			}
			return err
		}
	}
	return nil
}

// gather waits for a result, and then for more: as many as are awaited, but not for long. What
// is kept together costs less, and is judged together.
func gather(ctx context.Context, c jetstream.Consumer, awaited func() int) (all []jetstream.Msg, err error) {
	most, wait, size := 1, gatherFor, 0
	for began := time.Now(); len(all) < mostTogether && ctx.Err() == nil; {
		batch, err := c.Fetch(most, jetstream.FetchMaxWait(wait))
		if err != nil {
			return all, fmt.Errorf("its results: %w", err)
		}
		for m := range batch.Messages() {
			all = append(all, m)
			size += len(m.Data())
		}
		err = batch.Error()
		if err != nil && len(all) == 0 {
			return nil, fmt.Errorf("its results: %w", err)
		}
		if len(all) == 0 || len(all) >= awaited() || size > mostGathered || time.Since(began) > gatherMost {
			break
		}
		most, wait = min(mostTogether, max(awaited(), 1))-len(all), quiet
		most = min(max(most, 1), mostFetched)
	}
	return all, nil
}

// awaitedOf is how many hosts of a zone have no outcome yet.
func (h *state) awaitedOf(zone string) (n int) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, s := range h.sweeps {
		for _, part := range s.Zones {
			if part.Zone == zone {
				n += part.All - part.Done
			}
		}
	}
	return n
}

// intake is results of a zone being kept.
type intake struct {
	h        *Hub
	zone     string
	chunks   jetstream.Stream
	unpacker *message.Unpacker

	results  []parsed
	unpacked int64 // bytes of their snapshots, by what they say
	arrived  []Arrival
	outcomes []control.Outcome
	spent    []string // digests of chunks that are not needed any more
}

// parsed is a result as it came.
type parsed struct {
	message.Result
	inline []byte
	err    error
}

// parse reads the first of some results: so many that their snapshots together have room in memory.
func (in *intake) parse(all []jetstream.Msg) (n int) {
	for _, m := range all {
		var r parsed
		r.Result, r.inline, r.err = message.ParseResult(m.Data())
		size := int64(0)
		if r.err == nil && r.Pack != nil && r.Pack.Unpacked > 0 && r.Pack.Size > 0 { // others are refused
			size = min(r.Pack.Unpacked, message.MaxUnpacked)
		}
		if n > 0 && in.unpacked+size > someUnpacked {
			break
		}
		in.unpacked += size
		in.results = append(in.results, r)
		n++
	}
	return n
}

// process keeps results, writes down the outcomes, and then forgets the messages.
func (h *Hub) process(ctx context.Context, in *intake, all []jetstream.Msg) error {
	err := h.room.Acquire(ctx, in.unpacked)
	if err != nil {
		return err
	}
	defer h.room.Release(in.unpacked)
	for _, r := range in.results {
		err = in.take(ctx, r)
		if err != nil {
			return err
		}
	}
	refused, err := h.keepAll(ctx, in)
	if err != nil {
		return err
	}
	for i, o := range in.outcomes {
		why, bad := refused[o.Host]
		if bad {
			in.outcomes[i].Verdict, in.outcomes[i].Reason = control.Failed, "not kept: "+remote.Brief(why)
		}
	}
	err = h.settle(ctx, in.outcomes)
	if err != nil {
		return err
	}
	return in.forget(ctx, all)
}

// keepAll has one batch kept at a time.
func (h *Hub) keepAll(ctx context.Context, in *intake) (map[string]string, error) {
	if len(in.arrived) == 0 {
		return nil, nil
	}
	h.keeping.Lock()
	defer h.keeping.Unlock()
	return h.o.Keeper.Keep(ctx, in.arrived)
}

// forget removes what is kept elsewhere by now.
func (in *intake) forget(ctx context.Context, all []jetstream.Msg) error {
	for _, m := range all {
		err := m.Ack()
		if err != nil {
			return fmt.Errorf("its results: %w", err)
		}
	}
	var group errgroup.Group
	group.SetLimit(purgers)
	for _, digest := range in.spent {
		group.Go(func() error {
			return in.chunks.Purge(ctx, jetstream.WithPurgeSubject(message.ChunkSubject(in.zone, digest)))
		})
	}
	err := group.Wait()
	if err != nil {
		return fmt.Errorf("its chunks: %w", err)
	}
	return nil
}

// take takes one result. What is wrong with it is its host's outcome, or, where nothing was
// asked of that host, refused and counted; an error means that it may be right later.
func (in *intake) take(ctx context.Context, r parsed) error {
	if r.err != nil {
		in.h.refuse(in.zone, remote.Brief(r.err.Error()))
		return nil
	}
	if r.Pack != nil && len(r.Pack.Chunks) <= message.MaxPack/message.MaxChunk {
		for _, digest := range r.Pack.Chunks {
			if message.ValidDigest(digest) {
				in.spent = append(in.spent, digest)
			}
		}
	}
	if !in.asked(r.Host) {
		if !in.h.owns(in.zone, r.Host) { // else it is late, or came twice
			in.h.refuse(in.zone, fmt.Sprintf("result of %s, which is no host of this zone", remote.Brief(r.Host)))
		}
		return nil
	}
	o := control.Outcome{Host: r.Host, Zone: in.zone, Collector: remote.Brief(r.Collector), Verdict: control.Read, Began: r.Began,
		Ended: r.Ended, Reason: remote.Brief(r.Error)}
	switch {
	case r.Pack == nil:
		o.Verdict = control.Failed
	case r.Error != "":
		o.Verdict = control.Partial
	}
	a := Arrival{Host: r.Host, Zone: in.zone, At: r.Ended, Why: remote.Brief(r.Error)}
	if off := time.Since(r.Ended).Abs(); off > clockOff+maxWithin || time.Until(r.Ended) > clockOff {
		o.Verdict, o.Reason, r.Pack = control.Failed, "its times are off: set the clock of its collector", nil
		a.At, a.Why = time.Now().UTC(), o.Reason
	}
	var err error
	if r.Pack != nil {
		a.Snapshot, err = in.unpack(ctx, r)
	}
	var bad *refusedError
	switch {
	case errors.As(err, &bad):
		o.Verdict, o.Reason = control.Failed, "its snapshot was refused: "+bad.Error()
		a.Snapshot, a.Why = nil, o.Reason
		in.h.refuse(in.zone, r.Host+": "+bad.Error())
	case err != nil:
		return err
	}
	in.outcomes, in.arrived = append(in.outcomes, o), append(in.arrived, a)
	return nil
}

// asked reports whether a sweep waits for a host of this zone that has not come with these
// results already.
func (in *intake) asked(host string) bool {
	for _, a := range in.arrived {
		if a.Host == host {
			return false
		}
	}
	in.h.mu.Lock()
	defer in.h.mu.Unlock()
	for _, s := range in.h.sweeps {
		if s.Hosts[host] == in.zone && !s.done[host] {
			return true
		}
	}
	return false
}

// owns reports whether a host is one of a zone.
func (h *state) owns(zone, host string) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.owners[host] == zone
}

// refusedError is what is wrong with a snapshot for good.
type refusedError struct{ err error }

func (e *refusedError) Error() string { return remote.Brief(e.err.Error()) }
func (e *refusedError) Unwrap() error { return e.err }

// unpack opens a host's snapshot, and checks that it is that of this host.
func (in *intake) unpack(ctx context.Context, r parsed) (*collect.Snapshot, error) {
	var gone error
	pack, err := message.Join(*r.Pack, r.inline, func(digest string) ([]byte, error) {
		if !message.ValidDigest(digest) {
			return nil, errors.New("a chunk without a digest")
		}
		m, err := in.chunks.GetLastMsgForSubject(ctx, message.ChunkSubject(in.zone, digest))
		if err != nil {
			if !errors.Is(err, jetstream.ErrMsgNotFound) {
				gone = fmt.Errorf("chunk %.16s: %w", digest, err)
			}
			return nil, fmt.Errorf("chunk %.16s: %w", digest, err)
		}
		return m.Data, nil
	})
	if gone != nil {
		return nil, gone
	}
	var files map[string][]byte
	if err == nil {
		files, err = in.unpacker.Unseal(pack, r.Pack.Unpacked)
	}
	var s *collect.Snapshot
	if err == nil {
		s, err = collect.OpenSnapshot(files)
	}
	switch {
	case err != nil:
		return nil, &refusedError{err}
	case s.Manifest.Host != r.Host:
		return nil, &refusedError{fmt.Errorf("it is one of host %s", remote.Brief(s.Manifest.Host))}
	case time.Until(s.Manifest.Started) > clockOff || time.Since(s.Manifest.Started) > clockOff+maxWithin:
		return nil, &refusedError{errors.New("its time is off: set the clock of its collector")}
	}
	return s, nil
}
