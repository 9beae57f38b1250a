package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"seaworthy/internal/audit/rule"
	"seaworthy/internal/change/plan"
	"seaworthy/internal/cli/command"
	"seaworthy/internal/inventory/graph"
	"seaworthy/internal/inventory/model"
	"seaworthy/internal/knowledge"
	"seaworthy/internal/measure/history"
	"seaworthy/internal/predict"
	"seaworthy/internal/ui/report"
)

// predictFlags say which path, which change, under which load.
type predictFlags struct {
	from, to, plan, window string
	request, response      string
	since                  string
	sets, results          []string
	streams, sessions      []int
}

func (a *app) predict() *cobra.Command {
	f := predictFlags{request: "700", window: "0"}
	c := a.command("predict", command.Flags{
		"from": &f.from, "to": &f.to, "plan": &f.plan, "set": &f.sets, "streams": &f.streams, "sessions": &f.sessions,
		"request": &f.request, "response": &f.response, "window": &f.window, "since": &f.since, "results": &f.results,
	}, func(c *cobra.Command, argv []string) error { return a.runPredict(c, &f, argv) })
	return a.Prints(c, &predict.Prediction{})
}

func (a *app) runPredict(c *cobra.Command, f *predictFlags, argv []string) error {
	ctx := c.Context()
	loads, err := f.loads(c.Flags())
	if err != nil {
		return err
	}
	var p *plan.Plan
	if f.plan != "" { // before any host is asked
		if p, err = a.readPlan(ctx, f.plan, ""); err != nil {
			return err
		}
	}
	saved := &history.Files{}
	if len(f.results) > 0 {
		if saved, err = history.Read(ctx, f.results); err != nil {
			return err
		}
	}
	if len(argv) == 0 && a.inventory == "" {
		argv = []string{hostOf(f.from), hostOf(f.to)}
	}
	a.roundTrips = true
	got, earlier, err := a.since(ctx, f.since, argv)
	if err != nil {
		return err
	}
	path, err := graph.Of(got.fleet).Path(f.from, f.to)
	if err != nil {
		return fmt.Errorf("path %s to %s: %w", f.from, f.to, err)
	}
	if p == nil && len(f.sets) > 0 {
		if p, err = asSet(ctx, got.fleet, f.sets); err != nil {
			return err
		}
	}
	q := predict.Question{Fleet: got.fleet, Path: path, Costs: a.costs()}
	if earlier != nil {
		q.Carried, q.Unused = predict.NewCarried(earlier, got.fleet, path)
	}
	if p != nil {
		if q.Values, q.Changes, err = planned(got.fleet, p); err != nil {
			return err
		}
	}
	for _, s := range saved.Saved {
		seen, unused := predict.Observe(s.Result, path)
		q.Seen, q.Unused = append(q.Seen, seen...), append(q.Unused, unused...)
	}
	var outcome error
	var all []*predict.Prediction
	for _, q.Load = range loads {
		p, err := q.Answer()
		if err != nil {
			return err
		}
		if all = append(all, p); len(p.Now.Unknown) > 0 || p.After != nil && len(p.After.Unknown) > 0 {
			outcome = command.Exit(command.ExitInconclusive, nil)
		}
	}
	var out any = all[0]
	if len(all) > 1 {
		out = predict.Several{Schema: predict.SchemaSeveral, Predictions: all}
	}
	return a.Conclude(outcome, out, func(to *report.Document) { report.Predictions(to, all) })
}

// since reads the hosts, and the folder of an earlier reading if one is given.
func (a *app) since(ctx context.Context, dir string, argv []string) (*fleet, *model.Fleet, error) {
	if dir == "" {
		got, err := a.fleet(ctx, argv)
		return got, nil, err
	}
	earlier, got, err := a.twoReadings(ctx, "predict --since", dir, argv)
	return got, earlier, err
}

