package cli

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"seaworthy/internal/audit/finding"
	"seaworthy/internal/audit/rule"
	"seaworthy/internal/base/decode"
	"seaworthy/internal/base/fileio"
	"seaworthy/internal/change/plan"
	"seaworthy/internal/change/ticket"
	"seaworthy/internal/cli/command"
	"seaworthy/internal/inventory/model"
	"seaworthy/internal/knowledge"
	"seaworthy/internal/remote/shellword"
	"seaworthy/internal/remote/targets"
	"seaworthy/internal/ui/report"
)

// planFlags are what plan can be asked for.
type planFlags struct {
	rules                     ruleFlags
	only, sets, accept, waive []string
	out, scripts, key         string
	ansible                   string
}

func (a *app) plan() *cobra.Command {
	var f planFlags
	c := a.command("plan", f.rules.flags().And(command.Flags{
		"only": &f.only, "set": &f.sets, "waive": &f.waive, "output": &f.out, "sign": &f.key, "accept": &f.accept,
		"scripts": &f.scripts, "ansible": &f.ansible,
	}), func(c *cobra.Command, argv []string) error { return a.runPlan(c.Context(), &f, argv) })
	return a.Prints(a.withSchema(c, "the plan file", PlanSchema), &plan.Plan{})
}

func (a *app) runPlan(ctx context.Context, f *planFlags, argv []string) error {
	if len(f.sets) > 0 && len(f.only) > 0 {
		return command.Usage("plan: --only and --set exclude each other")
	}
	if f.key != "" && f.out == "" {
		return command.Usage("plan: --sign needs -o FILE, beside which it writes FILE.sig")
	}
	rules, err := f.rules.all(ctx)
	if err != nil {
		return err
	}
	got, err := a.fleet(ctx, argv)
	if err != nil {
		return err
	}
	set, err := rule.Compile(rules)
	if err != nil {
		return err
	}
	desired, err := a.desired(ctx, f, set, got.fleet)
	if err != nil {
		return err
	}
	p, err := plan.Simulator{Rules: set, Accept: f.accept}.Build(ctx, got.fleet, knowledge.BuiltIn(), desired)
	if err != nil {
		return err
	}
	if f.out != "" {
		if err := command.SaveJSON(f.out, "  ", p); err != nil {
			return err
		}
	}
	if f.key != "" {
		if err := sign(ctx, f.out, f.key); err != nil {
			return err
		}
	}
	if f.scripts != "" {
		if err := ticket.Write(f.scripts, p); err != nil {
			return err
		}
		a.Notice("CHANGE.md and the scripts of %s are in %s", report.Plural(len(p.AllHosts()), "host"), f.scripts)
	}
	if f.ansible != "" {
		text, err := ticket.Playbook(p)
		if err == nil {
			err = fileio.Write(f.ansible, text)
		}
		if err != nil {
			return fmt.Errorf("--ansible %s: %w", f.ansible, err)
		}
	}
	switch n := len(p.Refused); {
	case n > 0 && len(f.sets) > 0:
		err = fmt.Errorf("%d of %d values cannot be planned: see \"Not planned\"", n, len(f.sets))
	case len(p.Steps) > 0:
		err = command.Exit(command.ExitNo, nil)
	case len(got.failed) > 0:
		err = command.Exit(command.ExitInconclusive, nil)
	}
	return a.Conclude(err, p, func(to *report.Document) {
		report.Plan(to, p)
		report.Windows(to, p)
		a.next(to, f.out, p)
	})
}

// desired are the values to plan: those of --set, or what the findings ask for.
func (a *app) desired(ctx context.Context, f *planFlags, set *rule.Set, fleet *model.Fleet) ([]plan.DesiredSetting, error) {
	if len(f.sets) > 0 {
		return parseSets(f.sets)
	}
	all, err := set.Run(ctx, fleet, rule.Options{Passed: new(int)})
	if err != nil {
		return nil, err
	}
	if all, err = a.withoutWaived(ctx, all, f.waive); err != nil {
		return nil, err
	}
	finding.LargestNeeds(all)
	if all, err = a.pick(set, all, f.only); err != nil {
		return nil, err
	}
	return plan.FromFindings(all), nil
}

