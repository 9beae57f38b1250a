package execute

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"seaworthy/change/pathmtu"
	"seaworthy/change/plan"
	"seaworthy/inventory"
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

// ErrManual says that a plan waits for somebody else's work.
var ErrManual = errors.New("waits for manual work")

// manualDone makes sure, before anything is changed, that what has to be done
// manually has been done: the packets show it, or the user says so. What is
// believed the plan's proofs hold against the network later, before the next
// hosts send such packets.
func (r *Runner) manualDone(ctx context.Context, p *plan.Plan) (map[string]string, error) {
	how := map[string]string{}
	for i, s := range p.Steps {
		if s.Manual == nil {
			continue
		}
		shown, left := r.shown(ctx, s.Manual)
		switch {
		case len(left) == 0:
			how[s.ID] = "shown by packets of " + strconv.Itoa(s.Manual.MTU) + " bytes that pass"
		case slices.Contains(r.Done, s.ID):
			how[s.ID] = "on your word (--done)"
		default:
			already := ""
			if len(shown) > 0 {
				already = fmt.Sprintf(" (done already: %s)", strings.Join(shown, ", "))
			}
			return nil, fmt.Errorf("plan %s: step %d %s %w: the %s has to %s: %s%s. Nothing was changed; when it is done, apply again with "+
				"--done %s",
				p.ID, i+1, s.ID, ErrManual, s.Manual.Owner, s.Manual.What, strings.Join(left, "; "), already, s.ID)
		}
	}
	return how, nil
}

// shown divides the ports into those that packets have shown to be done and
// the others.
func (r *Runner) shown(ctx context.Context, b *plan.ManualStep) (done, left []string) {
	var mu sync.Mutex
	var passed []inventory.Ref
	each(b.Proofs, func(x plan.PortProof) error {
		if h := r.Hosts[x.Host]; h != nil {
			res, err := h.Run(ctx, remote.Command{Line: x.Command})
			if err == nil && pathmtu.Answered(string(res.Stdout)) {
				mu.Lock()
				defer mu.Unlock()
				passed = append(passed, x.Passes...)
			}
		}
		return nil // a proof that fails shows nothing
	})
	for _, p := range b.Ports {
		if slices.Contains(passed, p.At) {
			done = append(done, p.At.String())
		} else {
			left = append(left, p.String())
		}
	}
	return done, left
}
