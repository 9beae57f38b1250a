package cli

import (
	"context"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"seaworthy/internal/app/findings"
	"seaworthy/internal/app/fleet"
	"seaworthy/internal/app/past"
	"seaworthy/internal/app/plans"
	"seaworthy/internal/base/fileio"
	"seaworthy/internal/change/plan"
	"seaworthy/internal/change/ticket"
	"seaworthy/internal/cli/command"
	"seaworthy/internal/inventory/model"
	"seaworthy/internal/remote/shellword"
	"seaworthy/internal/ui/report"
)

type planCommand struct {
	*commandLine
	change       findings.Change
	out, scripts string
	key, ansible string
	moment       past.Moment
	rehearsal    string
}

func newPlan(a *commandLine) *cobra.Command {
	x := &planCommand{commandLine: a}
	x.change.Notify = a.Notice
	c := a.command("plan", ruleFlags(&x.change.Rules).And(command.Flags{
		"only": &x.change.Only, "set": &x.change.Set, "from": &x.change.Site, "jumbo": &x.change.Jumbo,
		"waive": &x.change.Waivers, "accept": &x.change.Accept,
		"output": &x.out, "sign": &x.key, "scripts": &x.scripts, "ansible": &x.ansible,
		"rehearse": &x.rehearsal, "defects": &x.change.Rules.Defects,
	}).And(atFlags(&x.moment)), func(c *cobra.Command, argv []string) error { return x.run(c.Context(), argv) })
	return a.Prints(a.withSchema(c, "the plan file", PlanSchema), &plan.Plan{})
}

func (x *planCommand) run(ctx context.Context, argv []string) error {
	if command.Given(len(x.change.Set) > 0, len(x.change.Only) > 0, len(x.change.Jumbo) > 0, x.change.Site != "") > 1 {
		return command.Usage("plan: --only, --set, --jumbo and --from exclude each other")
	}
	if len(x.change.Jumbo) == 1 {
		return command.Usage("plan: --jumbo %s: two hosts are needed: --jumbo %[1]s,HOST", x.change.Jumbo[0])
	}
	if x.key != "" && x.out == "" {
		return command.Usage("plan: --sign needs -o FILE, beside which it writes FILE.sig")
	}
	err := x.checkRehearsal(argv)
	if err != nil {
		return err
	}
	access, err := x.moment.Over(x.access())
	if err != nil {
		return err
	}
	p, got, err := x.change.Make(ctx, access, argv)
	if err != nil {
		return err
	}
	err = x.save(ctx, p, got.Fleet)
	if err != nil {
		return err
	}
	err = x.conclude(p, got)
	if x.rehearsal == "" || len(p.Steps) == 0 || command.Status(err) != command.ExitNo {
		return err
	}
	return x.rehearse(ctx, argv)
}

// conclude prints the plan and gives its exit status.
func (x *planCommand) conclude(p *plan.Plan, got *fleet.Reading) error {
	return x.Conclude(x.status(p, got), p, func(to *report.Document) {
		report.Plan(to, p)
		report.Windows(to, p)
		x.printNext(to, p)
	})
}

// save writes the files that are asked for.
func (x *planCommand) save(ctx context.Context, p *plan.Plan, hosts *model.Fleet) error {
	if x.out != "" {
		err := command.SaveJSON(x.out, "  ", p)
		if err != nil {
			return err
		}
	}
	if x.key != "" {
		err := plans.Sign(ctx, x.out, x.key)
		if err != nil {
			return err
		}
	}
	if x.scripts != "" && (x.rehearsal == "" || len(p.Steps) == 0) { // else rehearse writes them, with what it found
		read := map[string]time.Time{}
		for _, h := range hosts.Hosts {
			read[h.Name] = h.Taken
		}
		err := ticket.Write(x.scripts, p, ticket.Evidence{Read: read})
		if err != nil {
			return err
		}
		x.Notice("CHANGE.md and the scripts of %s are in %s", report.Plural(len(p.AllHosts()), "host"), x.scripts)
	}
	if x.ansible == "" {
		return nil
	}
	text, err := ticket.Playbook(p)
	if err == nil {
		err = fileio.Write(x.ansible, text)
	}
	if err != nil {
		return fmt.Errorf("--ansible %s: %w", x.ansible, err)
	}
	return nil
}

func (x *planCommand) status(p *plan.Plan, got *fleet.Reading) error {
	refused := len(p.Refused)
	switch {
	case refused > 0 && len(x.change.Jumbo) > 0:
		return fmt.Errorf("%s cannot be planned, so jumbo frames do not pass: see \"Not planned\"", report.Plural(refused, "value"))
	case refused > 0 && len(x.change.Set) > 0:
		return fmt.Errorf("%d of %d values cannot be planned: see \"Not planned\"", refused, len(x.change.Set))
	case len(p.Steps) > 0:
		return command.Exit(command.ExitNo, nil)
	}
	return completeness(got)
}

// printNext ends a plan: what it comes to, and the command that applies it.
func (x *planCommand) printNext(to *report.Document, p *plan.Plan) {
	if len(p.Steps) == 0 {
		return
	}
	to.Line("")
	to.Line("Plan: %s.", report.Total(p))
	if x.out == "" {
		to.Line("Next: save it with -o plan.json, then seaworthy apply plan.json%s --confirm-within 2m", report.Safe(x.access().Flags()))
		return
	}
	to.Line("Next: seaworthy apply %s%s --confirm-within 2m", report.Safe(shellword.Quote(x.out)), report.Safe(x.access().Flags()))
}

// readPlan reads a plan file, and says who signed it.
func (a *commandLine) readPlan(ctx context.Context, path, signers string) (*plan.Plan, error) {
	p, signedBy, err := plans.Read(ctx, a.access(), path, signers)
	if err == nil && signedBy != "" {
		a.Notice("%s is signed by %s", path, signedBy)
	}
	return p, err
}
