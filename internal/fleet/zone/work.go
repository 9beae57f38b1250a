package zone

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"seaworthy/internal/fleet/message"
	"seaworthy/internal/fleet/queue"
)

// task is a job that this collector holds.
type task struct {
	job     message.Job
	message jetstream.Msg // the newest delivery
	reading bool
	done    bool // its result is in the spool

	stop      context.CancelCauseFunc // of its reading
	withdrawn bool                    // no sweep waits for it any more
}

// list asks which hosts there are.
func (c *collector) list(ctx context.Context) error {
	hosts, err := c.o.Reader.Hosts(ctx)
	if err != nil {
		return err
	}
	byName := make(map[string]Host, len(hosts))
	for _, h := range hosts {
		byName[h.Name] = h
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.lists == 0 || !reflect.DeepEqual(c.hosts, byName) {
		c.hosts = byName
		c.lists++
	}
	return nil
}

// keepHosts tells the hub which hosts there are: with each lease, and when they change.
func (c *collector) keepHosts(ctx context.Context) {
	told, toldIn := 0, ""
	listed := time.Now()
	for ; ctx.Err() == nil; pause(ctx, nil, 200*time.Millisecond) {
		if time.Since(listed) > hostsEvery {
			listed = time.Now()
			err := c.list(ctx)
			if err != nil {
				c.notice("list of hosts: %v: going on with the earlier one", err)
			}
		}
		c.mu.Lock()
		s, lists := c.session, c.lists
		c.mu.Unlock()
		if s == nil || told == lists && toldIn == s.id {
			continue
		}
		text, err := c.hostsText()
		if err != nil {
			c.notice("%v", err)
			pause(ctx, nil, hostsEvery)
			continue
		}
		err = c.tellHosts(ctx, text)
		if err != nil {
			continue
		}
		if toldIn != s.id && c.o.OnReady != nil {
			c.o.OnReady()
		}
		told, toldIn = lists, s.id
	}
}

func (c *collector) hostsText() ([]byte, error) {
	c.mu.Lock()
	list := make([]message.Host, 0, len(c.hosts))
	for _, h := range c.hosts {
		list = append(list, h.Host)
	}
	c.mu.Unlock()
	slices.SortFunc(list, func(a, b message.Host) int {
		switch {
		case a.Name < b.Name:
			return -1
		case a.Name > b.Name:
			return 1
		}
		return 0
	})
	return message.WriteHosts(list)
}

func (c *collector) tellHosts(ctx context.Context, text []byte) error {
	ctx, done := context.WithTimeout(ctx, askWait)
	defer done()
	m, err := c.nc.RequestWithContext(ctx, message.HostsSubject(c.o.Zone), text)
	if err != nil {
		return err
	}
	a, err := message.Parse[message.HostsAnswer]("list of hosts", m.Data)
	if err != nil {
		return err
	}
	if a.Error != "" {
		c.notice("the hub did not take the list of hosts: %s", a.Error)
		return errors.New(a.Error)
	}
	for _, why := range a.Refused {
		c.notice("not read for the hub: %s", why)
	}
	return nil
}

// fetch takes jobs, as long as there is a lease.
func (c *collector) fetch(ctx context.Context) {
	for ctx.Err() == nil {
		c.mu.Lock()
		s, room := c.session, c.o.Ahead-len(c.held)
		c.mu.Unlock()
		n, size := c.spool.state()
		if s == nil || room <= 0 || size > c.o.MaxSpool {
			if size > c.o.MaxSpool {
				c.notice("%d results of %d MiB wait for the hub: no more hosts are read until some are sent", n, size>>20)
				pause(ctx, nil, askWait)
			}
			pause(ctx, nil, 100*time.Millisecond)
			continue
		}
		err := c.fetchSome(ctx, s, min(room, 500))
		if err != nil {
			pause(ctx, nil, time.Second)
		}
	}
}

func (c *collector) fetchSome(ctx context.Context, s *session, room int) error {
	within, done := context.WithTimeout(ctx, askWait)
	defer done()
	consumer, err := c.js.Consumer(within, queue.JobsStream(c.o.Zone), queue.Collector)
	if err != nil {
		return fmt.Errorf("jobs: %w", err)
	}
	c.reconcile(consumer.CachedInfo().NumAckPending)
	for began := time.Now(); s.ctx.Err() == nil && time.Since(began) < reconcileEvery; {
		batch, err := consumer.Fetch(room, jetstream.FetchMaxWait(time.Second))
		if err != nil {
			return fmt.Errorf("jobs: %w", err)
		}
		for m := range batch.Messages() {
			c.take(s, m)
		}
		err = batch.Error()
		if err != nil {
			return fmt.Errorf("jobs: %w", err)
		}
		c.mu.Lock()
		room = min(c.o.Ahead-len(c.held), 500)
		c.mu.Unlock()
		_, size := c.spool.state()
		if room <= 0 || size > c.o.MaxSpool {
			return nil
		}
	}
	return nil
}

// reconcile holds the jobs at hand against those that the queue has with this collector: of
// those that were on their way when the link was cut only the queue knows.
func (c *collector) reconcile(pending int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if pending <= len(c.held) {
		c.lost = 0
		return
	}
	c.lost++
	if c.lost >= lostLooks {
		c.lost, c.again = 0, true
	}
}

// take takes a job. One that came before, and came again, is the same one.
func (c *collector) take(s *session, m jetstream.Msg) {
	job, err := message.Parse[message.Job]("job", m.Data())
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.session != s { // it comes again, to whoever has the lease then
		return
	}
	if err != nil {
		c.notice("%v", err)
		_ = m.Term() // else it comes again
		return
	}
	_, sent := c.sent[job.ID]
	if sent {
		_ = m.Ack() // else it comes again
		return
	}
	t := c.held[job.Host]
	if t != nil {
		t.message = m
		return
	}
	t = &task{job: job, message: m, done: c.spool.has(job.ID)}
	c.held[job.Host] = t
	if t.done {
		poke(c.send)
		return
	}
	c.order = append(c.order, t)
	poke(c.wake)
}

// dispatch begins to read hosts, as the limits allow.
func (c *collector) dispatch(ctx context.Context) {
	for ctx.Err() == nil {
		for c.next(ctx) {
		}
		pause(ctx, c.wake, time.Second)
	}
	for { // those that are being read see the end, too
		c.mu.Lock()
		n := c.begun
		c.mu.Unlock()
		if n == 0 {
			return
		}
		pause(context.WithoutCancel(ctx), c.wake, 100*time.Millisecond)
	}
}

// next begins to read the first host that the limits allow.
func (c *collector) next(ctx context.Context) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	s := c.session
	if s == nil || s.ctx.Err() != nil || time.Now().After(s.until) || ctx.Err() != nil {
		return false
	}
	for i, t := range c.order {
		if c.begun >= c.using.limits.Hosts {
			return false
		}
		h, known := c.hosts[t.job.Host]
		var uses []share
		if known {
			uses = h.shares()
		}
		if !c.using.take(uses) {
			continue
		}
		c.order = slices.Delete(c.order, i, i+1)
		t.reading = true
		reading, stop := context.WithCancelCause(s.ctx)
		t.stop = stop
		c.begun++
		go func() {
			c.read(reading, t, known)
			stop(nil)
			c.mu.Lock()
			c.using.give(uses)
			c.begun--
			c.mu.Unlock()
			poke(c.wake)
		}()
		return true
	}
	return false
}

