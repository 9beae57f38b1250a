package cli

// The copy of a network: lab up --from and lab topologies --from.

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"seaworthy/internal/app/fleet"
	"seaworthy/internal/base/fileio"
	"seaworthy/internal/change/pathmtu"
	"seaworthy/internal/change/plan"
	"seaworthy/internal/cli/command"
	"seaworthy/internal/diagnose"
	"seaworthy/internal/knowledge"
	"seaworthy/internal/ui/report"
	"seaworthy/internal/ui/report/doc"
	"seaworthy/lab"
	"seaworthy/lab/confirm"
	"seaworthy/lab/replica"
	"seaworthy/lab/wire"
)

// copying are the flags of a copy.
type copying struct {
	from  []string
	hosts []string
	file  string
	mtu   int
	all   bool
	// faults: plant those that the readings prove.
	faults bool
	read   *fleet.Reading
	// touched are the hosts that a plan changes, needed those that it is about.
	needed, touched []string
}

func (c *copying) flags(cmd *cobra.Command) {
	f := cmd.Flags()
	f.StringSliceVar(&c.from, "from", nil, "copy the network whose hosts collect or import saved in this `folder`; repeatable")
	f.IntVar(&c.mtu, "switch-mtu", 0,
		"copy: largest IP packet in `bytes` that the ports of the Ethernet switch pass "+
			"(default 1500, 9000 where the host's port takes jumbo frames)")
	f.BoolVar(&c.all, "all", false, "copy: take also the hosts that nothing needs of what is asked for")
}

// forPlan has the copy hold what a plan is about, and who feels it.
func (c *copying) forPlan(p *plan.Plan) {
	c.needed = p.Senders()
	for q := p; q != nil; q = q.Next {
		for _, s := range q.Steps {
			if s.Host != "" {
				c.touched = append(c.touched, s.Host)
			}
		}
	}
}

// make reads the folders and makes the copy, named after the first folder if it has no other name.
func (c *copying) make(ctx context.Context, a *app, name string) (*replica.Copy, error) {
	for _, dir := range c.from {
		if !fleet.IsFolder(dir) {
			return nil, command.Usage("--from %s: no such folder: expected one that collect or import wrote", dir)
		}
	}
	access := fleet.Access{OnNotice: func(line string) { a.Notice("%s", line) }}
	read := access.ReadNewest
	if c.faults {
		read = access.Read
	}
	r, err := read(ctx, c.from, fleet.Options{})
	if err != nil {
		return nil, err
	}
	c.read = r
	catalogue, err := knowledge.Load()
	if err != nil {
		return nil, err
	}
	bonds, err := makesBonds()
	if err != nil {
		return nil, err
	}
	o := replica.Options{Name: name, SwitchMTU: c.mtu, NoBonding: !bonds}
	o.Passed, err = c.passed(ctx)
	if err != nil {
		return nil, err
	}
	if !c.all {
		o.Hosts, o.Touched = slices.Concat(c.hosts, c.needed), c.touched
	}
	return replica.Of(r.Fleet, catalogue, o)
}

// passed are the packets that collect saw to pass between the hosts.
func (c *copying) passed(ctx context.Context) (out []replica.Passed, err error) {
	for _, dir := range c.from {
		measured, err := diagnose.Load(ctx, dir)
		if err != nil {
			return nil, err
		}
		for _, m := range measured {
			if m.MTU != nil && m.MTU.Verdict == pathmtu.Whole {
				out = append(out, replica.Passed{From: m.From, To: m.To, Bytes: m.MTU.Largest})
			}
		}
	}
	return out, nil
}

