package cli

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"seaworthy/bench"
	"seaworthy/bench/stats"
	"seaworthy/catalog"
	"seaworthy/change/execute"
	"seaworthy/change/plan"
	"seaworthy/cli/command"
	"seaworthy/collect"
	"seaworthy/inventory"
	"seaworthy/remote"
	"seaworthy/report"
	"seaworthy/safefile"
)

func driver(name string) (bench.Driver, error) {
	if name == "" {
		return nil, nil
	}
	if d := bench.DriverByName(name); d != nil {
		return d, nil
	}
	return nil, command.Usage("driver %s: expected %s", name, strings.Join(bench.DriverNames(), ", "))
}

func (a *app) bench() *cobra.Command {
	return command.Group("bench", "Measure throughput, transactions and CPU between two hosts",
		a.benchRun(), a.benchCompare(), a.benchMatrix(), a.benchMesh())
}

// benchFlags say what is measured between whom.
type benchFlags struct {
	from, to, target, driver, out string
	via                           []string
	probes                        []string
	load                          workloadFlags
	repetitions, port             int
	seed                          uint64
	counters                      bool

	fleet    *inventory.Fleet   // of the path, once it was read
	between  *inventory.Path    // the same
	path     *inventory.Excerpt // the same
	lineRate uint64             // bit/s of the path's slowest line, once it was read; 0: not known
}

func (f *benchFlags) add(c *cobra.Command, repetitions string) {
	c.Flags().StringVar(&f.from, "from", "", "sending `host`, or HOST:enN")
	c.Flags().StringVar(&f.to, "to", "", "receiving `host`, or HOST:enN")
	c.Flags().StringSliceVar(&f.via, "via", nil,
		"`hosts` in between whose CPU is measured too, e.g. both VIOSes (default: those of the inventory on the path)")
	c.Flags().StringVar(&f.target, "target", "", "`address` to connect to (default: that of --to in the subnet of --from)")
	c.Flags().StringVar(&f.driver, "driver", "", "load generator `tool`: "+strings.Join(bench.DriverNames(), ", ")+
		" (default: builtin; where an end cannot run it, a tool that both have)")
	c.Flags().IntVar(&f.port, "port", 0, "TCP `port` of the measured connections; 0: any free port")
	f.common(c, repetitions)
}

// common are the flags of a measurement of any number of pairs.
func (f *benchFlags) common(c *cobra.Command, repetitions string) {
	c.Flags().IntVarP(&f.repetitions, "repetitions", "n", 5, repetitions)
	c.Flags().Uint64Var(&f.seed, "seed", 0, "random `seed` of the order; 0: chosen and recorded")
	c.Flags().StringSliceVar(&f.probes, "probes", nil, "`folder` of seaworthy-probe-OS-ARCH to copy to hosts (default: where this program is)")
	c.Flags().BoolVar(&f.counters, "counters", true, "read the counters of each host before and after each trial")
	c.Flags().StringVarP(&f.out, "output", "o", "", "save the complete result to this `file` (JSON)")
	f.load.add(c)
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
	f.add(c, "`number` of blocks; with --until decided at most so many, "+strconv.Itoa(bench.MostBlocks)+" unless given")
	c.Flags().StringVar(&until, "until", "", "go on until every workload is `decided`: improved, worse or no different")
	c.Flags().DurationVar(&most, "max", 0, "`time` after which no block begins; with --until decided "+defaultMost.String()+" unless given")
	c.Flags().StringVar(&file, "plan", "", "plan `file` to apply")
	c.Flags().StringArrayVar(&sets, "set", nil, "value to apply, `HOST:ELEMENT:ATTR=VALUE`; repeatable")
	c.Flags().StringSliceVar(&done, "done", nil, "these manual `steps` are done, as a plan names them: switch-ports")
	c.Flags().StringVar(&against, "against", "", "compare the built-in load generator with this `tool`")
	c.Flags().IntVar(&control, "control", 0, "`number` of blocks with a second \"before\"; 0: all, -1: none")
	return a.Prints(c, &bench.Result{})
}

// defaultMost is how long a comparison goes on at most until it is decided.
const defaultMost = 10 * time.Minute

// state is one side of a comparison: a plan that is applied, or the hosts as
// they were found.
type state struct {
	name string
	plan *plan.Plan // nil: as found
}

