package delay

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/sys/unix"
)

// Holder delays the packets of one queue. Its methods are safe for concurrent
// use.
type Holder struct {
	ports  atomic.Pointer[map[uint32]time.Duration]
	queue  *queue
	clock  int // socket that makes the kernel note when packets arrive; -1: none
	wake   int // eventfd
	ending atomic.Bool
	done   chan struct{}
	err    error // of the loop, once done
	once   sync.Once
}

// length is how many packets a queue can hold: 100 Gbit/s for 20 ms, cut to
// 1000 bytes.
const length = 1 << 18

// trusted bounds how long ago a packet can have arrived: the time of day may
// have been set since.
const trusted = 20 * time.Millisecond

// Open makes this process the reader of a queue of the calling thread's network
// namespace.
func Open(number uint16) (*Holder, error) {
	q, err := openQueue(number, length)
	if err != nil {
		return nil, err
	}
	h := &Holder{queue: q, done: make(chan struct{})}
	h.Set(nil)
	if h.wake, err = unix.Eventfd(0, unix.EFD_CLOEXEC|unix.EFD_NONBLOCK); err != nil {
		q.close()
		return nil, os.NewSyscallError("eventfd", err)
	}
	// As long as a socket asks for it the kernel notes when packets arrive. Where
	// it does not, what counts is when they are read.
	if h.clock, err = unix.Socket(unix.AF_INET, unix.SOCK_DGRAM|unix.SOCK_CLOEXEC, 0); err == nil {
		_ = unix.SetsockoptInt(h.clock, unix.SOL_SOCKET, unix.SO_TIMESTAMP, 1)
	}
	go h.run()
	return h, nil
}

// Set gives the delay of every port, by the index of its device. A packet is
// held for those of the port it came by and of the one it is to leave by; what
// passes neither goes on at once. None overtakes another of the same way
// because a delay was changed.
func (h *Holder) Set(ports map[uint32]time.Duration) {
	ports = maps.Clone(ports)
	h.ports.Store(&ports)
}

// Err is why packets go on no more; nil while they do.
func (h *Holder) Err() error {
	select {
	case <-h.done:
		return h.err
	default:
		return nil
	}
}

// Close lets go at once what is held, and ends. Nothing should be handed to the
// queue any more: that would be lost.
func (h *Holder) Close() error {
	h.once.Do(func() {
		h.ending.Store(true)
		_, _ = unix.Write(h.wake, []byte{1, 0, 0, 0, 0, 0, 0, 0})
		<-h.done
		h.queue.close()
		unix.Close(h.wake)
		if h.clock >= 0 {
			unix.Close(h.clock)
		}
	})
	return h.err
}

func (h *Holder) run() {
	runtime.LockOSThread() // for its slack; never unlocked: the thread ends with this
	defer close(h.done)
	punctual()
	h.err = h.hold()
}

// punctual makes the kernel run this thread soon once it is to wake up. What it
// does takes microseconds; a cable does not wait for a processor.
func punctual() {
	// Anyone who sleeps is woken up to 50 µs late, unless it asks for better.
	_ = unix.Prctl(unix.PR_SET_TIMERSLACK, 1, 0, 0, 0)
	// Short turns come first since Linux 6.12; a better place takes privilege.
	short := unix.SchedAttr{Size: unix.SizeofSchedAttr, Policy: unix.SCHED_NORMAL, Nice: -20, Runtime: uint64(100 * time.Microsecond)}
	for _, short.Nice = range []int32{-20, 0} {
		if unix.SchedSetAttr(0, &short, 0) == nil {
			return
		}
	}
}

// hold reads, waits and lets go, until the end.
func (h *Holder) hold() error {
	var waits waiting
	var late lateness
	var ids []uint32
	fds := []unix.PollFd{{Fd: int32(h.queue.fd), Events: unix.POLLIN}, {Fd: int32(h.wake), Events: unix.POLLIN}}
	for {
		var timeout *unix.Timespec // none: until there is something to read
		due, some := waits.next()
		if some {
			t := unix.NsecToTimespec(max(0, int64(time.Until(due)-late.usual)))
			timeout = &t
		}
		ready, err := unix.Ppoll(fds, timeout, nil)
		if err != nil && !errors.Is(err, unix.EINTR) {
			return fmt.Errorf("wait for packets: %w", os.NewSyscallError("ppoll", err))
		}
		if some && ready == 0 && err == nil {
			late.learn(time.Since(due) + late.usual)
		}
		if err := h.read(&waits); err != nil {
			return fmt.Errorf("read held packets: %w", err)
		}
		last := h.ending.Load()
		ids = waits.appendDue(ids[:0], time.Now().Add(early), last)
		if err := h.queue.release(ids); err != nil {
			return fmt.Errorf("release packets: %w", err)
		}
		if last {
			return nil
		}
	}
}

// early is how much too early a packet may go on: less than what two wake-ups
// differ by.
const early = 5 * time.Microsecond

// lateness is how long after its time this thread usually wakes up: it asks to
// be woken that much earlier, and what is then left it spends asking again.
type lateness struct{ usual time.Duration }

// learn moves towards the median: what a busy machine does now and then does
// not count.
func (l *lateness) learn(late time.Duration) {
	const step, most = time.Microsecond, 40 * time.Microsecond
	if late > l.usual {
		l.usual = min(most, l.usual+step)
	} else {
		l.usual = max(0, l.usual-step)
	}
}

// read takes note of what has arrived.
func (h *Holder) read(waits *waiting) error {
	ports := *h.ports.Load()
	for {
		p, some, err := h.queue.next()
		if err != nil || !some {
			return err
		}
		now := time.Now()
		since := now
		if !p.arrived.IsZero() {
			if age := time.Duration(now.UnixNano() - p.arrived.UnixNano()); age > 0 && age < trusted {
				since = now.Add(-age)
			}
		}
		waits.add(p.id, p.way, since.Add(ports[p.way.from]+ports[p.way.to]))
	}
}
