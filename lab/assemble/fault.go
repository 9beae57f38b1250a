package assemble

import (
	"context"
	"encoding/json"
	"fmt"

	"seaworthy/lab/fault"
)

// Faults is the answer to the queries "faults", "break" and "mend".
type Faults struct {
	Broken   []fault.Fault `json:"broken"`
	Mended   []fault.Fault `json:"mended,omitempty"`
	Warnings []string      `json:"warnings,omitempty"`
}

type query = func(context.Context, json.RawMessage) (any, error)

func answer(s *fault.Set, f Faults) Faults {
	if f.Broken = s.List(); f.Broken == nil {
		f.Broken = []fault.Fault{}
	}
	return f
}

// faults answers "faults"; guard says which loops are held off now, losses how
// many packets delays have lost.
func faults(s *fault.Set, guard func() []string, losses func() (uint64, error)) query {
	return func(context.Context, json.RawMessage) (any, error) {
		f := answer(s, Faults{Warnings: guard()})
		switch n, err := losses(); {
		case err != nil:
			f.Warnings = append(f.Warnings, err.Error())
		case n > 0:
			f.Warnings = append(f.Warnings, fmt.Sprintf("%d packets were lost on delayed cables because this machine had "+
				"no processor for them in time: what is measured there is less than the cables carry", n))
		}
		return f, nil
	}
}

// breaks answers "break" with a Fault. A flapping port goes on after the
// query, as long as the lab.
func breaks(lab context.Context, s *fault.Set) func(context.Context, fault.Fault) (any, error) {
	return func(_ context.Context, f fault.Fault) (any, error) {
		warnings, err := s.Break(lab, f)
		return answer(s, Faults{Warnings: warnings}), err
	}
}

func mends(s *fault.Set) func(context.Context, fault.Fault) (any, error) {
	return func(ctx context.Context, f fault.Fault) (any, error) {
		mended, warnings, err := s.Mend(ctx, f)
		return answer(s, Faults{Mended: mended, Warnings: warnings}), err
	}
}
