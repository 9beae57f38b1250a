package cli

// rehearse: a plan tried in a copy of the network, or in a lab that runs.

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"

	"seaworthy/internal/app/fleet"
	"seaworthy/internal/app/plans"
	"seaworthy/internal/app/rehearsed"
	"seaworthy/internal/base/fileio"
	"seaworthy/internal/change/plan"
	"seaworthy/internal/change/ticket"
	"seaworthy/internal/cli/command"
	"seaworthy/internal/ui/report"
	"seaworthy/lab"
	"seaworthy/lab/rehearsal"
	"seaworthy/lab/replica"
)

// rehearsing are the flags of rehearse.
type rehearsing struct {
	*app
	copying
	lab    string // -i
	page   string
	output string
	folder string // of CHANGE.md and the scripts
	edited bool   // the plan's file is taken as it stands
	within time.Duration
	long   time.Duration // of one measurement
}

func newRehearse(a *app) *cobra.Command {
	x := &rehearsing{app: a}
	c := &cobra.Command{
		Use:   "rehearse PLAN",
		Short: "Try a plan in a copy of the network before it is applied to production",
		Long: "Rehearse builds a copy of the hosts that collect or import saved (--from), or takes a lab that runs\n" +
			"(-i lab:NAME), and tries the plan there with the commands of production: it applies it, takes it back, loses\n" +
			"the session in the middle, lets each step fail once, and reboots the hosts that wait for a reboot. Meanwhile\n" +
			"packets are sent between the hosts' addresses: for each step it says how long traffic stopped, whose, and\n" +
			"whether its outage class said so.\n\n" +
			"No real host is reached. Exit status 2: a step hurt more than its class, or a trial ended with neither the\n" +
			"old nor the new values. 3: the copy leaves out something of the plan.",
		Example: "  seaworthy rehearse plan.json --from today\n" +
			"  seaworthy rehearse plan.json --from today -o rehearsal.json --html rehearsal.html --scripts change\n" +
			"  seaworthy rehearse plan.json -i lab:dual-vios\n" +
			"  seaworthy rehearse reordered.json --from today --edited",
		Args: command.Args(cobra.ExactArgs(1)),
		RunE: func(c *cobra.Command, argv []string) error { return x.run(c.Context(), argv[0]) },
	}
	x.copying.flags(c)
	f := c.Flags()
	f.StringVarP(&x.lab, "inventory", "i", "",
		"rehearse in the running lab `lab:NAME` instead of a copy; it stays as the rehearsal leaves it")
	f.StringVarP(&x.output, "output", "o", "", "also write the result as JSON to this `file`, for apply --require-rehearsal")
	f.StringVar(&x.folder, "scripts", "",
		"write CHANGE.md and the scripts of the plan into this `folder`, as plan does, with what the rehearsal found")
	f.StringVar(&x.page, "html", "", "also write the result as a page to this `file`")
	f.BoolVar(&x.edited, "edited", false,
		"take a plan file that was edited after it was made, as it stands: the order of its steps, and their commands, which\n"+
			"run in the copy; apply refuses such a plan")
	x.within = rehearsal.DefaultWithin
	f.Var(command.Duration(&x.within), "confirm-within",
		"how long the hosts of the copy wait for a confirmation: the lost session takes that `time`")
	x.long = rehearsal.DefaultMeasure
	f.Var(command.Duration(&x.long), "measure",
		"`time` of each of four measurements, of throughput and of transactions, before the plan and with it; 0s: none")
	return a.Prints(c, &rehearsed.Result{})
}

func (x *rehearsing) run(ctx context.Context, file string) error {
	if (len(x.from) > 0) == (x.lab != "") {
		return command.Usage("rehearse: name the saved hosts (--from DIR) or a running lab (-i lab:NAME), one of the two")
	}
	if x.edited && x.folder != "" {
		return command.Usage("rehearse: --edited tries a plan that apply refuses: there are no --scripts of it")
	}
	if x.long != 0 && (x.long < 100*time.Millisecond || x.long > longest*time.Second) {
		return command.Usage("rehearse: --measure %s: expected 0s, or 100ms to %d s", x.long, longest)
	}
	for _, f := range []string{x.output, x.page} {
		err := fileio.Check(f)
		if err != nil {
			return err
		}
	}
	p, edits, err := x.readPlan(ctx, file)
	if err != nil {
		return err
	}
	if len(p.Steps) == 0 {
		x.Notice("plan %s: nothing to change, nothing to rehearse", p.ID)
		return nil
	}
	l, made, err := x.open(ctx, p)
	if err != nil {
		return err
	}
	r, err := x.rehearse(ctx, l, p)
	if len(x.from) > 0 {
		down, cancel := context.WithTimeout(context.WithoutCancel(ctx), 30*time.Second)
		defer cancel()
		err = errors.Join(err, l.Down(down))
	}
	if errors.Is(err, rehearsal.ErrNothingReached) || errors.Is(err, rehearsal.ErrNothingToTry) {
		return command.Exit(command.ExitInconclusive, err)
	}
	if r == nil {
		return err
	}
	r.Edited = edits
	if made != nil {
		for _, part := range made.Parts {
			r.Copy = append(r.Copy, rehearsed.Part{Fate: string(part.Fate), What: part.What, Why: part.Why})
		}
		for _, m := range made.Reached(p.Hosts) {
			r.LeftOut = append([]string{fmt.Sprintf("%s: %s", m.What, m.Why)}, r.LeftOut...)
		}
	}
	err = errors.Join(err, x.saveScripts(p, made, r))
	return x.answer(r, err)
}

