package rehearsal

// Steps that their hosts refuse once.

import (
	"context"
	"fmt"

	"seaworthy/internal/app/rehearsed"
	"seaworthy/internal/change/execute"
	"seaworthy/internal/change/plan"
	"seaworthy/internal/inventory/model"
	"seaworthy/internal/remote"
	"seaworthy/lab/fault"
)

// refusal is the connection to a host that refuses one step. On AIX and VIOS the step's device does so, as one that is
// busy; on Linux the last of the step's commands fails, so that those before it have to be taken back.
type refusal struct {
	remote.Host
	lab      querier
	step     plan.Step
	platform model.Platform
	refused  *bool
}

// querier asks the lab's supervisor.
type querier interface {
	Query(ctx context.Context, what string, value, answer any) error
}

// refusedCommand is what a Linux host runs in place of the command that fails.
const refusedCommand = `{ echo "refused, as the rehearsal wants it" >&2; false; }`

// Run lets the step's own command fail, and no other.
func (r refusal) Run(ctx context.Context, c remote.Command) (*remote.Result, error) {
	work := r.step.Forward()
	if c.Line != work.Command().Line {
		return r.Host.Run(ctx, c)
	}
	*r.refused = true
	if r.platform == model.Linux {
		last := len(work.Steps) - 1
		work.Steps = append(work.Steps[:last:last], remote.Step{Line: refusedCommand})
		refusing := work.Command()
		refusing.Stdin, refusing.Limit, refusing.MaxOutput = c.Stdin, c.Limit, c.MaxOutput
		return r.Host.Run(ctx, refusing)
	}
	f := r.fault()
	f.Value = "1" // the device's next change
	err := r.lab.Query(ctx, "break", f, nil)
	if err != nil {
		return nil, err
	}
	return r.Host.Run(ctx, c)
}

// fault is that of the device which the step changes first.
func (r refusal) fault() fault.Fault {
	return fault.Fault{Kind: "refuse", Target: r.step.Of(r.step.Changes[0]).String()}
}

// refusable are the steps that change something on a host.
func (r *rehearsal) refusable() (out []plan.Step) {
	for _, s := range r.Plan.Steps {
		if s.Manual == nil && r.hosts[s.Host] != nil && len(s.Changes) > 0 && len(s.Forward().Steps) > 0 {
			out = append(out, s)
		}
	}
	return out
}

// failSteps lets each step fail once, and looks whether all is as before.
func (r *rehearsal) failSteps(ctx context.Context) error {
	for _, s := range r.refusable() {
		if !r.last().OK() {
			return nil
		}
		err := r.failStep(ctx, s)
		if err != nil {
			return err
		}
	}
	return nil
}

func (r *rehearsal) failStep(ctx context.Context, s plan.Step) error {
	refused := false
	refuses := refusal{lab: r.Lab, step: s, platform: r.hosts[s.Host].Platform, refused: &refused}
	what := fmt.Sprintf("%s refuses its change of %s once", s.Of(s.Changes[0]), s.Changes[0].Attr)
	_, err := r.try(ctx, trial{name: "step " + s.ID + " fails", what: what, want: rehearsed.OldValues,
		do: func(ctx context.Context, e *execute.Runner) (*execute.Run, error) {
			refuses.Host = e.Hosts[s.Host]
			e.Hosts[s.Host] = refuses
			run, err := e.Apply(ctx, r.Plan)
			if err == nil || !refused {
				return run, fmt.Errorf("%s did not fail", s.ID)
			}
			return run, nil
		}})
	if refuses.platform == model.Linux || !refused {
		return err
	}
	mend := r.Lab.Query(context.WithoutCancel(ctx), "mend", refuses.fault(), nil)
	if err == nil {
		err = mend
	}
	return err
}
