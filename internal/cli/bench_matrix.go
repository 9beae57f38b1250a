package cli

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"seaworthy/internal/change/execute"
	"seaworthy/internal/change/plan"
	"seaworthy/internal/cli/command"
	"seaworthy/internal/measure"
	"seaworthy/internal/ui/report"
)

func (a *app) benchMatrix() *cobra.Command {
	f := newBench()
	var vary, done []string
	c := a.command("bench matrix", f.flags().And(command.Flags{
		"vary": &vary, "done": &done,
	}), func(c *cobra.Command, _ []string) error {
		combinations, err := combine(vary)
		if err != nil {
			return err
		}
		ctx := c.Context()
		e, hosts, err := a.experiment(ctx, &f)
		if err != nil {
			return err
		}
		defer hosts.close()
		var states []state
		for _, sets := range combinations {
			s := state{name: strings.Join(sets, ", ")}
			if s.plan, err = a.wanted(ctx, hosts, nil, sets); err != nil && !errors.Is(err, errAsWanted) {
				return fmt.Errorf("%s: %w", s.name, err)
			}
			states = append(states, s)
		}
		r, err := a.compare(ctx, e, hosts, done, states, measure.Matrix)
		return a.measured(r, err, f.out, func(p *report.Document) {
			report.Trials(p, r)
			report.MatrixDelta(p, r)
		})
	})
	return a.Prints(c, &measure.Result{})
}

// mostCombinations is how many a matrix may have.
const mostCombinations = 256

// combine gives every combination of the values, each as settings.
func combine(vary []string) ([][]string, error) {
	all := [][]string{nil}
	for _, v := range vary {
		head, values, ok := strings.Cut(v, "=")
		if !ok || values == "" {
			return nil, command.Usage("--vary %s: expected HOST:ELEMENT:ATTR=VALUE,VALUE…", v)
		}
		var next [][]string
		for _, sets := range all {
			for value := range strings.SplitSeq(values, ",") {
				next = append(next, append(append([]string{}, sets...), head+"="+value))
			}
		}
		if all = next; len(all) > mostCombinations {
			return nil, command.Usage("--vary: more than %d combinations", mostCombinations)
		}
	}
	if len(vary) == 0 || len(all) < 2 {
		return nil, command.Usage("bench matrix: --vary with two or more values is required")
	}
	for i, sets := range all {
		if _, err := parseSets(sets); err != nil {
			return nil, err
		}
		if slices.ContainsFunc(all[:i], func(x []string) bool { return slices.Equal(x, sets) }) {
			return nil, command.Usage("--vary: %s is listed twice", strings.Join(sets, ", "))
		}
	}
	return all, nil
}

// state is one side of a comparison: a plan that is applied, or the hosts as
// they were found.
type state struct {
	name string
	plan *plan.Plan // nil: as found
}

// compare measures the states turn by turn: each is applied on what was found,
// and rolled back before the next. Afterwards all is as it was found.
func (a *app) compare(
	ctx context.Context, e measure.Experiment, hosts *connected, done []string, states []state,
	run func(context.Context, measure.Experiment, ...measure.Variant) (*measure.Result, error),
) (*measure.Result, error) {
	journals, err := a.journals()
	if err != nil {
		return nil, err
	}
	journals.Lookup.Purpose = "bench"
	var now *execute.Toggle
	e.Restore = func(ctx context.Context) error {
		if now == nil {
			return nil
		}
		if err := now.Off(ctx); err != nil {
			return err
		}
		now = nil
		return nil
	}
	var variants []measure.Variant
	for _, s := range states {
		var t *execute.Toggle
		if s.plan != nil {
			t = &execute.Toggle{Plan: s.plan, Runner: hosts.runner(journals)}
			t.Runner.Done = done
		}
		v := measure.Variant{Name: s.name}
		if s.plan != nil {
			v.Plan, v.Values = string(s.plan.ID), s.plan.Values()
		}
		v.Apply = func(ctx context.Context) error {
			if t != nil && now == t {
				return nil
			}
			if err := e.Restore(ctx); err != nil || t == nil {
				return err
			}
			now = t // also what is applied in part has to go
			return t.On(ctx)
		}
		variants = append(variants, v)
	}
	r, err := run(ctx, e, variants...)
	return r, errors.Join(err, e.Restore(context.WithoutCancel(ctx)))
}
