package node

import (
	"context"
	"errors"
	"fmt"

	"seaworthy/lab/effect"
	"seaworthy/lab/odm"
)

// change lets f change a node's database and makes the kernel follow. If
// either refuses, the database is as it was. A refusal of the kernel goes by the
// name of the method, if there is one.
func (w *Simulator) change(ctx context.Context, node, method string, f func(s *odm.Store) error) error {
	return w.changeDevices(ctx, node, method, f, func(context.Context) error { return nil })
}

// changeDevices is change for an f that may give the lab another plan too: then
// follow gives the kernel the devices of the plan.
func (w *Simulator) changeDevices(ctx context.Context, node, method string,
	f func(s *odm.Store) error, follow func(context.Context) error) error {
	w.changing.Lock()
	defer w.changing.Unlock()
	s, was := w.Stores[node], w.plan.Load()
	if s == nil {
		return fmt.Errorf("%s: no such node in this lab", node)
	}
	before := s.Snapshot()
	err := f(s)
	if err != nil {
		s.Restore(before)
		w.plan.Store(was)
		return err
	}
	if err = follow(ctx); err == nil {
		err = w.apply(ctx)
	}
	if err == nil {
		return nil
	}
	w.plan.Store(was)
	s.Restore(before)
	// The kernel may have followed half of the way: lead it back, even if
	// the caller has given up by now.
	ctx = context.WithoutCancel(ctx)
	if back := errors.Join(follow(ctx), w.apply(ctx)); back != nil {
		err = fmt.Errorf("%w; and putting back what was: %v", err, back)
	}
	if method == "" || errors.Is(err, context.Canceled) {
		return err
	}
	return &odm.Error{Method: method, Code: "0514-068", Text: "the kernel refused", Reason: err.Error()}
}

func (w *Simulator) apply(ctx context.Context) error {
	st, err := effect.Desired(w.Plan(), w.look())
	if err != nil {
		return err
	}
	if err := w.Apply(ctx, st); err != nil {
		return err
	}
	if err := w.fill(st); err != nil {
		return err
	}
	w.follow()
	return w.takeOver()
}

// Break gives a fault of the lab a value, or with 0 mends it, and lets the kernel
// follow. It gives the warnings of the guard against loops that came with it.
func (w *Simulator) Break(ctx context.Context, f effect.Fault, value int64) ([]string, error) {
	w.changing.Lock()
	defer w.changing.Unlock()
	if f.Kind == effect.FullBuffers && value > 0 && w.Buffers == nil {
		return nil, errors.New("not in this lab, because its virtual adapters have no receive buffers: start it as " +
			"root (lab effects says what is missing)")
	}
	before := w.seen.faults
	w.seen.faults = effect.Faults{f: value}
	for other, v := range before {
		if other != f {
			w.seen.faults[other] = v
		}
	}
	if value == 0 {
		delete(w.seen.faults, f)
	}
	if err := w.apply(ctx); err != nil {
		w.seen.faults = before
		return nil, errors.Join(err, w.apply(context.WithoutCancel(ctx)))
	}
	return w.report(), nil
}

// Start makes the kernel agree with the databases.
func (w *Simulator) Start(ctx context.Context) error {
	w.changing.Lock()
	defer w.changing.Unlock()
	return w.apply(ctx)
}
