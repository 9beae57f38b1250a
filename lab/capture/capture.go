package capture

import (
	"errors"
	"fmt"
	"maps"
	"net/netip"
	"slices"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"seaworthy/lab/wire"
)

// Hop counts the frames that passed one end of a cable, in the order of the path.
type Hop struct {
	Place   wire.Place `json:"place"`
	Where   string     `json:"where"` // lpar1, hyp:cec1, sw:sw1
	Node    string     `json:"node"`  // the partition at this end, or at the far one
	Adapter string     `json:"adapter,omitempty"`
	Sends   bool       `json:"sends"` // false: receives
	Frames  uint64     `json:"frames"`
	Bytes   uint64     `json:"bytes"`
	Median  int        `json:"median"`  // frame size, bytes, Ethernet header included
	Largest int        `json:"largest"` // likewise
	Classes []Class    `json:"classes"`
	Missed  uint64     `json:"missed,omitempty"` // frames the tap was too slow for, both directions
	MTU     int        `json:"mtu"`
	OverMTU uint64     `json:"over_mtu"` // frames larger than the MTU and an Ethernet header
	firstAt time.Time
}

// Class is a range of frame sizes.
type Class struct {
	UpTo   int    `json:"up_to"` // bytes; 0: any
	Frames uint64 `json:"frames"`
}

// bounds of the classes: a standard frame, a jumbo frame, half a largesend frame.
var bounds = []int{1514, 9014, 32768, 0}

// Capture is a running one.
type Capture struct {
	taps []*tap
	net  *wire.Network
	stop chan struct{}
	done sync.WaitGroup
}

// Start opens a tap at both ends of the cables that are wanted. A tap takes 2 MB.
func Start(n *wire.Network, to netip.AddrPort, wanted func(d wire.Device) bool) (*Capture, error) {
	if !to.Addr().Is4() {
		return nil, fmt.Errorf("%s: a lab is IPv4 only", to)
	}
	c := &Capture{net: n, stop: make(chan struct{})}
	for _, d := range n.Devices() {
		if slices.Contains([]wire.Place{wire.Virtual, wire.Hypervisor, wire.Physical, wire.SwitchPort}, d.Place) && wanted(d) {
			c.taps = append(c.taps, &tap{Device: d, fd: -1})
		}
	}
	err := c.each(func(t *tap) error {
		if err := n.Run(t.Namespace, func() error { return t.open(to) }); err != nil {
			return fmt.Errorf("%s %s: capture: %w", t.Namespace, t.Device.Device, err)
		}
		return nil
	})
	if err != nil {
		_ = c.each((*tap).close)
		return nil, err
	}
	c.done.Go(func() {
		tick := time.NewTicker(2 * time.Millisecond)
		defer tick.Stop()
		for {
			for _, t := range c.taps {
				t.drain()
			}
			select {
			case <-c.stop:
				return
			case <-tick.C:
			}
		}
	})
	return c, nil
}

// each does something for every tap, for all at once: the kernel lets each wait
// for all of the machine's processors, and they wait together.
func (c *Capture) each(f func(*tap) error) error {
	var all errgroup.Group
	for _, t := range c.taps {
		all.Go(func() error { return f(t) })
	}
	return all.Wait()
}

// Stop ends the capture and gives the hops that saw frames.
func (c *Capture) Stop() ([]Hop, error) {
	close(c.stop)
	c.done.Wait()
	var hops []Hop
	failed := c.each((*tap).close)
	for _, t := range c.taps {
		link, err := c.net.Link(t.End)
		failed = errors.Join(failed, err)
		for _, seen := range []*Seen{&t.sent, &t.received} {
			if seen.Sizes != nil {
				h := hop(seen, link.MTU)
				h.Place, h.Where = t.Place, t.Namespace
				h.Node, h.Adapter = t.Node, t.Adapter
				h.Sends, h.Missed = seen == &t.sent, t.missed
				hops = append(hops, h)
			}
		}
	}
	// The first frame passes the hops one after the other.
	slices.SortStableFunc(hops, func(a, b Hop) int { return a.firstAt.Compare(b.firstAt) })
	return hops, failed
}

// hop sums up what was seen.
func hop(s *Seen, mtu int) Hop {
	const header = 14
	h := Hop{MTU: mtu, firstAt: s.FirstAt}
	for size, n := range s.Sizes {
		h.Frames += n
		h.Bytes += n * uint64(size)
	}
	for _, b := range bounds {
		h.Classes = append(h.Classes, Class{UpTo: b})
	}
	below := uint64(0)
	for _, size := range slices.Sorted(maps.Keys(s.Sizes)) {
		n := s.Sizes[size]
		below += n
		if h.Median == 0 && 2*below >= h.Frames {
			h.Median = size
		}
		h.Largest = size
		if size > mtu+header {
			h.OverMTU += n
		}
		for i, b := range bounds {
			if b == 0 || size <= b {
				h.Classes[i].Frames += n
				break
			}
		}
	}
	return h
}
