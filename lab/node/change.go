package node

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"seaworthy/lab/effect"
	"seaworthy/lab/odm"
	"seaworthy/lab/wire"
)

// Change lets f change a node's database and makes the kernel follow. If
// either refuses, the database is as it was. An error of the kernel names the
// method, if there is one.
func (sim *Simulator) Change(ctx context.Context, node, method string, f func(s *odm.Store) error) error {
	return sim.changeDevices(ctx, node, method, f, func(context.Context) error { return nil })
}

// changeDevices is Change for an f that may also change the plan; follow then
// gives the kernel the devices of the plan.
func (sim *Simulator) changeDevices(ctx context.Context, node, method string,
	f func(s *odm.Store) error, follow func(context.Context) error) error {
	sim.changing.Lock()
	defer sim.changing.Unlock()
	s, was := sim.Stores[node], sim.plan.Load()
	if s == nil {
		return fmt.Errorf("%s: no such node in this lab", node)
	}
	before := s.Snapshot()
	err := f(s)
	if err != nil {
		s.Restore(before)
		sim.plan.Store(was)
		return err
	}
	if err = follow(ctx); err == nil {
		err = sim.apply(ctx)
	}
	if err == nil {
		return nil
	}
	sim.plan.Store(was)
	s.Restore(before)
	// The kernel may have followed half of the way: lead it back, even if
	// the caller has given up by now.
	ctx = context.WithoutCancel(ctx)
	if back := errors.Join(follow(ctx), sim.apply(ctx)); back != nil {
		err = fmt.Errorf("%w; and putting back what was: %v", err, back)
	}
	if method == "" || errors.Is(err, context.Canceled) {
		return err
	}
	return &odm.Error{Method: method, Code: "0514-068", Text: "the kernel refused", Reason: err.Error()}
}

func (sim *Simulator) apply(ctx context.Context) error {
	st, err := effect.Desired(sim.Plan(), sim.lookup())
	if err != nil {
		return err
	}
	if err := sim.Apply(ctx, st); err != nil {
		return err
	}
	if err := sim.ReceiveBuffers().follow(st); err != nil {
		return err
	}
	sim.Clients().follow()
	return sim.Redundancy().update()
}

// Break gives a fault of the lab a value, or with 0 mends it, and lets the kernel
// follow. It gives the warnings of the guard against loops that came with it.
func (sim *Simulator) Break(ctx context.Context, f effect.Fault, value int64) ([]string, error) {
	sim.changing.Lock()
	defer sim.changing.Unlock()
	if f.Kind == effect.FullBuffers && value > 0 && sim.Buffers == nil {
		return nil, errors.New("not in this lab, because its virtual adapters have no receive buffers: start it as " +
			"root (lab effects says what is missing)")
	}
	before := sim.faults
	sim.faults = effect.Faults{f: value}
	for other, v := range before {
		if other != f {
			sim.faults[other] = v
		}
	}
	if value == 0 {
		delete(sim.faults, f)
	}
	if err := sim.apply(ctx); err != nil {
		sim.faults = before
		return nil, errors.Join(err, sim.apply(context.WithoutCancel(ctx)))
	}
	return sim.newWarnings(), nil
}

// Start makes the kernel agree with the databases.
func (sim *Simulator) Start(ctx context.Context) error {
	sim.changing.Lock()
	defer sim.changing.Unlock()
	return sim.apply(ctx)
}

// NewWarnings returns the warnings of the guard against loops that were not reported yet.
func (sim *Simulator) NewWarnings() []string {
	sim.changing.Lock()
	defer sim.changing.Unlock()
	return sim.newWarnings()
}

func (sim *Simulator) newWarnings() []string {
	news := sim.redundancy.news
	sim.redundancy.news = nil
	return news
}

// Warnings returns the warnings of the guard against loops that hold now; they
// count as reported.
func (sim *Simulator) Warnings() []string {
	sim.changing.Lock()
	defer sim.changing.Unlock()
	sim.redundancy.news = nil
	return slices.Clone(sim.redundancy.warned)
}

// MTUMismatch reports whether some element passes less than an interface sends.
// Then the lab segments large frames early, so that each can be lost by itself.
func (sim *Simulator) MTUMismatch() bool {
	sim.changing.Lock()
	defer sim.changing.Unlock()
	return effect.MTUMismatch(sim.Plan(), sim.lookup())
}

// Withheld reports whether the lab itself, and no setting, keeps large frames from an end.
func (sim *Simulator) Withheld(at wire.End) (bool, error) {
	sim.changing.Lock()
	look := sim.lookup()
	sim.changing.Unlock()
	return effect.Withheld(sim.Plan(), look, at)
}
