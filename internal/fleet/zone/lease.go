package zone

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"time"

	"seaworthy/internal/fleet/message"
)

// How often a lease is asked for: so many times in its length, within bounds.
const (
	renewals   = 4
	leastRenew = 100 * time.Millisecond
	mostRenew  = 5 * time.Second
)

// keepLease gets the lease of the zone, and renews it. It counts from when it asked, by
// this machine's clock: the queue counts from later on.
func (c *collector) keepLease(ctx context.Context) {
	id := newSession()
	every, tell := leastRenew, false
	for ctx.Err() == nil {
		asked := time.Now()
		lease, err := c.askLease(ctx, id, false, tell)
		switch {
		case err != nil:
			every = min(max(every, leastRenew)*2, mostRenew)
		case lease.Granted:
			every = min(max(lease.For/renewals, leastRenew), mostRenew)
			tell = lease.Ask
			if tell {
				every = 0
			}
			c.withdraw(lease.Withdrawn)
			c.hold(ctx, id, asked.Add(lease.For*9/10))
		default:
			every = mostRenew
			c.standBy(lease.Holder)
		}
		if c.lapsed() {
			id = newSession()
		}
		pause(ctx, nil, every)
	}
	c.end(errLease)
	release, done := context.WithTimeout(context.WithoutCancel(ctx), releaseWithin)
	defer done()
	_, _ = c.askLease(release, id, true, false) // else it ends by itself
}

// askLease asks for the lease, and tells the hosts of the jobs at hand where the hub asked for them.
func (c *collector) askLease(ctx context.Context, session string, release, tell bool) (a message.Lease, err error) {
	q := message.LeaseRequest{Collector: c.spool.id, Session: session, Version: c.o.Version, Release: release}
	q.Spooled, _ = c.spool.state()
	c.mu.Lock()
	q.Held, q.Reading, q.Again = len(c.held), c.begun, c.again
	c.again = false
	if tell {
		q.Hosts = []string{}
		for host := range c.held {
			q.Hosts = append(q.Hosts, host)
		}
	}
	c.mu.Unlock()
	text, err := json.Marshal(q)
	if err != nil {
		return a, err
	}
	ctx, done := context.WithTimeout(ctx, askWait)
	defer done()
	m, err := c.nc.RequestWithContext(ctx, message.LeaseSubject(c.o.Zone), text)
	if err != nil {
		return a, err
	}
	a, err = message.Parse[message.Lease]("lease", m.Data)
	if err == nil && a.Error != "" {
		err = errors.New(a.Error)
	}
	return a, err
}

// withdraw drops jobs that were taken back: a host that is being read is let go. One for which
// there is another job by now comes again.
func (c *collector) withdraw(hosts []string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, host := range hosts {
		t := c.held[host]
		if t == nil || t.done { // its result is on its way
			continue
		}
		delete(c.held, host)
		c.order = slices.DeleteFunc(c.order, func(other *task) bool { return other == t })
		t.withdrawn = true
		if t.stop != nil {
			t.stop(errWithdrawn)
		}
		_ = t.message.Nak() // a job that was taken back does not come again
	}
}

// errWithdrawn is why readings end that no sweep waits for any more.
var errWithdrawn = errors.New("no sweep waits for it any more")

// hold begins or prolongs a session.
func (c *collector) hold(ctx context.Context, id string, until time.Time) {
	c.mu.Lock()
	s := c.session
	if s != nil && s.id == id {
		s.until = until
		c.mu.Unlock()
		return
	}
	s = &session{id: id, until: until}
	s.ctx, s.end = context.WithCancelCause(ctx)
	c.session, c.holder = s, ""
	c.mu.Unlock()
	go c.watch(s)
	poke(c.wake)
	poke(c.send)
}

// watch ends a session when its lease is not renewed in time.
func (c *collector) watch(s *session) {
	for {
		c.mu.Lock()
		left := time.Until(s.until)
		c.mu.Unlock()
		if left <= 0 {
			c.notice("no link to the hub for so long that the lease of zone %s ended: waiting for it", c.o.Zone)
			c.endOf(s, errLease)
			return
		}
		pause(s.ctx, nil, left)
		if s.ctx.Err() != nil {
			return
		}
	}
}

// end ends the session, if there is one.
func (c *collector) end(why error) {
	c.mu.Lock()
	s := c.session
	c.mu.Unlock()
	if s != nil {
		c.endOf(s, why)
	}
}

// endOf ends a session: its readings are broken off, and the hub gives its jobs to the next one.
func (c *collector) endOf(s *session, why error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	s.end(why)
	if c.session == s {
		c.session = nil
		clear(c.held)
		c.order = nil
	}
}

// lapsed reports whether there is no session: the next one has another name.
func (c *collector) lapsed() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.session == nil
}

// standBy says once who has the lease.
func (c *collector) standBy(holder string) {
	c.mu.Lock()
	news := c.holder != holder
	c.holder = holder
	c.mu.Unlock()
	if news {
		c.notice("zone %s: collector %s reads its hosts: standing by", c.o.Zone, holder)
	}
}
