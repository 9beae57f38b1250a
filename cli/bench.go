package cli

import (
	"strconv"
	"time"

	"github.com/spf13/cobra"

	"seaworthy/bench"
	"seaworthy/bench/stats"
	"seaworthy/change/plan"
	"seaworthy/cli/command"
	"seaworthy/report"
)

func (a *app) bench() *cobra.Command {
	return command.Group("bench", "Measure throughput, transactions and CPU between two hosts",
		a.benchRun(), a.benchCompare(), a.benchMatrix(), a.benchMesh())
}

func (a *app) benchRun() *cobra.Command {
	var f benchFlags
	c := &cobra.Command{
		Use:   "run --from HOST --to HOST",
		Short: "Measure a path as it is",
		Long: `Run measures every workload several times in random order. Lists are combined:
--streams 1,8 --write 64K,1M gives four workloads. Cores are the CPU used by all hosts
of the path, from the accounting of the kernel or the hypervisor.`,
		Example: "  seaworthy bench run --from lpar1 --to lpar2 --via vios1,vios2 --streams 1,8\n" +
			"  seaworthy bench run -i lab --from lpar1 --to lpar2 --sessions 10,50 --request 700",
		Args: command.Args(cobra.NoArgs),
		RunE: func(c *cobra.Command, _ []string) error {
			e, hosts, err := a.experiment(c.Context(), &f)
			if err != nil {
				return err
			}
			defer hosts.close()
			r, err := bench.Run(c.Context(), e)
			return a.measured(r, err, f.out, func(p *report.Printer) { report.Trials(p, r) })
		},
	}
	f.add(c, "`number` of trials of each workload")
	return a.Prints(c, &bench.Result{})
}

func (a *app) benchCompare() *cobra.Command {
	var f benchFlags
	var file, against string
	var done []string
	var sets []string
	var control int
	var until string
	var most time.Duration
	c := &cobra.Command{
		Use:   "compare --from HOST --to HOST (--plan FILE | --set HOST:ELEMENT:ATTR=VALUE | --against TOOL)",
		Short: "Measure a path before and after a change, in randomised interleaved blocks",
		Long: `Compare measures the path as it is and with a plan applied, in blocks of random order,
and reports the paired effect with its 95 % interval. For each measurement the plan is
applied or rolled back as apply and rollback do; afterwards the hosts are as before. A
second "before" in some blocks is the control: if equal states differ, the path is
unsteady.

--until decided adds blocks until every workload's throughput or transactions are improved,
worse, or within 5 % of before, at most --max long and -n blocks. Intervals allow for the
looks in between: equal states come out different in at most 5 % of comparisons.

--against compares the built-in load generator with another tool on the same path.

Exit status 2 if throughput or transactions got worse, 3 if every interval is too wide
to decide, with --until if any workload was not decided.`,
		Example: "  seaworthy bench compare --from lpar1 --to lpar2 --via vios1,vios2 --plan plan.json\n" +
			"  seaworthy bench compare -i lab --from lpar1 --to lpar2 --set lpar1:en0:mtu_bypass=on --until decided --max 5m\n" +
			"  seaworthy bench compare -i lab --from lpar1 --to lpar2 --against iperf3",
		Args: command.Args(cobra.NoArgs),
		RunE: func(c *cobra.Command, _ []string) error {
			if command.Given(file != "", len(sets) > 0, against != "") != 1 {
				return command.Usage("bench compare: give exactly one of --plan, --set and --against")
			}
			switch {
			case until != "" && until != "decided":
				return command.Usage("bench compare: --until %s: expected decided", until)
			case most < 0 || c.Flags().Changed("max") && most == 0:
				return command.Usage("bench compare: --max %s: expected a time above 0, as 10m", most)
			case until != "" && !c.Flags().Changed("repetitions"):
				f.repetitions = bench.MostBlocks
			case until != "" && f.repetitions < 2:
				return command.Usage("bench compare: --repetitions %d: --until decided needs 2 or more", f.repetitions)
			}
			if until != "" && most == 0 {
				most = defaultMost
			}
			ctx := c.Context()
			var p *plan.Plan
			if file != "" { // before any host is asked
				var err error
				if p, err = a.readPlan(ctx, file, ""); err != nil {
					return err
				}
			}
			e, hosts, err := a.experiment(ctx, &f)
			if err != nil {
				return err
			}
			defer hosts.close()
			e.Control, e.UntilDecided, e.Budget = control, until != "", most
			var r *bench.Result
			if against != "" {
				other, derr := driver(against)
				if derr != nil {
					return derr
				}
				r, err = bench.CrossCheck(ctx, e, other)
			} else {
				if p, err = a.wanted(ctx, hosts, p, sets); err != nil {
					return err
				}
				r, err = a.compare(ctx, e, hosts, done, []state{{name: "before"}, {"after", p}}, bench.Compare)
			}
			if err := a.measured(r, err, f.out, func(p *report.Printer) {
				report.Comparison(p, r, nil)
				report.Controls(p, r)
			}); err != nil {
				return err
			}
			return compared(r)
		},
	}
	f.add(c, "`number` of blocks; with --until decided the maximum, "+strconv.Itoa(bench.MostBlocks)+" unless given")
	c.Flags().StringVar(&until, "until", "", "go on until every workload is `decided`: improved, worse or no different")
	c.Flags().DurationVar(&most, "max", 0, "`time` after which no block begins (default "+defaultMost.String()+" with --until decided)")
	c.Flags().StringVar(&file, "plan", "", "plan `file` to apply")
	c.Flags().StringArrayVar(&sets, "set", nil, "value to apply, `HOST:ELEMENT:ATTR=VALUE`; repeatable")
	c.Flags().StringSliceVar(&done, "done", nil, "these manual `steps` are done, as a plan names them: switch-ports")
	c.Flags().StringVar(&against, "against", "", "compare the built-in load generator with this `tool`")
	c.Flags().IntVar(&control, "control", 0, "`number` of blocks with a second \"before\"; 0: all, -1: none")
	return a.Prints(c, &bench.Result{})
}

// defaultMost is how long a comparison goes on at most until it is decided.
const defaultMost = 10 * time.Minute

// compared turns the effects into an exit status.
func compared(r *bench.Result) error {
	answered, open := false, false
	for _, row := range r.Results {
		open = open || row.Decision != nil && !row.Decision.Decided
		switch {
		case row.Effect == nil:
		case row.Effect.Verdict == stats.Worse:
			return command.Exit(command.ExitNo, nil)
		case row.Effect.Verdict != stats.Inconclusive:
			answered = true
		}
	}
	if !answered || open {
		return command.Exit(command.ExitInconclusive, nil)
	}
	return nil
}
