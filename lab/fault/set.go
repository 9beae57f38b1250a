package fault

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"seaworthy/lab/effect"
	"seaworthy/lab/topology"
)

// World is what faults act on.
type World interface {
	// Break changes what is broken and lets the kernel follow; it gives the
	// warnings that came with it.
	Break(ctx context.Context, change func(*effect.Faults) error) ([]string, error)
	// Halt ends a node's programs; Boot makes next-boot values the running ones.
	Halt(ctx context.Context, node string) error
	Boot(ctx context.Context, node string) error
}

// Set is what is broken in a lab. It is safe for concurrent use.
type Set struct {
	topology *topology.Topology
	world    World
	mu       sync.Mutex
	active   []Fault
	flapping map[[2]string]func() // ends the flapping and waits for its end
}

// New is a lab in order.
func New(t *topology.Topology, w World) *Set {
	return &Set{topology: t, world: w, flapping: map[[2]string]func(){}}
}

// List is what is broken now, in the order it was broken.
func (s *Set) List() []Fault {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.active)
}

// Break breaks something until it is mended; ctx is that of the lab, which a
// flapping port lives in. Breaking what is broken changes its value.
func (s *Set) Break(ctx context.Context, f Fault) ([]string, error) {
	p, err := parse(s.topology, f)
	if err != nil {
		return nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if old := s.flapping[f.key()]; old != nil {
		old()
		delete(s.flapping, f.key())
	}
	var warnings []string
	if f.Kind == "flap" {
		warnings, err = s.flap(ctx, p)
	} else {
		warnings, err = s.world.Break(ctx, func(x *effect.Faults) error { p.set(x, true); return nil })
	}
	if err == nil && f.Kind == "crash" {
		err = s.world.Halt(ctx, p.node)
	}
	if err != nil {
		return warnings, fmt.Errorf("break %s: %w", f, err)
	}
	s.active = slices.DeleteFunc(s.active, func(o Fault) bool { return o.key() == f.key() })
	s.active = append(s.active, f)
	return warnings, nil
}

// Mend mends what matches: an empty kind or target means any. It gives what
// was mended, and an error if nothing matched.
func (s *Set) Mend(ctx context.Context, f Fault) (mended []Fault, warnings []string, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, x := range slices.Clone(s.active) {
		if f.Kind != "" && f.Kind != x.Kind || f.Target != "" && f.Target != x.Target && !strings.HasPrefix(x.Target, f.Target+":") {
			continue
		}
		w, e := s.mend(ctx, x)
		warnings = append(warnings, w...)
		if e != nil {
			err = errors.Join(err, fmt.Errorf("mend %s: %w", x, e))
			continue
		}
		s.active = slices.DeleteFunc(s.active, func(o Fault) bool { return o.key() == x.key() })
		mended = append(mended, x)
	}
	if err == nil && len(mended) == 0 && f != (Fault{}) {
		err = fmt.Errorf("mend %s: not broken", f)
	}
	return mended, warnings, err
}

func (s *Set) mend(ctx context.Context, f Fault) ([]string, error) {
	p, err := parse(s.topology, f)
	if err != nil {
		return nil, err
	}
	if stop := s.flapping[f.key()]; stop != nil {
		stop()
		delete(s.flapping, f.key())
	}
	if f.Kind == "crash" {
		if err := s.world.Boot(ctx, p.node); err != nil {
			return nil, err
		}
	}
	return s.world.Break(ctx, func(x *effect.Faults) error { p.set(x, false); return nil })
}

// set enters a fault, or takes it out.
func (p parsed) set(x *effect.Faults, on bool) {
	port := [2]string{p.node, p.adapter}
	put := func() {}
	switch p.Kind {
	case "crash":
		delete(x.Crashed, p.node)
		put = func() { x.Crashed[p.node] = true }
	case "port-down":
		delete(x.PortDown, port)
		put = func() { x.PortDown[port] = true }
	case "flap":
		delete(x.Flapping, port)
		put = func() { x.Flapping[port] = true }
	case "loss":
		delete(x.Loss, port)
		put = func() { x.Loss[port] = uint32(p.number * 1e4) }
	case "full-buffers":
		delete(x.Slow, port)
		put = func() { x.Slow[port] = p.rate }
	case "duplex":
		delete(x.HalfDuplex, port)
		put = func() { x.HalfDuplex[port] = uint32(p.number * 1e4) }
	case "clock-jump":
		delete(x.Clock, p.node)
		put = func() { x.Clock[p.node] = p.period }
	case "delay":
		delete(x.Delay, p.Target)
		put = func() { x.Delay[p.Target] = p.period }
	case "no-jumbo":
		delete(x.SwitchMTU, p.Target)
		put = func() { x.SwitchMTU[p.Target] = int(p.number) }
	case "control-channel":
		delete(x.ControlCut, p.Target)
		put = func() { x.ControlCut[p.Target] = true }
	}
	if on {
		put()
	}
}

// flap takes the link down now, and up and down again until it is stopped.
func (s *Set) flap(ctx context.Context, p parsed) ([]string, error) {
	toggle := func(down bool) ([]string, error) {
		return s.world.Break(ctx, func(x *effect.Faults) error { p.set(x, down); return nil })
	}
	warnings, err := toggle(true)
	if err != nil {
		return warnings, err
	}
	ctx, cancel := context.WithCancel(ctx)
	var done sync.WaitGroup
	done.Go(func() {
		tick := time.NewTicker(p.period / 2)
		defer tick.Stop()
		for down := false; ; down = !down {
			select {
			case <-ctx.Done():
				return
			case <-tick.C:
				// A change that the kernel refuses is tried again the next time.
				_, _ = toggle(down)
			}
		}
	})
	s.flapping[p.key()] = func() { cancel(); done.Wait() }
	return warnings, nil
}
