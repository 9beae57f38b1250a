package zone

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"seaworthy/internal/fleet/message"
	"seaworthy/internal/fleet/queue"
)

// Reader reads hosts of the zone.
type Reader interface {
	// Hosts lists the hosts; it is asked again and again.
	Hosts(ctx context.Context) ([]Host, error)
	// Read reads a host and returns the files of its snapshot by their names, nil if nothing was
	// read, and why the host was not read, or not to its end.
	Read(ctx context.Context, sweep, host string) (files map[string][]byte, err error)
}

// Options of a collector.
type Options struct {
	Zone     string
	Spool    string // folder
	Version  string
	Dial     func(options ...nats.Option) (*nats.Conn, error)
	Reader   Reader
	Redacted bool // Reader gives pseudonyms: the collector has no name of this machine either
	Limits   Limits
	Ahead    int   // jobs held at once; 0: as many as the hub lets it
	MaxSpool int64 // bytes of results that are not sent; 0: 8 GiB
	OnNotice func(line string)
	OnReady  func() // called each time that the lease is got, once the hub knows the hosts
}

// collector is a running collector.
type collector struct {
	o      Options
	spool  *spool
	packer *message.Packer
	nc     *nats.Conn
	js     jetstream.JetStream

	wake chan struct{} // there may be something to read
	send chan struct{} // there may be something to send

	mu      sync.Mutex
	hosts   map[string]Host
	lists   int      // how often hosts was read
	session *session // nil: no lease
	held    map[string]*task
	order   []*task
	sent    map[string]time.Time // jobs whose results this process sent, lately
	cleared time.Time            // when older ones were last taken out of sent
	using   usage
	begun   int  // hosts being read
	lost    int  // how often in a row the queue had more jobs with this collector than it knows
	again   bool // the next request for the lease asks for them
	holder  string
}

// session is the time in which a lease is held without a gap.
type session struct {
	id    string
	until time.Time
	ctx   context.Context
	end   context.CancelCauseFunc
}

const (
	maxSpool   = 8 << 30
	hostsEvery = time.Minute
	askWait    = 10 * time.Second
	sentLately = time.Hour

	reconcileEvery = 2 * time.Second
	lostLooks      = 3
	mostTries      = 3 // of a host during which the collector ended
	releaseWithin  = 2 * time.Second
)

// errLease is why readings end when the lease does.
var errLease = errors.New("the lease of the zone ended")

// Run works until the context ends.
func Run(ctx context.Context, o Options) error {
	if o.Ahead <= 0 || o.Ahead > queue.Ahead {
		o.Ahead = queue.Ahead
	}
	if o.MaxSpool == 0 {
		o.MaxSpool = maxSpool
	}
	s, err := openSpool(ctx, o.Spool, o.Redacted)
	if err != nil {
		return err
	}
	defer s.close()
	packer, err := message.NewPacker()
	if err != nil {
		return err
	}
	c := &collector{o: o, spool: s, packer: packer, wake: make(chan struct{}, 1), send: make(chan struct{}, 1), held: map[string]*task{},
		sent: map[string]time.Time{}, hosts: map[string]Host{}, using: usage{o.Limits.complete(), map[share]int{}}}
	err = c.list(ctx)
	if err != nil {
		return err
	}
	err = c.dial()
	if err != nil {
		return err
	}
	defer c.nc.Close()
	var over sync.WaitGroup
	for _, work := range []func(context.Context){c.keepLease, c.keepHosts, c.fetch, c.dispatch, c.sendAll} {
		over.Go(func() { work(ctx) })
	}
	over.Wait()
	return nil
}

func (c *collector) dial() error {
	nc, err := c.o.Dial(
		nats.DisconnectErrHandler(func(_ *nats.Conn, err error) {
			if err != nil {
				c.notice("link to the hub lost (%v): working on with the jobs at hand", err)
			}
		}),
		nats.ReconnectHandler(func(*nats.Conn) {
			c.notice("link to the hub is back")
			poke(c.send)
		}),
		nats.ErrorHandler(func(_ *nats.Conn, _ *nats.Subscription, err error) {
			if errors.Is(err, nats.ErrAuthorization) || errors.Is(err, nats.ErrPermissionViolation) {
				c.notice("the hub refuses this token: %v", err)
			}
		}))
	if err != nil {
		return err
	}
	c.nc = nc
	c.js, err = jetstream.New(nc)
	if err != nil {
		nc.Close()
		return fmt.Errorf("hub: %w", err)
	}
	return nil
}

func (c *collector) notice(format string, args ...any) {
	if c.o.OnNotice != nil {
		c.o.OnNotice(fmt.Sprintf(format, args...))
	}
}

// poke wakes who waits, once.
func poke(ch chan struct{}) {
	select {
	case ch <- struct{}{}:
	default:
	}
}

// pause waits for a time, a poke or the end.
func pause(ctx context.Context, ch <-chan struct{}, d time.Duration) {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-ctx.Done():
	case <-ch:
	case <-t.C:
	}
}

func newSession() string {
	var salt [8]byte
	rand.Read(salt[:])
	return hex.EncodeToString(salt[:])
}
