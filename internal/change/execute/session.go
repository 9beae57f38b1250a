package execute

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"
	"strings"
	"time"

	"seaworthy/internal/change/plan"
	"seaworthy/internal/change/task"
	"seaworthy/internal/inventory/model"
	"seaworthy/internal/remote"
)

// bySession makes a step over the session, and reads back what the plan's checks
// name, then the whole host, since a changed next-boot value does not prove the
// running one.
func (k *attempt) bySession(ctx context.Context, s plan.Step) error {
	if err := k.work(ctx, s, s.Forward()); err != nil {
		return err
	}
	for _, c := range s.Verify {
		res, err := k.Hosts[s.Host].Run(ctx, s.Reads(c).Command())
		if err != nil {
			return fmt.Errorf("%s %s: %w", s.Host, s.Element, err)
		}
		if got := task.Printed(string(res.Stdout)); res.Exit != 0 || got != c.Want {
			return fmt.Errorf("%s %s: %s is %q after the change, wanted %q (%s: exit status %d %s)",
				s.Host, c.Element, c.Attr, got, c.Want, c.Command, res.Exit, said(res))
		}
	}
	return differs(ctx, s.Host, k.Read, only(s), later)
}

func (r *Runner) work(ctx context.Context, s plan.Step, work remote.Work) error {
	c := work.Command()
	c.Limit = r.limit()
	res, err := r.Hosts[s.Host].Run(ctx, c)
	if err != nil {
		return fmt.Errorf("%s %s: %w", s.Host, s.Element, err)
	}
	if res.Exit != 0 {
		return fmt.Errorf("%s %s: %s: exit status %d: %s", s.Host, s.Element, work, res.Exit, said(res))
	}
	return nil
}

// said returns what a command printed.
func said(r *remote.Result) string { return remote.Brief(string(r.Stderr) + " " + string(r.Stdout)) }

// The configurations that a step may leave.
func later(_ plan.Step, c task.Change) task.Values       { return c.After }
func unconfirmed(_ plan.Step, c task.Change) task.Values { return c.BeforeConfirm() }
func earlier(s plan.Step, c task.Change) task.Values     { return s.Undone(c) }

// only are the changes of one step.
func only(s plan.Step) iter.Seq2[plan.Step, task.Change] {
	return (&plan.Plan{Steps: []plan.Step{s}}).Last(s.Host)
}

// differs reads a host and holds attributes against what they should be.
func differs(ctx context.Context, host string, read Reader, changes iter.Seq2[plan.Step, task.Change],
	want func(plan.Step, task.Change) task.Values) error {
	h, err := read(ctx, host)
	if err != nil {
		return fmt.Errorf("%s: reading back: %w", host, err)
	}
	for s, c := range changes {
		if now, want := s.ValuesOf(c, h), want(s, c); !want.Match(now) {
			return fmt.Errorf("%s %s: %s is %s, wanted %s", host, s.Of(c).Element, c.Attr, now, want)
		}
		if lost := s.Keep.Missing(plan.IPConfigOf(h, s.Bounce)); len(lost) > 0 {
			return fmt.Errorf("%s %s: it was down and up again and has lost %s", host, s.Bounce, strings.Join(lost, ", "))
		}
	}
	return nil
}

// undoAll undoes, in reverse, every step that may have changed its host, and
// says whether there was any.
func (k *attempt) undoAll(ctx context.Context) (found bool, err error) {
	begun := k.begun()
	var errs []error
	for _, stage := range slices.Backward(k.plan.Stages()) {
		stage = slices.DeleteFunc(slices.Clone(stage), func(s plan.Step) bool { return !begun[s.ID] })
		if len(stage) > 0 && ctx.Err() != nil {
			errs = append(errs, fmt.Errorf("stopped before %s: %w", stage[0].ID, context.Cause(ctx)))
			break
		}
		found = found || len(stage) > 0
		errs = append(errs, each(stage, func(s plan.Step) error { return k.undo(context.WithoutCancel(ctx), s) })...)
	}
	return found, errors.Join(errs...)
}

func (k *attempt) undo(ctx context.Context, s plan.Step) error {
	_ = k.journal.write(event{Event: evUndoing, Step: s.ID}) // a full disk must not keep a host from its old values
	k.progress(ctx, s, evUndoing, nil)
	err := k.work(ctx, s, s.Back())
	if err == nil {
		err = differs(ctx, s.Host, k.Read, only(s), earlier)
	}
	k.undone(ctx, s, err)
	return err
}

// dial gives a connection that works now: an old one may have died with the
// interface that it came in through.
func (r *Runner) dial(ctx context.Context, host string) (h remote.Host, done func(), err error) {
	if r.Fresh == nil {
		return r.Hosts[host], func() {}, r.connected([]string{host})
	}
	if h, err = r.Fresh(ctx, host); err != nil {
		return nil, nil, remote.On(host, err)
	}
	return h, func() { h.Close() }, nil
}

// readFresh reads a host over a new connection. One whose interface was just
// down may need a moment.
func (r *Runner) readFresh(ctx context.Context, host string) (inv *model.Host, err error) {
	if r.Fresh == nil || r.ReadOver == nil {
		return r.Read(ctx, host)
	}
	for range 5 {
		var h remote.Host
		if h, err = r.Fresh(ctx, host); err == nil {
			inv, err = r.ReadOver(ctx, h)
			h.Close()
		}
		if err == nil {
			return inv, nil
		}
		if stop := pause(ctx, time.Second); stop != nil {
			return nil, errors.Join(err, stop)
		}
	}
	return nil, err
}
