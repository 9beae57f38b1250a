package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

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
	meter *buffers.Meter // nil: there are no receive buffers
	stop  context.CancelFunc
	kept  sync.WaitGroup
}

func (x *site) close() {
	x.stop()
	x.kept.Wait()
	x.net.Close()
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
	ctx, s.stop = context.WithCancel(ctx)
	if s.world, err = node.New(t, c, s.net); err == nil && counted {
		if s.meter, err = buffers.Watch(s.net); err == nil {
			s.world.Buffers = s.meter
			s.kept.Go(func() { s.meter.Keep(ctx) })
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

// transfer sends for a while (length), and says how many bytes arrived, in which
// time, and at which cost of CPU.
func (x *site) transfer(ctx context.Context, streams int) (arrived int64, took, used time.Duration, err error) {
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
	time.Sleep(length / 4) // until the windows are open
	begin, before, sent := time.Now(), spent(), total.Load()
	select {
	case <-ctx.Done():
		err = ctx.Err()
	case <-time.After(length):
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
