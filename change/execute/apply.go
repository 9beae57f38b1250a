package execute

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"seaworthy/change/plan"
	"seaworthy/inventory"
	"seaworthy/remote"
)

// DefaultStepLimit bounds one step's commands: bouncing an interface takes seconds,
// an EtherChannel up to half a minute.
const DefaultStepLimit = 120 * time.Second

// Reader reads a host anew, as the plan's inventory was read. It is called for
// several hosts at once.
type Reader func(ctx context.Context, host string) (*inventory.Host, error)

// Runner applies plans.
type Runner struct {
	Hosts    map[string]remote.Host // by the plan's host names
	Read     Reader
	Journals Journals
	// StepLimit bounds the commands of one step; 0: DefaultStepLimit.
	StepLimit time.Duration
	// Fresh makes a new connection to a host, and ReadOver reads the host over
	// it. Both may be nil: Hosts and Read are used instead.
	Fresh    func(ctx context.Context, host string) (remote.Host, error)
	ReadOver func(ctx context.Context, h remote.Host) (*inventory.Host, error)
	// Survey reads hosts with all that joins them to a path, to name what stops
	// packets there. Nil: what Read reads has to do.
	Survey func(ctx context.Context, hosts []string) (*inventory.Fleet, error)
	// Folder of runs on the hosts, for those that watch over themselves; empty:
	// watchdog.Base.
	Folder string
	// Done are ids of manual steps that the user says are done.
	Done []string
	// Progress receives the state of each step as it changes, one at a time; may be nil.
	Progress  func(step plan.Step, state string, err error)
	reporting sync.Mutex
}

func (r *Runner) limit() time.Duration {
	if r.StepLimit > 0 {
		return r.StepLimit
	}
	return DefaultStepLimit
}

// ErrDrift says that a host is not as the plan expects it.
var ErrDrift = errors.New("host has changed since the plan was made")

// Apply carries a plan out, step by step, hosts whose steps do not depend on
// each other side by side. Before each step the host's values are journalled;
// after it they are read back. At the first failure, or when ctx ends, what
// was done is undone in reverse. The returned run says what became of every
// step; the error says why it is not Applied.
func (r *Runner) Apply(ctx context.Context, p *plan.Plan) (*Run, error) {
	manual, release, err := r.prepare(ctx, p)
	if err != nil {
		return nil, err
	}
	defer release()
	j, err := r.Journals.begin(p, 0)
	if err != nil {
		return nil, err
	}
	defer j.file.Close()
	session := func(ctx context.Context, host, line string) (*remote.Result, error) {
		return r.Hosts[host].Run(ctx, remote.Command{Line: line})
	}
	failure := r.forward(ctx, p, manual, j.write, session, func(ctx context.Context, s plan.Step) error { return r.do(ctx, j, s) })
	if failure == nil {
		failure = r.prove(ctx, p.Proofs, session)
	}
	outcome := Applied
	if failure != nil {
		session := func(_ context.Context, name string) (remote.Host, error) { return r.Hosts[name], nil }
		failure = r.located(context.WithoutCancel(ctx), p, failure, r.Read, session)
		outcome = Partial
		if run, err := r.Journals.now(j); err == nil {
			outcome = r.undoAll(context.WithoutCancel(ctx), j, p, run).outcome()
		}
	}
	return r.ended(j, outcome, failure)
}

// prepare makes sure that a plan can be begun, and that nobody else begins one on
// its hosts until release is called. manual are its manual steps, and how it is
// known that they are done.
func (r *Runner) prepare(ctx context.Context, p *plan.Plan) (manual map[string]string, release func(), err error) {
	for _, h := range p.Hosts {
		if r.Hosts[h] == nil {
			return nil, nil, fmt.Errorf("plan %s: host %s is not connected", p.ID, h)
		}
	}
	if release, err = r.Journals.lock(ctx, p.Hosts); err != nil {
		return nil, nil, fmt.Errorf("plan %s: %w", p.ID, err)
	}
	if err = r.unchanged(ctx, p); err == nil {
		manual, err = r.manualDone(ctx, p)
	}
	if err != nil {
		release()
		return nil, nil, err
	}
	return manual, release, nil
}

// ended notes the end of a run and gives the run as its journal has it.
func (r *Runner) ended(j *journal, outcome Outcome, failure error) (*Run, error) {
	end := event{Event: evEnd, Outcome: outcome}
	if failure != nil {
		end.Error = failure.Error()
	}
	failure = errors.Join(failure, j.write(end))
	run, err := r.Journals.now(j)
	if err != nil {
		return nil, errors.Join(failure, err)
	}
	return run, failure
}

// unchanged reads every host once and compares it with the plan.
func (r *Runner) unchanged(ctx context.Context, p *plan.Plan) error {
	return forEachHost(p.Hosts, func(name string) error {
		h, err := r.Read(ctx, name)
		if err != nil {
			return fmt.Errorf("plan %s: %w", p.ID, err)
		}
		for _, is := range p.KnownBy {
			if err := is.Differs(name, h); err != nil {
				return fmt.Errorf("plan %s: %w: %w", p.ID, err, ErrDrift)
			}
		}
		for _, c := range p.Conditions {
			if c.Host != name {
				continue
			}
			if err := c.Holds(h); err != nil {
				return fmt.Errorf("plan %s: %w: %w (make a new plan)", p.ID, err, ErrDrift)
			}
		}
		for s, c := range p.First(name) {
			now := s.ValuesOf(c, h)
			if c.Before.Match(now) {
				continue
			}
			hint := "make a new plan"
			if c.After.Match(now) {
				hint = "it already has the planned value: seaworthy status shows whether the plan was applied; if not, make a new plan"
			}
			return fmt.Errorf("plan %s: %s %s: %s is %s, the plan was made against %s: %w (%s)", p.ID, name, s.Of(c).Element, c.Attr, now,
				c.Before, ErrDrift, hint)
		}
		return nil
	})
}