// readPlan reads the plan; edits are those that --edited lets pass.
func (x *rehearsing) readPlan(ctx context.Context, file string) (p *plan.Plan, edits []string, err error) {
	if x.edited {
		return plans.ReadEdited(ctx, file)
	}
	p, _, err = plans.Read(ctx, fleet.Access{}, file, "")
	if errors.Is(err, plan.ErrEdited) {
		err = fmt.Errorf("%w; rehearse --edited tries it as it stands", err)
	}
	return p, nil, err
}

// rehearse tries the plan in a lab that runs.
func (x *rehearsing) rehearse(ctx context.Context, l *lab.Lab, p *plan.Plan) (*rehearsal.Result, error) {
	// A lab may be rehearsed in again: each time with journals of its own.
	dir := filepath.Join(l.Dir, "rehearsal", time.Now().UTC().Format("20060102T150405.000"))
	o := rehearsal.Options{Lab: l, Plan: p, Dir: dir, Within: x.within, Measure: x.long, From: x.from, PhaseDone: x.phaseDone}
	if x.read != nil {
		o.Source = x.read.Fleet
	}
	return rehearsal.Run(ctx, o)
}

func (x *rehearsing) phaseDone(p rehearsal.Phase) {
	x.Notice("%-14s %5.1f s  %s", p.Name, p.Ended.Sub(p.Started).Seconds(), p.Values)
}

// saveScripts writes the ticket and its scripts, if they are asked for. made is nil in a lab that ran.
func (x *rehearsing) saveScripts(p *plan.Plan, made *replica.Copy, r *rehearsal.Result) error {
	if x.folder == "" {
		return nil
	}
	evidence := ticket.Evidence{Rehearsal: rehearsal.Ticket(r)}
	if made != nil {
		evidence.Read = made.Read
	}
	return ticket.Write(x.folder, p, evidence)
}

// open starts the copy, or finds the lab, of which there is no copy.
func (x *rehearsing) open(ctx context.Context, p *plan.Plan) (l *lab.Lab, made *replica.Copy, err error) {
	if x.lab != "" {
		l, err := x.running()
		return l, nil, err
	}
	name := fmt.Sprintf("rehearsal-%d", os.Getpid())
	x.forPlan(p)
	made, err = x.make(ctx, x.app, name)
	if err != nil {
		return nil, nil, err
	}
	for _, h := range p.Hosts {
		if n := made.Nodes[h]; n != "" && n != h {
			return nil, nil, fmt.Errorf("plan %s: host %s is node %s in the copy: a rehearsal needs hosts whose names a lab can have", p.ID, h, n)
		}
	}
	// Tied: whatever ends this process ends the copy.
	l, err = upLab(ctx, lab.Options{Name: name, Text: made.Text, Tied: true})
	return l, made, err
}

// running finds the lab of -i.
func (x *rehearsing) running() (*lab.Lab, error) {
	name, ok := fleet.Access{HostsFile: x.lab}.Lab()
	if !ok {
		return nil, command.Usage("rehearse -i %s: expected lab or lab:NAME: a rehearsal runs in a lab, never on real hosts", x.lab)
	}
	return lab.Open("", name)
}

// answer prints and writes a result; failed is why it is not whole.
func (x *rehearsing) answer(r *rehearsal.Result, failed error) error {
	fill := func(p *report.Document) { report.Rehearsal(p, r) }
	err := errors.Join(failed, x.Answer(r, fill))
	if x.output != "" {
		err = errors.Join(err, rehearsal.Save(x.output, r))
	}
	if x.page != "" {
		err = errors.Join(err, x.savePage(x.page, r, fill))
	}
	if err != nil {
		return err
	}
	if r.Worse() {
		return command.Exit(command.ExitNo, nil)
	}
	if len(r.LeftOut) > 0 {
		return command.Exit(command.ExitInconclusive, nil)
	}
	return nil
}
