package cli

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"

	"seaworthy/internal/app/fleet"
	"seaworthy/internal/base/fileio"
	"seaworthy/internal/change/execute"
	"seaworthy/internal/cli/command"
	"seaworthy/internal/measure"
	"seaworthy/internal/measure/probe/load"
	"seaworthy/internal/ui/drawing"
	"seaworthy/internal/ui/report"
	"seaworthy/lab"
	"seaworthy/lab/demo"
)

// demonstrated holds what demo prints as JSON.
type demonstrated struct {
	*demo.Result
	Reference []report.Reference `json:"reference"`
}

// PageTitle heads the page of -f html.
func (d demonstrated) PageTitle() string {
	return fmt.Sprintf("%s → %s: found, changed, measured", d.Path.From, d.Path.To)
}

// PageSummary says what the change did.
func (d demonstrated) PageSummary() []string { return report.Summary(d.Bench) }

// Drawing is the path with findings and changes.
func (d demonstrated) Drawing() *drawing.Drawing { return demo.PathDrawing(d.Result) }

func (a *app) demo() *cobra.Command {
	var seconds float64
	var budget time.Duration
	var blocks, control int
	var seed uint64
	var keep, page string
	c := &cobra.Command{
		Use:   "demo",
		Short: "The whole loop on a lab: find, change, verify, measure before and after",
		Long: `Demo starts a lab of two managed systems on this machine, logs into its hosts over
SSH, finds what is wrong on the path from lpar1 to lpar2, plans the change, applies
it, verifies it by reading back, and measures both states in randomised interleaved
blocks; what is still undecided then is measured in further blocks, until the answer
is clear or the time (--max) is up. The lab is removed at the end. It needs no privilege and
takes under two minutes.`,
		Args: command.Args(cobra.NoArgs),
		RunE: func(c *cobra.Command, _ []string) error {
			if blocks < 1 {
				return command.Usage("demo: --blocks %d: at least 1 is needed", blocks)
			}
			if !(seconds >= 0.1 && seconds <= longest) {
				return command.Usage("demo: --seconds %g: expected 0.1 to %d", seconds, longest)
			}
			if err := fileio.Check(page); err != nil {
				return err
			}
			if budget <= 0 {
				return command.Usage("demo: --max %s: wanted more than 0", budget)
			}
			d := demoRun{app: a, dir: keep, options: demo.Options{
				From: "lpar1", To: "lpar2", Experiment: measure.Experiment{
					Repetitions: blocks, Control: control, Further: further,
					Seed: seed, Budget: budget, Workloads: workloads(seconds), Program: command.Built().String(),
				}}}
			r, err := d.run(c.Context())
			if r != nil && r.Bench != nil && len(r.Bench.Results) > 0 {
				d := demonstrated{r, reference}
				text := func(p *report.Document) { demo.Report(p, r, reference) }
				err = errors.Join(err, a.Answer(d, text))
				if page != "" {
					err = errors.Join(err, a.savePage(page, d, text))
				}
			}
			return err
		},
	}
	seconds = 0.4
	c.Flags().Var(command.Seconds(&seconds), "seconds", "measured `time` of one trial")
	budget = 95 * time.Second
	c.Flags().Var(command.Duration(&budget), "max", "longest `time` to measure; keeps the demo under two minutes")
	c.Flags().IntVar(&blocks, "blocks", 6, "`number` of blocks, each with one turn before and one after; what is undecided gets more")
	c.Flags().IntVar(&control, "control", 3, "`number` of blocks with a second turn before, as control; -1: none")
	c.Flags().Uint64Var(&seed, "seed", 0, "`seed` of the order; 0: chosen and printed")
	c.Flags().StringVarP(&keep, "output", "o", "", "`folder` to keep the snapshots and the runs' journals in")
	c.Flags().StringVar(&page, "html", "", "also write the result to this `file` as a page: the path drawn, charts, tables")
	return a.Prints(c, demonstrated{})
}

// savePage writes a result as a page of its own.
func (a *app) savePage(file string, data any, text func(*report.Document)) error {
	var b bytes.Buffer
	if err := report.Print(report.Output{W: &b}, "html", report.Result{Data: data, Text: text}); err != nil {
		return fmt.Errorf("%s: %w", file, err)
	}
	if _, err := fileio.MkdirAll(filepath.Dir(file)); err != nil {
		return err
	}
	if err := fileio.Write(file, b.Bytes()); err != nil {
		return err
	}
	a.Notice("The page is in %s: open it in a browser.", file)
	return nil
}

