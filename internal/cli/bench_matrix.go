package cli

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"seaworthy/internal/app/bench"
	"seaworthy/internal/app/findings"
	"seaworthy/internal/cli/command"
	"seaworthy/internal/measure"
	"seaworthy/internal/ui/report"
)

type benchMatrixCommand struct {
	*commandLine
	benchFlags
	vary, done []string
}

func newBenchMatrix(a *commandLine) *cobra.Command {
	x := &benchMatrixCommand{commandLine: a, benchFlags: newBenchFlags()}
	c := a.command("bench matrix", x.flags().And(command.Flags{
		"vary": &x.vary, "done": &x.done,
	}), func(c *cobra.Command, _ []string) error { return x.run(c.Context()) })
	return a.Prints(c, &measure.Result{})
}

func (x *benchMatrixCommand) run(ctx context.Context) error {
	combinations, err := combine(x.vary)
	if err != nil {
		return err
	}
	b, err := x.openBench(ctx, &x.benchFlags)
	if err != nil {
		return err
	}
	defer b.Connection.Close()
	var states []bench.State
	for _, sets := range combinations {
		s := bench.State{Name: strings.Join(sets, ", ")}
		s.Plan, err = b.Plan(ctx, sets)
		if err != nil && !errors.Is(err, bench.ErrNothingToSet) {
			return fmt.Errorf("%s: %w", s.Name, err)
		}
		states = append(states, s)
	}
	turns, err := b.Turns(x.access(), "bench", x.done)
	if err != nil {
		return err
	}
	r, err := bench.Compare(ctx, b.Experiment, measure.Matrix, turns, states...)
	return x.measured(ctx, r, err, &x.benchFlags, func(p *report.Document) {
		report.Trials(p, r)
		report.MatrixDelta(p, r)
	})
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
		all = next
		if len(all) > mostCombinations {
			return nil, command.Usage("--vary: more than %d combinations", mostCombinations)
		}
	}
	if len(vary) == 0 || len(all) < 2 {
		return nil, command.Usage("bench matrix: --vary with two or more values is required")
	}
	for i, sets := range all {
		_, err := findings.ParseSettings(sets)
		if err != nil {
			return nil, err
		}
		if slices.ContainsFunc(all[:i], func(x []string) bool { return slices.Equal(x, sets) }) {
			return nil, command.Usage("--vary: %s is listed twice", strings.Join(sets, ", "))
		}
	}
	return all, nil
}
