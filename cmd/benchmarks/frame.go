package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"net"
	"runtime"
	"time"

	"github.com/safchain/ethtool"
	"golang.org/x/sys/unix"

	"seaworthy/bench/stats"
	"seaworthy/lab/cputime"
)

const (
	datagram = 1400 // bytes
	atOnce   = 30   // datagrams that lpar1's stack cuts from one write
	writes   = 12   // a slice
	port     = 5010
)

// frames measures the same in another way, which other work on the machine
// disturbs less: the CPU time of one thread that sends frames of 1500 bytes and,
// in its softirqs, takes them over the whole path.
func (s *suite) frames(ctx context.Context, sites [2]*site) error {
	s.page.say("\nThe CPU time of a frame of 1442 bytes from lpar1 to lpar2, cut from writes of %d datagrams: of one thread, bound to a processor, "+
		"which sends it and takes it over the whole path. A block has the four cases in random order, each the median of many slices "+
		"of %d frames. Where the path is bound by CPU, throughput falls as this rises.", atOnce, atOnce*writes)
	var fds [2]int
	for i, x := range sites {
		fd, sink, err := x.sender()
		if err != nil {
			return err
		}
		defer unix.Close(fd)
		defer sink.Close()
		fds[i] = fd
	}
	var got [1 << kinds][]float64
	for range s.times(50) {
		for _, what := range rand.Perm(len(got)) {
			ns, err := s.frame(ctx, fds[what&counting], what&sampling != 0)
			if err != nil {
				return err
			}
			got[what] = append(got[what], ns)
		}
	}
	s.page.table("with", "µs, with", "µs, without", "effect", "95 % interval", "blocks")
	for _, w := range watches {
		var ratios []float64
		for i, ns := range got[w.what] {
			ratios = append(ratios, ns/got[0][i])
		}
		e, err := stats.Paired(ratios)
		if err != nil {
			return err
		}
		us := func(v []float64) string { return fmt.Sprintf("%.2f", stats.Summarise(v).Median/1e3) }
		s.page.row(w.name, us(got[w.what]), us(got[0]), fmt.Sprintf("× %.3f", e.Ratio), between(e), fmt.Sprint(e.Blocks))
	}
	return nil
}

// sender is a socket on lpar1 whose writes become datagrams to lpar2, where the
// sink takes no more of them than fit its buffer.
func (x *site) sender() (fd int, sink net.PacketConn, err error) {
	err = x.net.Run("lpar2", func() (err error) {
		sink, err = net.ListenPacket("udp4", fmt.Sprint("10.10.10.12:", port))
		return err
	})
	if err != nil {
		return -1, nil, err
	}
	err = x.net.Run("lpar1", func() error {
		e, err := ethtool.NewEthtool()
		if err != nil {
			return err
		}
		defer e.Close()
		// Else datagrams would cross the whole path uncut.
		if err := e.Change("en0", map[string]bool{"tx-udp-segmentation": false}); err != nil {
			return err
		}
		if fd, err = unix.Socket(unix.AF_INET, unix.SOCK_DGRAM|unix.SOCK_CLOEXEC, 0); err != nil {
			return err
		}
		if err := unix.SetsockoptInt(fd, unix.SOL_UDP, unix.UDP_SEGMENT, datagram); err != nil {
			return err
		}
		return unix.Connect(fd, &unix.SockaddrInet4{Port: port, Addr: [4]byte{10, 10, 10, 12}})
	})
	if err != nil {
		sink.Close()
		return -1, nil, fmt.Errorf("lpar1: socket that sends to lpar2: %w", err)
	}
	return fd, sink, nil
}

// frame is the CPU time of a frame, in ns.
func (s *suite) frame(ctx context.Context, fd int, sampled bool) (ns float64, err error) {
	if sampled {
		sampler, err := cputime.Start()
		if err != nil {
			return 0, err
		}
		defer sampler.Close()
	}
	done := make(chan error)
	go func() {
		runtime.LockOSThread() // the thread ends with this
		var one unix.CPUSet
		one.Set(runtime.NumCPU() - 1)
		err := unix.SchedSetaffinity(0, &one)
		if err == nil {
			err = unix.Setpriority(unix.PRIO_PROCESS, unix.Gettid(), -20)
		}
		if err == nil { // first until the sampler knows that there is much to do
			_, err = sliced(ctx, fd, 300*time.Millisecond)
		}
		if err == nil {
			ns, err = sliced(ctx, fd, 400*time.Millisecond)
		}
		done <- err
	}()
	return ns, <-done
}

// sliced is the median of slices that are sent for a while of the thread's own
// time.
func sliced(ctx context.Context, fd int, d time.Duration) (float64, error) {
	b := make([]byte, atOnce*datagram)
	var got []float64
	begin, err := threadTime()
	for last := begin; err == nil && last-begin < d && ctx.Err() == nil; {
		for range writes {
			if _, err := unix.Write(fd, b); err != nil {
				return 0, fmt.Errorf("lpar1: send to lpar2: %w", err)
			}
		}
		var now time.Duration
		now, err = threadTime()
		got = append(got, float64(now-last)/(writes*atOnce))
		last = now
	}
	if err == nil {
		err = ctx.Err()
	}
	if err != nil {
		return 0, err
	}
	return stats.Summarise(got).Median, nil
}

func threadTime() (time.Duration, error) {
	var t unix.Timespec
	err := unix.ClockGettime(unix.CLOCK_THREAD_CPUTIME_ID, &t)
	return time.Duration(t.Nano()), err
}
