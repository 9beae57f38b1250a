package past

import (
	"cmp"
	"context"

	"seaworthy/internal/app/fleet"
	"seaworthy/internal/change/execute"
	"seaworthy/internal/change/plan"
	"seaworthy/internal/change/task"
	"seaworthy/internal/history"
	"seaworthy/internal/inventory/model"
)

// addRuns keeps the runs of this machine that changed a host, and says how many there are.
func addRuns(ctx context.Context, access fleet.Access, store *history.Store) (int, error) {
	journals, err := access.Journals()
	if err != nil {
		return 0, err
	}
	runs, err := journals.Runs(ctx)
	if err != nil {
		return 0, err
	}
	var all []history.Run
	for _, r := range runs {
		run, p, err := journals.Load(ctx, r.ID)
		if err != nil {
			access.Notice("run %s is not added: %v", r.ID, err)
			continue
		}
		x := history.Run{ID: run.ID, Began: run.Started, Ended: run.Ended, Outcome: string(run.Outcome), Changes: changesOf(run, p)}
		if len(x.Changes) > 0 {
			all = append(all, x)
		}
	}
	return len(all), store.PutRuns(ctx, all)
}

// changesOf are the attributes that the steps of a run set, and when.
func changesOf(run *execute.Run, p *plan.Plan) (out []history.RunChange) {
	states := map[string]execute.StepRun{}
	for _, s := range run.Steps {
		states[s.Step] = s
	}
	for _, step := range p.Steps {
		s := states[step.ID]
		if s.Began.IsZero() {
			continue
		}
		for _, c := range step.Changes {
			out = append(out, history.RunChange{Ref: model.Ref{Host: step.Host, Element: cmp.Or(c.Element, step.Element)},
				Attribute: c.Attr, Value: wanted(c), At: s.Began})
		}
	}
	return out
}

// wanted is the value that a change sets.
func wanted(c task.Change) string {
	switch {
	case c.After.Running != nil:
		return *c.After.Running
	case c.After.NextBoot != nil:
		return *c.After.NextBoot
	}
	return ""
}
