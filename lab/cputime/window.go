package cputime

import (
	"fmt"
	"math/rand/v2"
	"time"

	"github.com/cilium/ebpf"
	"github.com/cilium/ebpf/link"
	"golang.org/x/sys/unix"
)

// Whose frames the kernel is at work with is noted in windows of time: a mark is
// cheap, but a hop of a frame does not cost much more. So a window is short and
// has many looks in it. How long it is closed changes at random, so that no load
// runs in step with it, and is long, as to open and close it takes a millisecond.
// While there is little to do with frames it stays open: then the marks cost
// little, and a part of a few looks would be none.
const (
	busyShare = 0.15                 // of a processor
	settle    = 2 * time.Millisecond // until what it takes to open it is over
	openFor   = 10*time.Millisecond + settle
	closeFor  = 240 * time.Millisecond // on average
	idleFor   = 100 * time.Millisecond // until it is asked again whether there is much to do
)

// window is the time in which devices are noted.
type window struct {
	marks  []*ebpf.Program
	flag   *ebpf.Map      // a word: since when it is open, ns of the monotonic clock; 0: it is not
	denser func(yes bool) // makes looks come closer after each other, or as always
	links  []link.Link    // of the marks; empty: it is closed
}

func (w *window) open() error {
	for _, p := range w.marks {
		l, err := attach(p)
		if err != nil {
			w.close()
			return fmt.Errorf("note whose frames the kernel is at work with: %w", err)
		}
		w.links = append(w.links, l)
	}
	var now unix.Timespec
	if err := unix.ClockGettime(unix.CLOCK_MONOTONIC, &now); err != nil {
		return err
	}
	return w.flag.Put(uint32(0), uint64(now.Nano())+uint64(settle))
}

// close is without effect where it is closed. What is noted until the programs
// have gone does not count.
func (w *window) close() {
	_ = w.flag.Put(uint32(0), uint64(0))
	for _, l := range w.links {
		l.Close()
	}
	w.links = nil
}

// openAndClose begins with an open window. Spent is how long, so far, softirqs
// ran, seen or unseen.
func (w *window) openAndClose(stop <-chan struct{}, spent func() time.Duration) {
	t := time.NewTimer(openFor)
	defer t.Stop()
	w.denser(true)
	since, before := time.Now(), spent()
	for {
		select {
		case <-stop:
			return
		case <-t.C:
		}
		if len(w.links) == 0 {
			// Should it fail, the next time may do better; what was seen before counts.
			w.denser(w.open() == nil)
			t.Reset(openFor)
			continue
		}
		now := spent()
		busy := float64(now-before) > busyShare*float64(time.Since(since))
		since, before = time.Now(), now
		w.denser(false)
		if !busy {
			t.Reset(idleFor)
			continue
		}
		w.close()
		t.Reset(closeFor/2 + rand.N(closeFor))
	}
}
