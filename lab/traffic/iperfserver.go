package traffic

import (
	"context"
	"errors"
	"fmt"
	"net/netip"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"seaworthy/dialect/load/iperf2"
	"seaworthy/probe/sock"
)

// Connections that a server is ready for, and the most it takes at a time.
const (
	expectedFlows = 60
	maxFlows      = 1024
)

// group is the connections of one client that overlap in time; their sum is
// printed when the last one ends.
type group struct {
	open  int
	flows []*iperfFlow
}

// iperfServer is iperf -s.
type iperfServer struct {
	*iperfRun
	mu     sync.Mutex
	groups map[netip.Addr]*group
	flows  int
}

// leave starts the server in the background and returns when it answers.
func (r *iperfRun) leave(ctx context.Context) int {
	fail := func(err error) int {
		fmt.Fprintf(r.call.Stderr, "iperf: %v\n", err)
		return 1
	}
	l, err := sock.Listen(netip.AddrPortFrom(netip.Addr{}, uint16(r.port)), r.options())
	if err != nil {
		return fail(fmt.Errorf("bind failed: %w", err)) // while somebody can see it
	}
	l.Close()
	args := []string{"-s", "-p", strconv.Itoa(r.port)}
	if r.window > 0 {
		args = append(args, "-w", strconv.Itoa(r.window))
	}
	if r.nodelay {
		args = append(args, "-N")
	}
	if err := background(r.call.Argv[0], args...); err != nil {
		return fail(err)
	}
	if err := listening(ctx, r.port); err != nil {
		return fail(err)
	}
	fmt.Fprintln(r.call.Stdout, "Running Iperf Server as a daemon")
	return 0
}

func (r *iperfRun) serve(ctx context.Context) error {
	l, err := sock.Listen(netip.AddrPortFrom(netip.Addr{}, uint16(r.port)), r.options())
	if err != nil {
		return fmt.Errorf("bind failed: %w", err)
	}
	defer l.Close()
	room(expectedFlows)
	buffers, err := sock.Defaults(r.options(), false)
	if err != nil {
		return err
	}
	r.settings(iperf2.Server(r.port), buffers.Receive)
	var stop atomic.Bool
	defer context.AfterFunc(ctx, func() { stop.Store(true) })()
	s := &iperfServer{iperfRun: r, groups: map[netip.Addr]*group{}}
	var receivers sync.WaitGroup
	defer receivers.Wait()
	for id := 4; ; id++ {
		c, err := l.Accept(ctx)
		if err != nil {
			stop.Store(true)
			if errors.Is(err, context.Canceled) {
				return nil // ended as servers are
			}
			return err
		}
		peer, err := c.Remote()
		if err != nil || !s.admit() {
			c.Close()
			continue
		}
		f := &iperfFlow{id: id, conn: c, start: time.Now()}
		if line, err := connectionLine(id, c); err == nil {
			r.print(line)
		}
		g := s.join(peer.Addr(), f)
		receivers.Go(func() {
			if r.interval == 0 {
				f.receive(&stop)
			} else {
				ended := make(chan struct{})
				go func() { f.receive(&stop); close(ended) }()
				r.watch([]*iperfFlow{f}, f.start, ended)
			}
			s.leave(peer.Addr(), g, f)
		})
	}
}

func (s *iperfServer) admit() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.flows == maxFlows {
		return false
	}
	s.flows++
	room(s.flows)
	return true
}

func (s *iperfServer) join(peer netip.Addr, f *iperfFlow) *group {
	s.mu.Lock()
	defer s.mu.Unlock()
	g := s.groups[peer]
	if g == nil {
		g = &group{}
		s.groups[peer] = g
	}
	g.open++
	g.flows = append(g.flows, f)
	return g
}

// leave prints a flow's total, and the group's when it was the last one.
func (s *iperfServer) leave(peer netip.Addr, g *group, f *iperfFlow) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.flows--
	lines := []string{s.line(f.id, false, 0, f.took, f.bytes.Load())}
	if f.err != nil {
		lines = append(lines, f.err.Error())
	}
	if g.open--; g.open == 0 {
		delete(s.groups, peer)
		if len(g.flows) > 1 {
			var sum uint64
			first, last := f.start, f.start
			for _, o := range g.flows {
				sum += o.bytes.Load()
				if o.start.Before(first) {
					first = o.start
				}
				if end := o.start.Add(o.took); end.After(last) {
					last = end
				}
			}
			lines = append(lines, s.line(0, true, 0, last.Sub(first), sum))
		}
	}
	s.intervals(lines...)
}
