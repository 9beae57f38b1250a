package cli

import (
	"github.com/spf13/cobra"

	"seaworthy/internal/cli/command"
	"seaworthy/internal/measure"
	"seaworthy/internal/ui/report"
)

func newBench(a *commandLine) *cobra.Command {
	return command.Group("bench", "Measure throughput, transactions and CPU between two hosts",
		newBenchRun(a), newBenchCompare(a), newBenchMatrix(a), newBenchMesh(a))
}

func newBenchRun(a *commandLine) *cobra.Command {
	f := newBenchFlags()
	c := a.command("bench run", f.flags(), func(c *cobra.Command, _ []string) error {
		b, err := a.openBench(c.Context(), &f)
		if err != nil {
			return err
		}
		defer b.Connection.Close()
		r, err := measure.Run(c.Context(), b.Experiment)
		return a.measured(c.Context(), r, err, &f, func(p *report.Document) { report.Trials(p, r) })
	})
	return a.Prints(c, &measure.Result{})
}
