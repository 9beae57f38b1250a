package replay

import (
	"context"
	"errors"
	"math/rand/v2"
)

// turns runs a trial of a node's own tool in every variant, block by block, the
// variants of each in random order. The tool's server waits on e.To, whose
// address each trial gets. stream tells experiments of one seed apart.
func (r *runner) turns(ctx context.Context, e *Experiment, out *Outcome, server string, stream uint64, trial func(st *stage, address, variant string, block int) error) (err error) {
	st, err := r.open(ctx, e.Topology)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, st.close(ctx)) }()
	address, err := st.address(e.To)
	if err != nil {
		return err
	}
	if e.Cable > 0 {
		if _, err := st.lengthen(ctx, e.To, address, e.Cable, out); err != nil {
			return err
		}
	}
	if _, err := st.run(ctx, e.To, server+" </dev/null >/dev/null 2>&1; sleep 0.3"); err != nil {
		return err
	}
	random := rand.New(rand.NewPCG(r.Options.Seed, stream))
	blocks := r.blocks(e)
	for block := 1; block <= blocks; block++ {
		for n, i := range random.Perm(len(e.Variants)) {
			v := e.Variants[i]
			r.doing(e, "trial %d of %d: %s", (block-1)*len(e.Variants)+n, blocks*len(e.Variants), v.Name)
			if err := st.set(ctx, v); err != nil {
				return err
			}
			if err := trial(st, address, v.Name, block); err != nil {
				return err
			}
		}
	}
	return nil
}
