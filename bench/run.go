package bench

import (
	"context"
	"fmt"
	"slices"
)

// Run measures every workload Repetitions times, in random order within each
// repetition. On an error the result holds the trials that were finished; it
// is nil only if the experiment itself is wrong.
func Run(ctx context.Context, e Experiment) (*Result, error) {
	return conduct(ctx, e, "run", Variant{})
}

// Compare measures every workload under A and under B in blocks. A block holds
// one turn of A, one of B and, in as many blocks as Control says, a second one
// of A, in random order; each turn applies its variant and measures all
// workloads. The effect is B/A paired by block, A being the geometric mean of
// the block's turns of A; the control is the ratio of those two.
//
// On an error the result holds the finished trials and what the complete
// blocks among them show. The path is put back in any case, see
// Experiment.Restore.
func Compare(ctx context.Context, e Experiment, variants ...Variant) (*Result, error) {
	return conduct(ctx, e, "compare", variants...)
}

// Matrix measures every workload under each variant in blocks, as Compare does
// but without a control. The contrasts are those of every variant against the
// first one.
func Matrix(ctx context.Context, e Experiment, variants ...Variant) (*Result, error) {
	return conduct(ctx, e, "matrix", variants...)
}

// conduct measures the variants, which have names unless the mode is "run" or "mesh".
func conduct(ctx context.Context, e Experiment, mode string, variants ...Variant) (*Result, error) {
	e, err := e.check()
	if err != nil {
		return nil, err
	}
	var names []string
	for _, v := range variants {
		if mode != "run" && mode != "mesh" && (v.Name == "" || slices.Contains(names, v.Name)) {
			return nil, fmt.Errorf("%s: variant %q: each needs a name of its own", mode, v.Name)
		}
		names = append(names, v.Name)
	}
	switch {
	case len(variants) == 0, mode == "compare" && len(variants) != 2:
		return nil, fmt.Errorf("%s: %d variants do not make one", mode, len(variants))
	case mode != "compare":
		e.Control, e.Further, e.UntilDecided = 0, 0, false
	case e.Control == 0 || e.Control > e.Repetitions:
		e.Control = e.Repetitions
	}
	e.Control = max(0, e.Control)
	if e.UntilDecided {
		e.Further = 0
	}
	s := newSession(&e, mode)
	if mode != "run" && mode != "mesh" {
		s.result.Options.Variants = names
	}
	for _, v := range variants {
		if v.Plan != "" {
			s.result.Options.Changes = append(s.result.Options.Changes, Change{v.Name, v.Plan, v.Values})
		}
	}
	s.total = (len(variants)*e.Repetitions + e.Control) * len(e.Workloads)
	err = s.run(ctx, variants)
	for _, b := range names[1:] {
		s.contrast(names[0], b)
	}
	return s.finish(err)
}
