package execute

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"time"

	"golang.org/x/sync/errgroup"

	"seaworthy/internal/base/progress"
	"seaworthy/internal/change/plan"
	"seaworthy/internal/change/watchdog"
	"seaworthy/internal/remote"
)

// attempt is a plan being carried out or taken back.
type attempt struct {
	*Runner
	plan    *plan.Plan
	journal *journal // nil: nothing is written, the run may be another machine's
	id      string
	manual  map[string]string // manual steps, and how it is known that they are done
	within  time.Duration     // 0: steps are made over the session, else by the hosts, which watch over themselves
	under   string            // see Confirmation
	leave   func()            // gives the hosts' locks back that are held for steps over the session; nil: none are
	shown   *progress.Task    // steps that are made, or undone
}

func (r *Runner) watchdog(host string) watchdog.Client {
	c := watchdog.Client{Host: r.Hosts[host], Folder: r.Folder}
	if r.Fresh != nil {
		c.Dial = func(ctx context.Context) (remote.Host, error) { return r.Fresh(ctx, host) }
	}
	return c
}

// undone notes what became of an undo. A journal that cannot be written keeps no
// host from its earlier values, nor from the news that it has them.
func (k *attempt) undone(ctx context.Context, s plan.Step, err error) {
	e := event{Event: evUndone, Step: s.ID}
	if err != nil {
		e = event{Event: evNotUndid, Step: s.ID, Error: err.Error()}
	}
	k.progress(ctx, s, e.Event, err)
	_ = k.journal.write(e)
}

// begun are the steps that may have changed their hosts.
func (k *attempt) begun() map[string]bool {
	begun := map[string]bool{}
	for _, s := range k.journal.now().Steps {
		begun[s.Step] = s.undoable()
	}
	return begun
}

// ended notes the end of a run and gives the run as its journal has it.
func (k *attempt) ended(outcome Outcome, failure error) (*Run, error) {
	end := event{Event: evEnd, Outcome: outcome}
	if failure != nil {
		end.Error = failure.Error()
	}
	failure = errors.Join(failure, k.journal.write(end))
	return k.journal.now(), failure
}

// progress shows and logs the state of a step.
func (k *attempt) progress(ctx context.Context, s plan.Step, state string, err error) {
	slog.DebugContext(ctx, "step", "step", s.ID, "host", s.Host, "state", state, "error", err)
	switch {
	case err != nil:
		k.shown.Failed(s.ID)
	case state == evDone || state == evUndone:
		k.shown.Step(s.ID + " " + state)
	default:
		k.shown.Now(s.ID)
	}
}

func (r *Runner) connected(hosts []string) error {
	for _, h := range hosts {
		if r.Hosts[h] == nil {
			return fmt.Errorf("host %s is not connected", h)
		}
	}
	return nil
}

func (r *Runner) limit() time.Duration {
	return cmp.Or(max(0, r.StepLimit), DefaultStepLimit)
}

// atOnce is how many hosts are worked on at the same time: a jump host in
// between has to take their connections.
const atOnce = 32

// forEachHost runs f for all hosts side by side and joins their errors in order.
func forEachHost(hosts []string, f func(host string) error) error {
	return shown(context.Background(), "", hosts, f) // a context that shows no progress
}

// shown is forEachHost with its progress: doing is what happens to the hosts.
func shown(ctx context.Context, doing string, hosts []string, f func(host string) error) error {
	_, err := gather(ctx, doing, hosts, func(h string) (struct{}, error) { return struct{}{}, f(h) })
	return err
}

// gather asks all hosts side by side. Their answers are in the order of hosts.
func gather[T any](ctx context.Context, doing string, hosts []string, ask func(host string) (T, error)) ([]T, error) {
	t := progress.Begin(ctx, doing, "host", len(hosts))
	defer t.End()
	answers := make([]T, len(hosts))
	err := each(hosts, func(h string) (err error) {
		if answers[slices.Index(hosts, h)], err = ask(h); err != nil {
			t.Failed(h)
		}
		t.Step(h)
		return err
	})
	return answers, errors.Join(err...)
}

// each runs f for all of a list side by side. One that fails does not stop the
// others.
func each[T any](list []T, f func(T) error) []error {
	errs := make([]error, len(list))
	var all errgroup.Group
	all.SetLimit(atOnce)
	for i, one := range list {
		all.Go(func() error {
			errs[i] = f(one)
			return nil
		})
	}
	_ = all.Wait() // the errors are in errs
	return errs
}

// pause waits, or ends with the context and its cause.
func pause(ctx context.Context, d time.Duration) error {
	select {
	case <-ctx.Done():
		return context.Cause(ctx)
	case <-time.After(d):
		return nil
	}
}
