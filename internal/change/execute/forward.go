package execute

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"seaworthy/internal/base/progress"
	"seaworthy/internal/change/plan"
	"seaworthy/internal/change/watchdog"
	"seaworthy/internal/inventory/model"
	"seaworthy/internal/knowledge"
)

// forward takes a plan's steps: those of one batch side by side, all others
// one after the other. A step that has begun ends before the error is returned.
func (k *attempt) forward(ctx context.Context) error {
	batches := batchesOf(k.plan, k.OneByOne, k.First)
	proofs := ripening(k.plan, batches)
	for n, b := range batches {
		if err := takeBatch(ctx, k, b.steps); err != nil {
			return err
		}
		if err := k.prove(ctx, proofs[n]); err != nil {
			return err
		}
		if b.canary && n < len(batches)-1 {
			if err := acceptFirst(ctx, k); err != nil {
				return err
			}
		}
	}
	return nil
}

// takeBatch takes steps that do not depend on each other.
func takeBatch(ctx context.Context, k *attempt, places []int) error {
	s := k.plan.Steps[places[0]]
	if s.Manual != nil {
		k.progress(ctx, s, evDone, nil)
		return k.journal.write(event{Event: evDone, Step: s.ID, How: k.manual[s.ID]})
	}
	// A change that was sent must end: it is not cut in the middle by Ctrl-C.
	err := errors.Join(each(places, func(place int) error {
		s := k.plan.Steps[place]
		if err := ctx.Err(); err != nil {
			return fmt.Errorf("stopped before %s: %w", s.ID, context.Cause(ctx))
		}
		if err := k.ready(ctx, s); err != nil {
			return fmt.Errorf("%s was not begun: %w", s.ID, err)
		}
		return k.step(context.WithoutCancel(ctx), s)
	})...)
	if err == nil && ctx.Err() != nil {
		last := k.plan.Steps[places[len(places)-1]]
		err = fmt.Errorf("stopped after %s: %w", last.ID, context.Cause(ctx))
	}
	return err
}

// acceptFirst reads the host that came first back over a new connection and asks whether the
// others follow.
func acceptFirst(ctx context.Context, k *attempt) error {
	made := &plan.Plan{}
	for i, state := range k.journal.now().Steps {
		if state.State == evDone && k.plan.Steps[i].Host == k.First {
			made.Steps = append(made.Steps, k.plan.Steps[i])
		}
	}
	wanted := later
	if k.within > 0 {
		wanted = unconfirmed
	}
	err := differs(ctx, k.First, k.readFresh, made.Last(k.First), wanted)
	if err == nil && k.Accept != nil {
		err = k.Accept(ctx, k.id)
	}
	if err != nil {
		return fmt.Errorf("after the steps of %s, which come first: %w", k.First, err)
	}
	return nil
}

// early is how many proofs are not put off until all is done.
const early = 4

// ripening are, for each batch, the proofs whose interfaces all have their new MTU once it is
// done: if they do not hold, the steps that follow are not begun.
func ripening(p *plan.Plan, batches []batch) [][]plan.Proof {
	mtu := knowledge.BuiltIn().ByRole(string(model.Interface), knowledge.FrameSize) // and of Linux the same
	last := func(host, element string) int {
		for n, b := range slices.Backward(batches) {
			sets := func(place int) bool { return p.Steps[place].Sets(model.Ref{Host: host, Element: element}, mtu) }
			if slices.ContainsFunc(b.steps, sets) {
				return n
			}
		}
		return -1
	}
	out := make([][]plan.Proof, len(batches))
	left := early
	for n := range len(batches) - 1 { // after the last one all are proved anyway
		for _, x := range p.Proofs {
			if left > 0 && max(last(x.Host, x.Element), last(x.Peer.Host, x.Peer.Element)) == n {
				out[n] = append(out[n], x)
				left--
			}
		}
	}
	return out
}

// ready checks once more what a step depends on, right before it.
func (r *Runner) ready(ctx context.Context, s plan.Step) error {
	for _, c := range s.Needs {
		if r.Hosts[c.Host] == nil {
			return fmt.Errorf("host %s is not connected: cannot check that %s", c.Host, c)
		}
		h, err := r.Read(ctx, c.Host)
		if err == nil {
			err = c.Holds(h)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// carryOut makes all steps and proves what is to be proved.
func (k *attempt) carryOut(ctx context.Context) error {
	if k.within > 0 {
		if err := k.arm(ctx, k.plan.Hosts, watchdog.Job{ID: k.id, Under: k.under, Window: k.within}); err != nil {
			return err
		}
		defer k.alive(context.WithoutCancel(ctx), k.id, k.within, k.plan.Hosts)()
	} else if k.Exclusive {
		if err := k.lockHosts(ctx, k.id, k.plan.Hosts); err != nil {
			return err
		}
	}
	k.shown = progress.Begin(ctx, "applying", "step", len(k.plan.Steps))
	defer k.shown.End()
	if err := k.forward(ctx); err != nil {
		return err
	}
	k.shown.Now("verifying")
	if k.within > 0 {
		err := forEachHost(k.plan.Hosts, func(h string) error {
			return differs(ctx, h, k.readFresh, k.plan.Last(h), unconfirmed)
		})
		if err != nil {
			return err
		}
	}
	return k.prove(ctx, k.plan.Proofs)
}

// step makes a step, and journals before and after. What it finds is in the
// journal before anything is changed.
func (k *attempt) step(ctx context.Context, s plan.Step) error {
	if err := k.journal.write(event{Event: evPrior, Step: s.ID, Prior: s.Changes}, event{Event: evDoing, Step: s.ID}); err != nil {
		return err
	}
	k.progress(ctx, s, evDoing, nil)
	do := k.bySession
	if k.within > 0 {
		do = k.byHost
	}
	if err := do(ctx, s); err != nil {
		k.progress(ctx, s, evFailed, err)
		return errors.Join(err, k.journal.write(event{Event: evFailed, Step: s.ID, Error: err.Error()}))
	}
	k.progress(ctx, s, evDone, nil)
	return k.journal.write(event{Event: evDone, Step: s.ID})
}