// up starts the copy, and says what of the network is in it.
func (c *copying) up(ctx context.Context, a *app, o lab.Options) error {
	made, err := c.make(ctx, a, cmp.Or(o.Name, "copy"))
	if err != nil {
		return err
	}
	if c.file != "" {
		err := fileio.WritePublic(c.file, made.Text)
		if err != nil {
			return fmt.Errorf("topology of the copy: %w", err)
		}
	}
	o.Text = made.Text
	l, err := upLab(ctx, o)
	if err != nil {
		return err
	}
	if c.faults {
		err := c.plant(ctx, l, made)
		if err != nil {
			return err
		}
	}
	missing := made.Reached(c.hosts)
	answer := copyAnswer{Lab: entry(l), Parts: made.Parts, Nodes: made.Nodes, NotNeeded: made.NotNeeded, Missing: missing}
	if err := a.Answer(answer, answer.fill); err != nil {
		return err
	}
	if len(missing) > 0 {
		return command.Exit(command.ExitInconclusive, nil)
	}
	return nil
}

// plant breaks in the copy what the readings of the network prove to be broken.
func (c *copying) plant(ctx context.Context, l *lab.Lab, made *replica.Copy) error {
	readings := confirm.Readings{Fleet: c.read.Fleet, Before: c.read.Before}
	for _, dir := range c.from {
		measured, err := diagnose.Load(ctx, dir)
		if err != nil {
			return err
		}
		if measured != nil {
			readings.Measured = measured // of the last folder
		}
	}
	if readings.Before == nil {
		made.Add(replica.Part{Fate: replica.LeftOut, What: "faults", Why: "what counters prove: there is one reading of each host; " +
			"name the folder of an earlier one too"})
	}
	proved, err := confirm.Proved(readings, made)
	if err != nil {
		return err
	}
	for _, f := range proved {
		part := replica.Part{Fate: replica.Planted, What: f.Target, Why: strings.TrimSpace(f.Kind+" "+f.Value) + ": " + f.Why}
		err := confirm.Plant(ctx, l, f.Fault)
		if err != nil {
			part = replica.Part{Fate: replica.LeftOut, What: f.Target, Why: err.Error()}
		}
		made.Add(part)
	}
	if len(proved) == 0 {
		made.Add(replica.Part{Fate: replica.AsRead, What: "faults", Why: "the readings prove none that a lab can have"})
	}
	return nil
}

// makesBonds says whether this machine's kernel has the driver of bonds.
func makesBonds() (bool, error) {
	drivers, err := lab.Drivers()
	if err != nil {
		return false, err
	}
	bonding := func(d wire.Driver) bool { return d.Name == "bonding" && d.Here }
	return slices.ContainsFunc(drivers, bonding), nil
}

// print prints the topology of the copy, and on stderr what is not as read.
func (c *copying) print(ctx context.Context, a *app) error {
	made, err := c.make(ctx, a, "copy")
	if err != nil {
		return err
	}
	for _, p := range made.Parts {
		if p.Fate != replica.AsRead {
			a.Notice("%s: %s: %s", p.Fate, p.What, p.Why)
		}
	}
	_, err = a.Stdout.Write(made.Text)
	return err
}

// copyAnswer is what lab up --from prints.
type copyAnswer struct {
	Lab     labEntry          `json:"lab"`
	Parts   []replica.Part    `json:"parts"`
	Nodes   map[string]string `json:"nodes"`             // host -> node
	Missing []replica.Part    `json:"missing,omitempty"` // of the hosts that --hosts names
	// NotNeeded are hosts that were left out since no path between those of --hosts passes them.
	NotNeeded []string `json:"not_needed,omitempty"`
}

func (c copyAnswer) fill(p *report.Document) {
	t := doc.NewTable("copy", doc.Left("fate"), doc.Left("part (copy)"), doc.Left("what, and why"))
	for _, x := range c.Parts {
		t.Add(string(x.Fate), x.What, x.Why)
	}
	p.Table(t)
	for _, m := range c.Missing {
		p.Prose("missing", fmt.Sprintf("%s: %s: the path between the hosts of --hosts is not whole in the copy", m.What, m.Why))
	}
	p.Line("Lab %s is up. It is a copy: its addresses live in network namespaces of this machine alone.", c.Lab.Name)
	p.Line("  seaworthy audit -i lab:%s", c.Lab.Name)
	p.Line("  seaworthy lab down %s", c.Lab.Name)
}
