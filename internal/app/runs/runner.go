package runs

import (
	"context"
	"errors"
	"fmt"

	"seaworthy/internal/app/fleet"
	"seaworthy/internal/change/execute"
	"seaworthy/internal/change/plan"
	"seaworthy/internal/collect"
	"seaworthy/internal/inventory/model"
	"seaworthy/internal/knowledge"
	"seaworthy/internal/remote"
)

// Open connects hosts to change them, none meaning all of the hosts file. The
// caller calls close.
func Open(ctx context.Context, access fleet.Access, names []string) (r *execute.Runner, closeAll func(), err error) {
	journals, err := access.Journals()
	if err != nil {
		return nil, nil, err
	}
	c, err := access.Open(ctx, names)
	if err != nil {
		return nil, nil, err
	}
	if len(names) == 0 {
		c.DropHMCs()
	}
	r = c.Runner(journals)
	r.Exclusive = true
	r.Fresh = func(ctx context.Context, name string) (remote.Host, error) {
		one, err := access.Open(ctx, []string{name})
		if err != nil {
			return nil, err
		}
		return one.Hosts[0], nil
	}
	r.Survey = func(ctx context.Context, names []string) (*model.Fleet, error) { return survey(ctx, access, names) }
	return r, c.Close, nil
}

// survey reads hosts over connections of their own.
func survey(ctx context.Context, access fleet.Access, names []string) (*model.Fleet, error) {
	c, err := access.Open(ctx, names)
	if err != nil {
		return nil, err
	}
	defer c.Close()
	r, err := c.Read(ctx, collect.Options{})
	if err != nil {
		return nil, err
	}
	return r.Fleet, nil
}

// Resolve returns a run's full id, and the run if this machine knows that it has
// come to an end.
func Resolve(ctx context.Context, access fleet.Access, id string) (full string, ended *execute.Run, err error) {
	journals, err := access.Journals()
	if err != nil {
		return "", nil, err
	}
	full, err = journals.Resolve(id)
	if err != nil {
		return "", nil, err
	}
	run, _, err := journals.Load(ctx, full)
	if err == nil && !run.Ended.IsZero() && run.Over() {
		return full, run, nil
	}
	return full, nil, nil // the hosts may know what the journal does not
}

// OpenRun connects the hosts of a run: those of its plan, or, of a run that this
// machine does not know, those that are named or all of the hosts file.
func OpenRun(ctx context.Context, access fleet.Access, id string, names []string) (*execute.Runner, func(), error) {
	journals, err := access.Journals()
	if err != nil {
		return nil, nil, err
	}
	known, p, err := journals.Load(ctx, id)
	hint := ""
	switch {
	case err == nil:
		if access.HostsFile != "" {
			hint = "; without -i the inventory is that of the run"
		}
		access, names = access.Of(known), p.Hosts
	case !errors.Is(err, execute.ErrNoRun):
		return nil, nil, err
	case len(names) == 0 && access.HostsFile == "":
		return nil, nil, fmt.Errorf("%w (if it was started on another machine, name its hosts or give an inventory with -i)", err)
	}
	r, closeAll, err := Open(ctx, access, names)
	if err != nil {
		return nil, nil, fmt.Errorf("run %s: %w%s", id, err, hint)
	}
	return r, closeAll, nil
}

// Ready tests what apply takes for granted about the hosts that a plan changes;
// within says that they watch over themselves.
func Ready(ctx context.Context, access fleet.Access, r *execute.Runner, p *plan.Plan, within bool) error {
	feature := knowledge.Applying
	if within {
		feature = knowledge.ConfirmWithin
	}
	var hosts []remote.Host
	for _, name := range p.Hosts {
		h := r.Hosts[name]
		if h != nil {
			hosts = append(hosts, h)
		}
	}
	_, err := access.Require(ctx, hosts, feature)
	return err
}

// Apply carries a plan out. With Within in the confirmation the hosts watch over
// themselves, and what a run that is over has left there is removed.
func Apply(ctx context.Context, r *execute.Runner, p *plan.Plan, c execute.Confirmation) (*execute.Run, error) {
	if c.Within == 0 {
		return r.Apply(ctx, p)
	}
	run, err := r.ApplyWithin(ctx, p, c)
	if run != nil && (run.Outcome == execute.Applied || run.Outcome == execute.RolledBack) {
		// What the journal has, too. cleanup removes what a lost connection leaves.
		_, _ = r.Clean(context.WithoutCancel(ctx), run.ID)
	}
	return run, err
}
