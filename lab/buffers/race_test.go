package buffers_test

import (
	"errors"
	"net"
	"runtime"
	"sync"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"seaworthy/internal/test/await"
	"seaworthy/lab/buffers"
)

// Every processor sends to a slow adapter, while Reconcile runs so often that it
// also gives back what still waits, and then arrives late. At no time more is held
// than there is, and nothing is lost for good.
func TestReconcileWhileFramesPass(t *testing.T) {
	for _, c := range []struct {
		name  string
		rate  uint64
		pause time.Duration // between two calls
	}{
		{"refused", 20e6, 500 * time.Microsecond},
		{"given back", 200e6, 0}, // before the pool runs out
	} {
		t.Run(c.name, func(t *testing.T) {
			reconcileWhileFramesPass(t, up(t), c.rate, c.pause)
		})
	}
}

func reconcileWhileFramesPass(t *testing.T, l *lab, rate uint64, pause time.Duration) {
	const frames, size = 10_000, 600
	before := l.meter.Taken("vios1", "ent4")[small]
	l.slow("vios1", "ent4", rate)
	done := make(chan struct{})
	var senders, others sync.WaitGroup
	cpus := processors(t)
	for _, cpu := range cpus {
		senders.Go(func() {
			if err := l.flood(cpu, frames, size); err != nil {
				t.Errorf("processor %d: %v", cpu, err)
			}
		})
	}
	others.Go(func() {
		for {
			select {
			case <-done:
				return
			case <-time.After(pause):
				l.meter.Reconcile()
			}
		}
	})
	others.Go(func() {
		for {
			select {
			case <-done:
				return
			default:
			}
			held, _ := l.meter.Held("vios1", "ent4")
			// A frame adds to it before it is refused, one on each processor.
			if n := held[small]; n < 0 || n > full+int64(len(cpus)) {
				t.Errorf("while frames pass: got %d buffers held, want 0 to %d", n, full)
				return
			}
			runtime.Gosched()
		}
	})
	senders.Wait()
	close(done)
	others.Wait()
	l.slow("vios1", "ent4", 0) // what waits is lost
	// The last ones may still be in a processor's queue.
	none := [buffers.PoolCount]int64{}
	held, ledgers := l.meter.Held("vios1", "ent4")
	if !await.Within(20*time.Second, func() bool {
		l.meter.Reconcile()
		held, ledgers = l.meter.Held("vios1", "ent4")
		return held == none && ledgers == none
	}) {
		t.Errorf("nothing moves any more: got %d buffers held by pool, %d by the ledgers, want none", held, ledgers)
	}
	for _, cpu := range cpus {
		if err := l.flood(cpu, 10, size); err != nil {
			t.Fatal(err)
		}
	}
	c := l.pools("vios1", "ent4")
	await.Within(20*time.Second, func() bool {
		c = l.pools("vios1", "ent4")
		return c.Pools[small].Registered == full
	})
	if p := c.Pools[small]; p.Registered != full || p.Allocated != full {
		t.Errorf("afterwards: got %+v, want all of %d registered", p, full)
	}
	if got := l.pools("lpar1", "ent0").ReceiverFailures; got != c.Refused() {
		t.Errorf("lpar1 heard of %d refused frames, want %d", got, c.Refused())
	}
	// Frames may be lost before they come to the adapter, but none is counted twice.
	taken, sent := l.meter.Taken("vios1", "ent4")[small]-before, uint64(len(cpus)*(frames+10))
	if got := taken + c.Pools[small].Refused; got > sent || taken == 0 {
		t.Errorf("%d frames: got %d taken and %d refused, want no more than were sent, and some taken", sent, taken, c.Pools[small].Refused)
	}
	t.Logf("%d frames: %d taken, %d refused", sent, taken, c.Pools[small].Refused)
}

// processors are those that the test may run on, up to four.
func processors(t *testing.T) (out []int) {
	t.Helper()
	var may unix.CPUSet
	if err := unix.SchedGetaffinity(0, &may); err != nil {
		t.Fatal(err)
	}
	for cpu := range 1024 {
		if may.IsSet(cpu) && len(out) < 4 {
			out = append(out, cpu)
		}
	}
	return out
}

// flood sends datagrams from lpar1 on one processor.
func (l *lab) flood(cpu, frames, size int) error {
	var s net.Conn
	if err := l.net.Run("lpar1", func() (err error) {
		s, err = net.Dial("udp4", "10.10.10.21:9")
		return err
	}); err != nil {
		return err
	}
	defer s.Close()
	failed := make(chan error)
	go func() {
		runtime.LockOSThread() // the thread ends with this
		var one unix.CPUSet
		one.Set(cpu)
		err := unix.SchedSetaffinity(0, &one)
		b := make([]byte, size-42)
		for range frames {
			if err != nil && !errors.Is(err, syscall.ECONNREFUSED) {
				break // nobody listens there, which an answer may say
			}
			_, err = s.Write(b)
		}
		if errors.Is(err, syscall.ECONNREFUSED) {
			err = nil
		}
		failed <- err
	}()
	return <-failed
}
