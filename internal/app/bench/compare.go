package bench

import (
	"context"
	"errors"

	"seaworthy/internal/change/plan"
	"seaworthy/internal/measure"
)

// State is one side of a comparison.
type State struct {
	Name string
	Plan *plan.Plan // that is on; nil: the hosts as they were found
}

// Turns puts plans on hosts, one at a time, and puts back what was found; it is
// execute.Turns.
type Turns interface {
	Put(ctx context.Context, p *plan.Plan) error
	Restore(ctx context.Context) error
}

// Method measures variants: measure.Compare or measure.Matrix.
type Method func(ctx context.Context, e measure.Experiment, variants ...measure.Variant) (*measure.Result, error)

// Compare measures the states in turns: each is put on what was found, alone.
// Afterwards all is as it was found, whatever happened, or the error says what
// is not.
func Compare(ctx context.Context, e measure.Experiment, method Method, turns Turns, states ...State) (*measure.Result, error) {
	e.Restore = turns.Restore
	var variants []measure.Variant
	for _, s := range states {
		v := measure.Variant{Name: s.Name, Apply: func(ctx context.Context) error { return turns.Put(ctx, s.Plan) }}
		if s.Plan != nil {
			v.Plan, v.Values = string(s.Plan.ID), s.Plan.Values()
		}
		variants = append(variants, v)
	}
	r, err := method(ctx, e, variants...)
	return r, errors.Join(err, turns.Restore(ctx))
}
