package bench

import (
	"context"
	"errors"
	"fmt"
)

// Matrix measures every workload under every variant, in blocks: a block holds
// one turn of each variant, in random order. The contrasts are those of every
// variant against the first one, paired by block.
//
// On an error the result holds the finished trials and what they show. The
// path is put back in any case, see Experiment.Restore; without that the first
// variant is applied at the end.
func Matrix(ctx context.Context, e Experiment, variants []Variant) (*Result, error) {
	e, err := e.check()
	if err != nil {
		return nil, err
	}
	if len(variants) == 0 {
		return nil, errors.New("matrix: a variant is needed")
	}
	var names []string
	seen := map[string]bool{}
	for _, v := range variants {
		if v.Name == "" || seen[v.Name] {
			return nil, fmt.Errorf("matrix: variant %q: each needs a name of its own", v.Name)
		}
		seen[v.Name] = true
		names = append(names, v.Name)
	}
	e.Control = 0 // only Compare has a control
	s := newSession(&e, "matrix", names)
	s.total = len(variants) * e.Repetitions * len(e.Workloads)
	err = s.within(ctx, func(ctx context.Context) error { return s.blocks(ctx, variants) })
	for _, b := range names[1:] {
		s.contrast(names[0], b)
	}
	return s.finish(err)
}
