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

// Target is a lab that faults act on.
type Target interface {
	// Break gives a fault a value, 0 if it is mended, and lets the kernel follow; it
	// gives the warnings that came with it.
	Break(ctx context.Context, f effect.Fault, value int64) ([]string, error)
	// Halt ends a node's programs; Boot makes next-boot values the running ones.
	Halt(ctx context.Context, node string) error
	Boot(ctx context.Context, node string) error
}

// Set holds the active faults of a lab. It is safe for concurrent use.
type Set struct {
	topology *topology.Topology
	lab      Target
	mu       sync.Mutex
	active   []Fault
	flapping map[[2]string]func() // ends the flapping and waits for its end
}

// New returns the faults of a lab in which nothing is broken.
func New(t *topology.Topology, lab Target) *Set {
	return &Set{topology: t, lab: lab, flapping: map[[2]string]func(){}}
}

// List returns what is broken now, in the order it was broken.
func (s *Set) List() []Fault {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.active)
}

// Break breaks something until it is mended; ctx is that of the lab, which a
// flapping port lives in. Breaking what is broken changes its value.
func (s *Set) Break(ctx context.Context, f Fault) (warnings []string, err error) {
	at, value, err := parse(s.topology, f)
	if err != nil {
		return nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.stopFlapping(f)
	if f.Kind == "flap" {
		warnings, err = s.flap(ctx, f, at, time.Duration(value))
	} else {
		warnings, err = s.lab.Break(ctx, at, value)
	}
	if err == nil && f.Kind == "crash" {
		err = s.lab.Halt(ctx, f.Target)
	}
	if err != nil {
		return warnings, fmt.Errorf("break %s: %w", f, err)
	}
	s.remove(f)
	s.active = append(s.active, f)
	return warnings, nil
}

// stopFlapping ends the flapping of a port, if there is one.
func (s *Set) stopFlapping(f Fault) {
	if stop := s.flapping[f.key()]; stop != nil {
		stop()
		delete(s.flapping, f.key())
	}
}

// remove takes a fault off the list.
func (s *Set) remove(f Fault) {
	s.active = slices.DeleteFunc(s.active, func(o Fault) bool { return o.key() == f.key() })
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
		s.remove(x)
		mended = append(mended, x)
	}
	if err == nil && len(mended) == 0 && f != (Fault{}) {
		err = fmt.Errorf("mend %s: not broken", f)
	}
	return mended, warnings, err
}

func (s *Set) mend(ctx context.Context, f Fault) ([]string, error) {
	at, _, err := parse(s.topology, f)
	if err != nil {
		return nil, err
	}
	s.stopFlapping(f)
	if f.Kind == "crash" {
		if err := s.lab.Boot(ctx, f.Target); err != nil {
			return nil, err
		}
	}
	return s.lab.Break(ctx, at, 0)
}

// flap takes the link down now, and up and down again until it is stopped.
func (s *Set) flap(ctx context.Context, f Fault, at effect.Fault, period time.Duration) ([]string, error) {
	warnings, err := s.lab.Break(ctx, at, 1)
	if err != nil {
		return warnings, err
	}
	ctx, cancel := context.WithCancel(ctx)
	var done sync.WaitGroup
	done.Go(func() {
		tick := time.NewTicker(period / 2)
		defer tick.Stop()
		for down := int64(0); ; down = 1 - down {
			select {
			case <-ctx.Done():
				return
			case <-tick.C:
				// A change that the kernel refuses is tried again the next time.
				_, _ = s.lab.Break(ctx, at, down)
			}
		}
	})
	s.flapping[f.key()] = func() { cancel(); done.Wait() }
	return warnings, nil
}
