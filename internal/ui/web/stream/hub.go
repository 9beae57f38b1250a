package stream

import (
	"context"
	"slices"
	"sync"
	"time"

	"seaworthy/internal/collect/live"
	"seaworthy/internal/ui/livetree"
)

// Source holds what is watched.
type Source struct {
	Name   string // in words: "lab demo", "4 hosts"
	Hosts  []string
	Watch  func(ctx context.Context, news func(live.Event))
	Faults func(ctx context.Context) ([]string, error) // what is broken in a lab; nil: not known
	Every  time.Duration                               // between two readings; 0: live.Every
}

// Now holds what is known at one moment. It does not change.
type Now struct {
	Frame  *live.Frame
	Faults []string // what is broken
	Failed string   // why the faults are not known
	Known  bool     // there is somebody who knows the faults
}

// Point is one frame's figures for a chart.
type Point struct {
	At    time.Time
	Cores map[string]float64    // by host
	Rates map[string]live.Rates // by row: bytes in and out
}

// Hub has the newest frame. It is safe for concurrent use.
type Hub struct {
	source Source

	mu      sync.Mutex
	model   *live.Model
	fresh   bool // the model has news that no frame has
	now     Now
	past    course
	viewers map[chan struct{}]bool
}

// Open watches until the context ends.
func Open(ctx context.Context, source Source) *Hub {
	if source.Every == 0 {
		source.Every = live.Every
	}
	h := &Hub{source: source, model: live.NewModel(source.Hosts...), viewers: map[chan struct{}]bool{}}
	h.now = Now{Frame: h.model.Frame(), Known: source.Faults != nil, Failed: "the lab was not yet asked"}
	go source.Watch(ctx, func(e live.Event) {
		h.mu.Lock()
		defer h.mu.Unlock()
		h.model.Add(e)
		h.fresh = true
	})
	go h.run(ctx)
	return h
}

// Name says what is watched.
func (h *Hub) Name() string { return h.source.Name }

// Every is the time between two readings of a host.
func (h *Hub) Every() time.Duration { return h.source.Every }

// Now is the newest frame.
func (h *Hub) Now() Now {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.now
}

// Past are the points before and with the newest frame, the earliest first: the newest of them as they were seen, those
// before as means.
func (h *Hub) Past() []Point {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.past.points()
}

// View gives a channel that says whenever there is a newer frame, until left.
func (h *Hub) View() (news <-chan struct{}, leave func()) {
	c := make(chan struct{}, 1)
	h.mu.Lock()
	defer h.mu.Unlock()
	h.viewers[c] = true
	return c, func() {
		h.mu.Lock()
		defer h.mu.Unlock()
		delete(h.viewers, c)
	}
}

// run makes frames of the news, at most twice between two readings.
func (h *Hub) run(ctx context.Context) {
	tick := time.NewTicker(max(h.source.Every/2, 100*time.Millisecond))
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		h.turn(ctx)
	}
}

// turn makes a frame if there is news.
func (h *Hub) turn(ctx context.Context) {
	var faults []string
	var failed string
	if h.source.Faults != nil {
		got, err := h.source.Faults(ctx)
		faults = got
		if err != nil {
			failed = err.Error()
		}
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	if !h.fresh && slices.Equal(faults, h.now.Faults) && failed == h.now.Failed {
		return
	}
	h.now = Now{Frame: h.now.Frame, Faults: faults, Failed: failed, Known: h.source.Faults != nil}
	if h.fresh {
		h.now.Frame, h.fresh = h.model.Frame(), false
		h.past.add(pointOf(h.now.Frame))
	}
	for c := range h.viewers {
		select {
		case c <- struct{}{}:
		default: // it has not yet looked at the last one
		}
	}
}

func pointOf(f *live.Frame) Point {
	p := Point{At: f.At, Cores: map[string]float64{}, Rates: map[string]live.Rates{}}
	for _, r := range livetree.Rows(f) {
		switch {
		case r.Element != nil && len(r.Element.Rates) > 0:
			p.Rates[r.Key] = live.Rates{}
			for _, m := range []live.Metric{live.InBytes, live.OutBytes} {
				if v, ok := r.Element.Rates[m]; ok {
					p.Rates[r.Key][m] = v
				}
			}
		case r.Element == nil && r.Host != nil && r.Host.Cores != nil:
			p.Cores[r.Host.Name] = *r.Host.Cores
		}
	}
	return p
}
