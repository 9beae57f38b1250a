package cli

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"seaworthy/bench"
	"seaworthy/cli/command"
	"seaworthy/report"
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
		r, err := a.compare(ctx, e, hosts, done, states, bench.Matrix)
		return a.measured(r, err, f.out, func(p *report.Printer) {
			report.Trials(p, r)
			report.MatrixDelta(p, r)
		})
	})
	return a.Prints(c, &bench.Result{})
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