// compare measures the states turn by turn: each is applied on what was found,
// and rolled back before the next. Afterwards all is as it was found.
func (a *app) compare(
	ctx context.Context, e bench.Experiment, hosts *connected, done []string, states []state,
	measure func(context.Context, bench.Experiment, ...bench.Variant) (*bench.Result, error),
) (*bench.Result, error) {
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
	var variants []bench.Variant
	for _, s := range states {
		var t *execute.Toggle
		if s.plan != nil {
			t = &execute.Toggle{Plan: s.plan, Runner: hosts.runner(journals)}
			t.Runner.Done = done
		}
		v := bench.Variant{Name: s.name}
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
	r, err := measure(ctx, e, variants...)
	return r, errors.Join(err, e.Restore(context.WithoutCancel(ctx)))
}

var errAsWanted = errors.New("nothing to compare: all values are set already")

// wanted is the plan to compare with: the one given, or one of what is to be set.
func (a *app) wanted(ctx context.Context, hosts *connected, p *plan.Plan, sets []string) (*plan.Plan, error) {
	if p != nil {
		for _, h := range p.Hosts {
			if hosts.byName()[h] == nil {
				return nil, command.Usage("plan %s changes %s, which is not measured: add it with --via", p.ID, h)
			}
		}
		return p, nil
	}
	desired, err := parseSets(sets)
	if err != nil {
		return nil, err
	}
	for _, w := range desired {
		if hosts.byName()[w.Host] == nil {
			return nil, command.Usage("--set %s: this host is not measured: add it with --via", w.Host)
		}
	}
	// Also the hosts in between: the ports of the switch are theirs.
	fleet := &inventory.Fleet{}
	for _, h := range hosts.hosts {
		read, err := collect.Read(ctx, h, collect.Options{Platforms: hosts.platforms})
		if err != nil {
			return nil, err
		}
		fleet.Hosts = append(fleet.Hosts, read)
	}
	p, err = plan.Build(fleet, catalog.BuiltIn(), desired)
	if err != nil {
		return nil, err
	}
	if len(p.Refused) > 0 {
		r := p.Refused[0]
		return nil, errors.New(r.String())
	}
	if len(p.Steps) == 0 {
		return nil, errAsWanted
	}
	return p, nil
}

// experiment connects the hosts and finds the address to measure.
func (a *app) experiment(ctx context.Context, f *benchFlags) (e bench.Experiment, hosts *connected, err error) {
	if f.from == "" || f.to == "" {
		return e, nil, command.Usage("bench: --from and --to are required")
	}
	if f.port < 0 || f.port > 65535 {
		return e, nil, command.Usage("bench: --port %d: expected 1 to 65535, or 0 for any", f.port)
	}
	if e, err = f.basics(ctx); err != nil {
		return e, nil, err
	}
	e.Lookup = strings.TrimSpace(a.lookupFlags())
	d, err := driver(f.driver)
	if err != nil {
		return e, nil, err
	}
	names := append([]string{hostOf(f.from), hostOf(f.to)}, f.via...)
	if names[0] == names[1] {
		return e, nil, command.Usage("bench: --from and --to are the same host")
	}
	all := names
	if len(f.via) == 0 && a.inventory != "" {
		all = nil
	}
	if hosts, err = a.open(ctx, all); err != nil {
		return e, nil, err
	}
	defer func(opened *connected) {
		if err != nil {
			opened.close()
		}
	}(hosts)
	if err := hosts.onPath(ctx, a, f); err != nil {
		return e, nil, err
	}
	byName := hosts.byName()
	e.From, e.To, e.Target, e.Port, e.Driver = byName[names[0]], byName[names[1]], f.target, f.port, d
	e.LineRate, e.Excerpt = f.lineRate, f.path
	if e.From == nil || e.To == nil {
		return e, nil, command.Usage("bench: %s and %s are not both in the inventory", names[0], names[1])
	}
	for _, h := range hosts.hosts {
		if h != e.From && h != e.To {
			e.Via = append(e.Via, h)
		}
	}
	if _, err := a.require(ctx, []remote.Host{e.From, e.To}, catalog.Benchmarking); err != nil {
		return e, nil, err
	}
	if f.counters {
		e.Counters = (&collect.Counters{Options: collect.Options{Platforms: hosts.platforms}}).Read
	}
	return e, hosts, nil
}

// basics are what every measurement has, whatever the hosts.
func (f *benchFlags) basics(ctx context.Context) (e bench.Experiment, err error) {
	if f.repetitions < 1 {
		return e, command.Usage("bench: --repetitions %d: expected 1 or more", f.repetitions)
	}
	if e.Workloads, err = f.load.workloads(); err == nil {
		err = safefile.Check(f.out)
	}
	e.Repetitions, e.Seed, e.ProbeDirs, e.Progress = f.repetitions, f.seed, f.probes, command.Measuring(ctx)
	e.Program = command.Built().String()
	return e, err
}

// measured saves and prints a result; an error does not lose finished trials.
func (a *app) measured(r *bench.Result, failed error, out string, table func(p *report.Printer)) error {
	if r == nil || len(r.Trials) == 0 {
		return failed
	}
	err := a.printed(r, failed, out, table)
	if still := bench.Still(r); err == nil && len(still) > 0 {
		return command.Exit(command.ExitInconclusive, fmt.Errorf("%s moved nothing from %s to %s: "+
			"seaworthy diagnose %[2]s %[3]s%s looks for the cause", strings.Join(still, ", "), r.Options.From, r.Options.To, a.lookupFlags()))
	}
	return err
}

// printed saves and prints a result with trials.
func (a *app) printed(r *bench.Result, failed error, out string, table func(p *report.Printer)) error {
	if out != "" {
		failed = errors.Join(failed, command.SaveResult(out, r))
	}
	return errors.Join(failed, a.Answer(r, func(p *report.Printer) {
		table(p)
		report.Conditions(p, r)
	}))
}

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