// next ends a plan: what it comes to, and the command that applies it.
func (a *app) next(to *report.Document, file string, p *plan.Plan) {
	if len(p.Steps) == 0 {
		return
	}
	to.Line("")
	to.Line("Plan: %s.", report.Total(p))
	if file == "" {
		to.Line("Next: save it with -o plan.json, then seaworthy apply plan.json --confirm-within 2m")
		return
	}
	to.Line("Next: seaworthy apply %s%s --confirm-within 2m", report.Safe(shellword.Quote(file)), report.Safe(a.lookupFlags()))
}

// pick keeps the findings that --only names.
func (a *app) pick(set *rule.Set, all []finding.Finding, only []string) ([]finding.Finding, error) {
	if len(only) == 0 {
		return all, nil
	}
	var out []finding.Finding
	for _, id := range only {
		if !set.Has(ruleOf(id)) {
			return nil, command.Usage("--only %s: no such rule (see seaworthy rules ls)", id)
		}
		n := len(out)
		for _, f := range all {
			if f.Verdict == finding.Found && (strings.EqualFold(f.Rule, id) || strings.EqualFold(f.ID, id)) {
				out = append(out, f)
			}
		}
		if len(out) == n {
			a.Notice("--only %s: no finding of that id or rule; %s", id, available(all))
		}
	}
	return out, nil
}

// available names the findings there are.
func available(all []finding.Finding) string {
	var ids []string
	for _, f := range all {
		if f.Verdict == finding.Found && len(f.Remedy) > 0 {
			ids = append(ids, f.ID)
		}
	}
	if len(ids) == 0 {
		return "none has a remedy"
	}
	return "there are " + strings.Join(ids, ", ")
}

func parseSets(sets []string) ([]plan.DesiredSetting, error) {
	var ws []plan.DesiredSetting
	for _, s := range sets {
		head, value, ok := strings.Cut(s, "=")
		parts := strings.Split(head, ":")
		if !ok || len(parts) != 3 || slices.Contains(parts, "") {
			return nil, command.Usage("--set %s: expected HOST:ELEMENT:ATTR=VALUE", s)
		}
		ws = append(ws, plan.DesiredSetting{Setting: finding.Setting{
			Ref: model.Ref{Host: parts[0], Element: parts[1]}, Attr: parts[2], Value: value,
		}})
	}
	return ws, nil
}

// readPlan reads a plan file. With signers, a file of allowed ones, it must be
// signed by one of them.
func (a *app) readPlan(ctx context.Context, path, signers string) (*plan.Plan, error) {
	text, err := decode.Read(ctx, path, plan.MaxPlan) // what is checked is what is parsed
	if err != nil {
		return nil, fmt.Errorf("plan %s: %w (seaworthy plan -o writes one)", path, fileio.Cause(err))
	}
	if signers != "" {
		who, err := signer(ctx, path, text, signers)
		if err != nil {
			return nil, err
		}
		a.Notice("%s is signed by %s", path, who)
	}
	p, err := plan.Parse(path, text)
	if err == nil {
		err = a.knownHosts(ctx, p)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return p, nil
}

// knownHosts refuses a plan from a file that would run commands on this machine
// itself, or, with an inventory, on a host outside it.
func (a *app) knownHosts(ctx context.Context, p *plan.Plan) error {
	inv, err := a.hostsFile(ctx)
	if err != nil {
		return err
	}
	for _, name := range p.Senders() {
		if name == targets.Local {
			return fmt.Errorf("plan %s: %q is this machine: a plan file is not applied to it (give it a name of its own in a hosts file)", p.ID, name)
		}
		if inv == nil {
			continue
		}
		if _, ok := inv.Hosts[name]; !ok {
			return fmt.Errorf("plan %s: host %s is not in %s", p.ID, name, inv.File)
		}
	}
	return nil
}

// agreed shows on a terminal what is about to run, and asks.
func (a *app) agreed(ctx context.Context, p *plan.Plan, yes bool) error {
	if _, shown := command.Terminal(a.Stderr); !shown {
		return nil
	}
	for i, s := range p.Steps {
		for _, line := range s.Do {
			a.Notice("%d. on %s: %s", i+1, s.Host, line)
		}
	}
	a.Notice("Plan %s: %s.", p.ID, report.Total(p))
	return a.ask(ctx, yes, "Apply it?", "not applied")
}
