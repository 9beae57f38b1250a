package bench

import (
	"context"
	"errors"
)

// CrossCheck compares the built-in load with another driver on the same path, in
// interleaved blocks as Compare does: A is the reference, B the built-in one.
// So the effects show how the built-in generator compares with the reference,
// 1 being alike. Experiment.Driver is not used.
func CrossCheck(ctx context.Context, e Experiment, reference Driver) (*Result, error) {
	if reference == nil {
		return nil, errors.New("cross-check: a reference driver is needed")
	}
	s := &switched{Driver: reference, name: "builtin against " + reference.Name()}
	e.Driver = s
	choose := func(d Driver) Variant {
		return Variant{Name: d.Name(), Apply: func(context.Context) error { s.Driver = d; return nil }}
	}
	return Compare(ctx, e, choose(reference), choose(Builtin{}))
}

// switched is whichever driver the running variant chose.
type switched struct {
	Driver
	name string
}

// Name names both.
func (s *switched) Name() string { return s.name }

// NeedsProbe is true, since the built-in one does.
func (s *switched) NeedsProbe() bool { return true }