// read reads a host and puts its result into the spool.
func (c *collector) read(ctx context.Context, t *task, known bool) {
	r := message.Result{Job: t.job.ID, Host: t.job.Host, Collector: c.spool.id, Began: time.Now().UTC()}
	var pack []byte
	var unpacked int64
	switch {
	case !known:
		r.Error = "the zone's list of hosts has it no more"
	case time.Now().After(t.job.Until):
		r.Error = "its turn came after the sweep's end"
	case c.spool.begin(ctx, t.job.Host) >= mostTries:
		r.Error = fmt.Sprintf("given up: the collector ended %d times while it read this host", mostTries)
	default:
		var err error
		pack, unpacked, err = c.readPacked(ctx, t)
		if err != nil {
			r.Error = err.Error()
		}
	}
	c.mu.Lock()
	ended := ctx.Err() != nil || t.withdrawn // who has the lease next reads it, or nobody
	t.done = !ended
	c.mu.Unlock()
	if ended {
		c.spool.end(t.job.Host)
		return
	}
	r.Error = r.Error[:min(len(r.Error), message.MaxReason)]
	r.Ended = time.Now().UTC()
	if len(pack) > 0 {
		p, _ := message.Split(pack, unpacked)
		r.Pack = &p
	}
	c.spool.put(r, pack)
	c.spool.end(t.job.Host)
	poke(c.send)
}

// readPacked reads a host and packs what it said.
func (c *collector) readPacked(ctx context.Context, t *task) (pack []byte, unpacked int64, err error) {
	files, err := c.o.Reader.Read(ctx, t.job.Sweep, t.job.Host)
	if len(files) == 0 {
		if err == nil {
			err = errors.New("nothing was read")
		}
		return nil, 0, err
	}
	pack, unpacked, bad := c.packer.Seal(files)
	return pack, unpacked, errors.Join(bad, err)
}
