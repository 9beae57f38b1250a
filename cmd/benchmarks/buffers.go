package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"seaworthy/bench/stats"
	"seaworthy/catalog"
	"seaworthy/lab/buffers"
	"seaworthy/lab/node"
	"seaworthy/lab/topology"
	"seaworthy/lab/wire"
)

// site is the network of two-systems, in this process.
type site struct {
	world *node.World
	net   *wire.Network
	meter *buffers.Meter
}

func (s *site) close() {
	if s.meter != nil {
		s.meter.Close()
	}
	s.net.Close()
}

func newSite(ctx context.Context, counted bool) (*site, error) {
	t, err := topology.Load("two-systems")
	if err != nil {
		return nil, err
	}
	c, err := catalog.Load()
	if err != nil {
		return nil, err
	}
	s := &site{}
	if s.net, err = wire.Build(ctx, t); err != nil {
		return nil, err
	}
	if s.world, err = node.New(t, c, s.net); err == nil && counted {
		if s.meter, err = buffers.Watch(s.net); err == nil {
			s.world.Buffers = s.meter
		}
	}
	if err == nil {
		err = s.world.Start(ctx)
	}
	if err != nil {
		s.close()
		return nil, err
	}
	return s, nil
}

// buffers measures what the programs of receive buffers cost: the same transfer
// in two networks that differ in nothing else, in turn, in random order.
func (s *suite) buffers(ctx context.Context) error {
	s.page.say("\n## Receive buffers: what their accounting costs\n")
	if os.Geteuid() != 0 {
		s.page.say("Not measured: receive buffers need a lab started by root.")
		return nil
	}
	s.page.say("TCP from lpar1 to lpar2 of two-systems; each block has one transfer with and one without the programs. " +
		"The effect is with / without. CPU is user and system time of the process and of what the kernel does for it, per byte. " +
		"The time in the programs holds the kernel's own measuring of each run, and is so an upper bound.")
	s.page.table("mtu_bypass", "streams", "figure", "with", "without", "effect", "95 % interval", "blocks")
	var sites [2]*site
	for i := range sites {
		var err error
		if sites[i], err = newSite(ctx, i == 0); err != nil {
			return err
		}
		defer sites[i].close()
	}
	for _, bypass := range []string{"off", "on"} {
		for _, x := range sites {
			if err := x.set(ctx, bypass); err != nil {
				return err
			}
		}
		for _, streams := range []int{1, 8} {
			if err := s.cost(ctx, sites, bypass, streams); err != nil {
				return err
			}
			if err := s.share(ctx, sites[0], bypass, streams); err != nil {
				return err
			}
		}
	}
	return nil
}

func (x *site) set(ctx context.Context, bypass string) error {
	for _, host := range []string{"lpar1", "lpar2"} {
		var said bytes.Buffer
		c := &node.Call{Node: host, User: "root", Argv: []string{"chdev", "-l", "en0", "-a", "mtu_bypass=" + bypass},
			Stdin: strings.NewReader(""), Stdout: io.Discard, Stderr: &said}
		if node.Served(x.world)["chdev"](ctx, c) != 0 {
			return fmt.Errorf("%s: mtu_bypass=%s: %s", host, bypass, &said)
		}
	}
	return nil
}

func (s *suite) cost(ctx context.Context, sites [2]*site, bypass string, streams int) error {
	const block = 250 * time.Millisecond
	var rate, cpu [2][]float64
	for range s.times(40) {
		first := rand.IntN(2)
		for _, i := range []int{first, 1 - first} {
			sent, took, used, err := sites[i].transfer(ctx, streams, block)
			if err != nil {
				return err
			}
			rate[i] = append(rate[i], float64(sent)*8/took.Seconds()/1e9)
			cpu[i] = append(cpu[i], used.Seconds()/float64(sent)*1e9)
		}
	}
	for _, f := range []struct {
		name string
		of   [2][]float64
	}{{"Gbit/s", rate}, {"CPU seconds per GB", cpu}} {
		var ratios []float64
		for i := range f.of[0] {
			ratios = append(ratios, f.of[0][i]/f.of[1][i])
		}
		e, err := stats.Paired(ratios)
		if err != nil {
			return fmt.Errorf("mtu_bypass %s, %d streams: %w", bypass, streams, err)
		}
		s.page.row(bypass, fmt.Sprint(streams), f.name, fmt.Sprintf("%.3f", stats.Summarise(f.of[0]).Median),
			fmt.Sprintf("%.3f", stats.Summarise(f.of[1]).Median), fmt.Sprintf("× %.3f", e.Ratio), between(e), fmt.Sprint(e.Blocks))
	}
	return nil
}

// share is what the programs take of the CPU time of transfers, by the kernel's
// own clock: a figure that other work on the machine does not blur.
func (s *suite) share(ctx context.Context, x *site, bypass string, streams int) error {
	var used, spent time.Duration
	var runs uint64
	for range s.times(10) {
		n, t, err := x.meter.Cost(func() error {
			_, _, u, err := x.transfer(ctx, streams, 250*time.Millisecond)
			used += u
			return err
		})
		if err != nil {
			return err
		}
		runs, spent = runs+n, spent+t
	}
	s.page.row(bypass, fmt.Sprint(streams), "CPU time in the programs", fmt.Sprintf("%.2f %%", 100*spent.Seconds()/used.Seconds()), "-",
		fmt.Sprintf("%.0f ns a run", float64(spent.Nanoseconds())/float64(max(runs, 1))), "-", "-")
	return nil
}

// transfer sends for a while, and says how many bytes arrived, in which time,
// and at which cost of CPU.
func (x *site) transfer(ctx context.Context, streams int, d time.Duration) (arrived int64, took, used time.Duration, err error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	var l net.Listener
	if err := x.net.Run("lpar2", func() (err error) {
		l, err = net.Listen("tcp4", "10.10.10.12:0")
		return err
	}); err != nil {
		return 0, 0, 0, err
	}
	defer l.Close()
	var pairs []net.Conn
	defer func() {
		for _, c := range pairs {
			c.Close()
		}
	}()
	var total atomic.Int64
	var all sync.WaitGroup
	for range streams {
		var out net.Conn
		if err := x.net.Run("lpar1", func() (err error) {
			out, err = (&net.Dialer{Timeout: 10 * time.Second}).DialContext(ctx, "tcp4", l.Addr().String())
			return err
		}); err != nil {
			return 0, 0, 0, err
		}
		in, err := l.Accept()
		if err != nil {
			out.Close()
			return 0, 0, 0, err
		}
		pairs = append(pairs, out, in)
		all.Go(func() {
			b := make([]byte, 128<<10)
			for {
				if _, err := out.Write(b); err != nil {
					return
				}
			}
		})
		all.Go(func() {
			b := make([]byte, 128<<10)
			for {
				n, err := in.Read(b)
				total.Add(int64(n))
				if err != nil {
					return
				}
			}
		})
	}
	time.Sleep(d / 4) // until the windows are open
	begin, before, sent := time.Now(), spent(), total.Load()
	select {
	case <-ctx.Done():
		err = ctx.Err()
	case <-time.After(d):
	}
	arrived, took, used = total.Load()-sent, time.Since(begin), spent()-before
	for _, c := range pairs {
		c.Close()
	}
	all.Wait()
	if err == nil && arrived == 0 {
		err = fmt.Errorf("nothing arrived in %v", took)
	}
	return arrived, took, used, err
}

// spent is this process's CPU time.
func spent() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
