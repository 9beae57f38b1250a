package execute

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"seaworthy/change/pathmtu"
	"seaworthy/change/plan"
	"seaworthy/remote"
)

// prove sends packets that must arrive. A link that was just down, or a switch
// that has to learn, may take a moment.
func (r *Runner) prove(ctx context.Context, proofs []plan.Proof) error {
	var lost []string
	var first error
	var of plan.Proof
	for i, err := range each(proofs, func(p plan.Proof) error { return r.hold(ctx, p) }) {
		if err == nil {
			continue
		}
		if first == nil {
			first, of = err, proofs[i]
		}
		lost = append(lost, fmt.Sprintf("%s:%s to %s", proofs[i].Host, proofs[i].Element, proofs[i].Peer))
	}
	if first == nil {
		return nil
	}
	return &probeFailure{of: of, error: fmt.Errorf("packets of %d bytes do not arrive whole from %s: %s: %w", of.Bytes,
		strings.Join(lost, ", "), of.Command, first)}
}

// tries of a proof, a second apart.
const tries = 3

func (r *Runner) hold(ctx context.Context, p plan.Proof) (last error) {
	for n := range tries {
		if n > 0 {
			if err := pause(ctx, time.Second); err != nil {
				return err
			}
		}
		h, done, err := r.dial(ctx, p.Host)
		if err != nil {
			last = err
			continue
		}
		res, err := h.Run(ctx, remote.Command{Line: p.Command})
		done()
		switch {
		case err != nil:
			last = err
		case pathmtu.Answered(string(res.Stdout)):
			return nil
		default:
			last = errors.New(said(res))
		}
	}
	return last
}
