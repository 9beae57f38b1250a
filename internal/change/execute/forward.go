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

// forward takes a plan's steps: those of one stage side by side, all others
// one after the other. A step that has begun ends before the error is returned.
func (k *attempt) forward(ctx context.Context) error {
	done := 0
	for _, group := range k.plan.Stages() {
		done += len(group)
		if s := group[0]; s.Manual != nil {
			k.progress(ctx, s, evDone, nil)
			if err := k.journal.write(event{Event: evDone, Step: s.ID, How: k.manual[s.ID]}); err != nil {
				return err
			}
			continue
		}
		// A change that was sent must end: it is not cut in the middle by Ctrl-C.
		err := errors.Join(each(group, func(s plan.Step) error {
			if err := ctx.Err(); err != nil {
				return fmt.Errorf("stopped before %s: %w", s.ID, context.Cause(ctx))
			}
			if err := k.ready(ctx, s); err != nil {
				return fmt.Errorf("%s was not begun: %w", s.ID, err)
			}
			return k.step(context.WithoutCancel(ctx), s)
		})...)
		if err == nil && ctx.Err() != nil {
			err = fmt.Errorf("stopped after %s: %w", group[len(group)-1].ID, context.Cause(ctx))
		}
		if err != nil {
			return err
		}
		for i := done - len(group); i < done; i++ {
			if err := k.prove(ctx, ripe(k.plan, i)); err != nil {
				return err
			}
		}
	}
	return nil
}

// early is how many proofs are not put off until all is done.
const early = 4

// ripe are the first proofs whose interfaces all have their new MTU once step i
// is done: if they do not hold, the steps that follow are not begun.
func ripe(p *plan.Plan, i int) (out []plan.Proof) {
	mtu := knowledge.BuiltIn().ByRole(string(model.Interface), knowledge.FrameSize) // and of Linux the same
	last := func(host, element string) int {
		for n, s := range slices.Backward(p.Steps) {
			if s.Sets(model.Ref{Host: host, Element: element}, mtu) {
				return n
			}
		}
		return -1
	}
	at := make([]int, len(p.Proofs)) // the step after which it can hold
	for n, x := range p.Proofs {
		at[n] = max(last(x.Host, x.Element), last(x.Peer.Host, x.Peer.Element))
	}
	sooner := 0
	for n, x := range p.Proofs {
		switch {
		case at[n] < i:
			sooner++
		case at[n] == i && i < len(p.Steps)-1: // after the last step all are proved anyway
			out = append(out, x)
		}
	}
	return out[:max(0, min(len(out), early-sooner))]
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
