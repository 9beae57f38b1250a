package execute

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"

	"seaworthy/internal/change/plan"
	"seaworthy/internal/collect"
	"seaworthy/internal/inventory/model"
	"seaworthy/internal/remote"
)

// DefaultStepLimit bounds one step's commands: bouncing an interface takes seconds,
// an EtherChannel up to half a minute.
const DefaultStepLimit = 120 * time.Second

// Reader reads a host again, as the plan's inventory was read. It is called for
// several hosts at once.
type Reader func(ctx context.Context, host string) (*model.Host, error)

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
	ReadOver func(ctx context.Context, h remote.Host) (*model.Host, error)
	// Placement reads where a host runs and since when it is up. Nil: that is not compared.
	Placement Reader
	// Survey reads hosts with all that joins them to a path, to name what stops
	// packets there. Nil: what Read reads has to do.
	Survey func(ctx context.Context, hosts []string) (*model.Fleet, error)
	// Folder of runs on the hosts, for those that watch over themselves; empty:
	// watchdog.Base.
	Folder string
	// Exclusive takes each host's own lock for a run over sessions too, so that
	// nobody changes it from another machine meanwhile.
	Exclusive bool
	// Done are ids of manual steps that the user says are done.
	Done []string
	// OneByOne takes steps one after the other that could be taken at the same time.
	OneByOne bool
	// First is the host whose steps come before those of others wherever the order allows
	// it, and are verified before these begin; empty: none.
	First string
	// Accept decides, once First is verified, whether the others follow: an error undoes
	// the run. Nil: they do.
	Accept func(ctx context.Context, run string) error
}

// ErrDrift says that a host is not as the plan expects it.
var ErrDrift = errors.New("host has changed since the plan was made")

// Apply carries a plan out, step by step, hosts whose steps do not depend on
// each other side by side. Before each step the host's values are journalled;
// after it they are read back. At the first failure, or when ctx ends, what
// was done is undone in reverse. The returned run says what became of every
// step; the error says why it is not Applied.
func (r *Runner) Apply(ctx context.Context, p *plan.Plan) (*Run, error) {
	return r.ApplyWithin(ctx, p, Confirmation{})
}

// ApplyWithin carries a plan out as Apply does, but puts every host into its
// own care first (package watchdog): if this program, its machine or the
// connection dies, the hosts restore their earlier values by themselves. A
// step runs on its host in one piece, so that it may take down the interface
// that the login came in through. What was done is verified over new
// connections.
func (r *Runner) ApplyWithin(ctx context.Context, p *plan.Plan, c Confirmation) (*Run, error) {
	manual, placed, release, err := r.prepare(ctx, p)
	if err != nil {
		return nil, err
	}
	release = sync.OnceFunc(release)
	defer release()
	if c.Within == 0 {
		placed = nil // it is over at once
	}
	j, err := r.Journals.begin(p, c.Within, placed)
	if err != nil {
		return nil, err
	}
	defer j.file.Close()
	k := &attempt{Runner: r, plan: p, journal: j, id: j.run.ID, manual: manual, within: c.Within, under: c.Under}
	defer k.release()
	failure := k.carryOut(ctx)
	if c.Within > 0 {
		release() // from now on, no matter who comes learns from the hosts that it is pending
		if failure == nil {
			left := false
			left, failure = k.awaitConfirmation(ctx, c)
			if left {
				return j.now(), nil
			}
		}
	}
	outcome := Applied
	if failure != nil {
		// What is sent back must arrive, whatever ended the run.
		ctx := context.WithoutCancel(ctx)
		failure, outcome = k.locateFault(ctx, failure), RolledBack
		if _, err := k.takeBack(ctx); err != nil {
			outcome = Partial // the steps say where
		}
	}
	if moved := r.Moves(context.WithoutCancel(ctx), j.now()); len(moved) > 0 {
		failure = errors.Join(failure, j.write(event{Event: evMoved, Moves: moved}))
	}
	return k.ended(outcome, failure)
}

// prepare makes sure that a plan can be begun, and that nobody else begins one on
// its hosts until release is called. manual are its manual steps, and how it is
// known that they are done; placed is where its hosts are.
func (r *Runner) prepare(ctx context.Context, p *plan.Plan) (
	manual map[string]string, placed []Placement, release func(), err error,
) {
	err = checkFirst(p, r.First)
	if err == nil {
		err = r.connected(p.Hosts)
	}
	if err == nil {
		release, err = r.Journals.lock(ctx, p.Hosts)
	}
	if err != nil {
		return nil, nil, nil, fmt.Errorf("plan %s: %w", p.ID, err)
	}
	err = shown(ctx, "comparing with the plan", p.Hosts, func(host string) error {
		if err := r.unchanged(ctx, p, host); err != nil {
			return fmt.Errorf("plan %s: %w", p.ID, err)
		}
		return nil
	})
	if err == nil {
		placed = r.placements(ctx, p.Hosts)
		err = stayed(p, placed)
	}
	if err == nil {
		manual, err = r.manualDone(ctx, p)
	}
	if err != nil {
		release()
		return nil, nil, nil, err
	}
	return manual, placed, release, nil
}

// mayChange refuses a login that is not root, before anything is sent. What padmin may
// do on a VIOS, its commands say.
func mayChange(h *model.Host) error {
	if h.Platform == model.VIOS || h.User == "" || h.User == "root" {
		return nil
	}
	if why := collect.NotRoot(h.Gaps); why != "" {
		return fmt.Errorf("%s: a change needs root: %s", h.Name, why)
	}
	return fmt.Errorf("%s: a change needs root, and %s is not (become: sudo in the inventory, or --become sudo)", h.Name, h.User)
}

// unchanged reads a host once and compares it with the plan.
func (r *Runner) unchanged(ctx context.Context, p *plan.Plan, name string) error {
	h, err := r.Read(ctx, name)
	if err == nil {
		err = mayChange(h)
	}
	if err != nil {
		return err
	}
	for _, is := range p.KnownBy {
		if err := is.Differs(name, h); err != nil {
			return fmt.Errorf("%w: %w", err, ErrDrift)
		}
	}
	for _, c := range p.Conditions {
		if c.Host != name {
			continue
		}
		if err := c.Holds(h); err != nil {
			return fmt.Errorf("%w: %w (make a new plan)", err, ErrDrift)
		}
	}
	for _, s := range p.Steps {
		if s.Host != name || s.Keep == nil {
			continue
		}
		now, more := plan.IPConfigOf(h, s.Bounce), ""
		if lost := s.Keep.Missing(now); len(lost) > 0 {
			more = "does not have " + strings.Join(lost, ", ") + " any more"
		} else if extra := s.Keep.Unknown(now); len(extra) > 0 {
			more = "has " + strings.Join(extra, ", ") + ", which the ODM does not have and the step would lose"
		}
		if more != "" {
			return fmt.Errorf("%s %s %s: %w (make a new plan)", name, s.Bounce, more, ErrDrift)
		}
	}
	for s, c := range p.First(name) {
		now, hint := s.ValuesOf(c, h), "make a new plan"
		if c.Before.Match(now) {
			continue
		}
		if c.After.Match(now) {
			hint = "it already has the planned value: seaworthy status shows whether the plan was applied; if not, make a new plan"
		}
		return fmt.Errorf("%s %s: %s is %s, the plan was made against %s: %w (%s)", name, s.Of(c).Element, c.Attr, now, c.Before, ErrDrift, hint)
	}
	return nil
}