// workloads are those of the experiment with mtu_bypass.
func workloads(seconds float64) []measure.Workload {
	const warmup = 0.2
	stream := func(n int, name string) measure.Workload {
		return measure.Workload{Name: name, Kind: load.Stream, Streams: n, Write: 1 << 20, Seconds: seconds, Warmup: warmup}
	}
	// Transactions differ by little, if at all: many short blocks show it.
	session := func(n int) measure.Workload {
		return measure.Workload{
			Name: fmt.Sprintf("%d sessions × 700 B", n), Kind: load.RequestResponse, Sessions: n,
			Request: 700, Response: 700, NoDelay: true, Seconds: max(seconds/2, 0.1), Warmup: warmup / 2,
		}
	}
	return []measure.Workload{stream(1, "1 TCP stream"), stream(8, "8 TCP streams"), session(10), session(50)}
}

// reference are the experiment's own figures, of two LPARs on two POWER8 9119-MHE.
var reference = []report.Reference{
	{Workload: "1 TCP stream", Figure: measure.Throughput, Before: 2500e6, After: 6200e6, Source: article},
	{Workload: "1 TCP stream", Figure: measure.Cores, Before: 4.02, After: 3.22, Source: article},
	{Workload: "1 TCP stream", Figure: measure.PerCore, Before: 2.5 / 4.02, After: 6.2 / 3.22, Source: article},
	{Workload: "8 TCP streams", Figure: measure.Throughput, Before: 3900e6, After: 8800e6, Source: article},
	{Workload: "8 TCP streams", Figure: measure.Cores, Before: 5.52, After: 4.13, Source: article},
	{Workload: "8 TCP streams", Figure: measure.PerCore, Before: 3.9 / 5.52, After: 8.8 / 4.13, Source: article},
	{Workload: "10 sessions × 700 B", Figure: measure.Transactions, Before: 52000, After: 52000, Source: article},
	{Workload: "10 sessions × 700 B", Figure: measure.Cores, Before: 4.06, After: 4.06, Source: article},
	{Workload: "50 sessions × 700 B", Figure: measure.Transactions, Before: 131000, After: 131000, Source: article},
	{Workload: "50 sessions × 700 B", Figure: measure.Cores, Before: 6.50, After: 6.50, Source: article},
}

// further is more than fit into the budget: an open comparison goes on until
// its answer is decided or the time is up.
const further = 100

const article = "IBM article, POWER8"

type demoRun struct {
	*app
	options demo.Options
	dir     string
	started time.Time
}

func (d *demoRun) run(ctx context.Context) (_ *demo.Result, err error) {
	d.started = time.Now()
	name := fmt.Sprintf("demo-%d", os.Getpid())
	// Tied: whatever ends this process ends the lab, with what is in its folder.
	l, err := upLab(ctx, lab.Options{Name: name, Topology: "two-systems", Tied: true})
	if err != nil {
		return nil, err
	}
	if d.dir == "" {
		d.dir = filepath.Join(l.Dir, "demo")
	}
	defer func() {
		down, cancel := context.WithTimeout(context.WithoutCancel(ctx), 30*time.Second)
		defer cancel()
		err = errors.Join(err, l.Down(down))
	}()
	d.stage("lab", time.Since(d.started), fmt.Sprintf("two-systems, nodes: %d", len(l.Nodes)))
	hosts, err := fleet.Access{HostsFile: l.HostsFile()}.Open(ctx, nil)
	if err != nil {
		return nil, err
	}
	defer hosts.Close()
	o := d.options
	o.Hosts, o.Dir = hosts, filepath.Join(d.dir, "snapshot")
	o.Journals = execute.Journals{Dir: filepath.Join(d.dir, "runs")}
	o.StageDone = d.stage
	o.Experiment.Progress = command.Measuring(ctx)
	return demo.Run(ctx, o)
}

func (d *demoRun) stage(s demo.Stage, took time.Duration, line string) {
	d.Notice("%-8s %6.2f s  %s", s, took.Seconds(), line)
}