// loads refuses what makes no question.
func (f *predictFlags) loads(c *pflag.FlagSet) (all []predict.Load, err error) {
	window, err := size("--window", f.window, 0)
	switch {
	case err != nil:
		return nil, err
	case f.from == "" || f.to == "":
		return nil, command.Usage("predict: --from and --to are required")
	case f.from == f.to:
		return nil, command.Usage("predict: --from and --to are the same: name two hosts, or two interfaces (HOST:enN)")
	case f.plan != "" && len(f.sets) > 0:
		return nil, command.Usage("predict: --plan and --set exclude each other")
	case len(f.sessions) > 0 && len(f.streams) == 0 && c.Changed("window"):
		return nil, command.Usage("predict: --window needs --streams")
	case len(f.sessions) == 0 && (c.Changed("request") || c.Changed("response")):
		return nil, command.Usage("predict: --request and --response need --sessions")
	}
	for _, n := range slices.Concat(f.streams, f.sessions) {
		if n < 1 {
			return nil, command.Usage("predict: %d streams or sessions: expected 1 or more", n)
		}
	}
	if len(f.streams)+len(f.sessions) == 0 {
		f.streams = []int{1}
	}
	request, err := size("--request", f.request, 1)
	if err != nil {
		return nil, err
	}
	response, err := size("--response", cmp.Or(f.response, f.request), 1)
	for _, n := range f.streams {
		all = append(all, predict.Load{Streams: n, Window: float64(window)})
	}
	for _, n := range f.sessions {
		all = append(all, predict.Load{Sessions: n, Request: request, Response: response})
	}
	return all, err
}

// costs are the priors: those of the lab where its hosts are asked.
func (a *app) costs() *knowledge.Costs {
	profile := "power"
	if a.inventory == "lab" || strings.HasPrefix(a.inventory, "lab:") {
		profile = "lab"
	}
	costs, _ := knowledge.BuiltIn().Costs(profile)
	return costs
}

// asSet plans values, so that what cannot be set is refused here as plan refuses it.
func asSet(ctx context.Context, fleet *model.Fleet, sets []string) (*plan.Plan, error) {
	desired, err := parseSets(sets)
	if err != nil {
		return nil, err
	}
	rules, err := rule.Compile(knowledge.BuiltIn().Rules())
	if err != nil {
		return nil, err
	}
	harmless := []string{plan.AcceptRedundancy, plan.AcceptPending, plan.AcceptAddresses, plan.AcceptCluster} // nothing is changed
	p, err := plan.Simulator{Rules: rules, Accept: harmless}.Build(ctx, fleet, knowledge.BuiltIn(), desired)
	if err != nil {
		return nil, err
	}
	for _, r := range p.Refused {
		err = errors.Join(err, errors.New(r.String()))
	}
	if err == nil && len(p.Steps) == 0 {
		err = command.Usage("--set: all values are set already")
	}
	return p, err
}

// planned are the values that a plan leaves, and the same in words.
func planned(fleet *model.Fleet, p *plan.Plan) (predict.Values, []predict.Change, error) {
	values := predict.Values{}
	var changes []predict.Change
	for of := p; of != nil; of = of.Next {
		for _, host := range of.Hosts {
			if fleet.Host(host) == nil {
				return nil, nil, fmt.Errorf("plan %s changes %s, which was not read: name it, or a folder that holds it", p.ID, host)
			}
			for s, c := range of.Last(host) {
				after := c.After.NextBoot
				if c.After.Running != nil {
					after = c.After.Running
				}
				if after == nil {
					continue
				}
				t := predict.Target{Ref: s.Of(c), Attr: c.Attr}
				values[t] = *after
				changes = append(changes, predict.Change{Target: t, Text: fmt.Sprintf("%s %s: %s → %s", t.Ref, t.Attr, c.Before, c.After)})
			}
		}
	}
	slices.SortStableFunc(changes, func(x, y predict.Change) int { return strings.Compare(x.Text, y.Text) })
	return values, changes, nil
}
