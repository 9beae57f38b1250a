package cli

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"seaworthy/audit/rule"
	"seaworthy/catalog"
	"seaworthy/cli/command"
	"seaworthy/report"
)

func (a *app) rules() *cobra.Command {
	return command.Group("rules", "List, show and test the rules", a.rulesLs(), a.rulesShow(), a.rulesTest(), a.rulesFacts())
}

func (a *app) rulesLs() *cobra.Command {
	var flags ruleFlags
	return a.command("rules ls", flags.flags(), func(c *cobra.Command, _ []string) error {
		rules, err := flags.all(c.Context())
		if err != nil {
			return err
		}
		short := slices.Clone(rules)
		for i := range short {
			short[i].Cases = nil
		}
		return a.Answer(inYAML{short}, func(p *report.Printer) { p.Lay("rules", short) })
	})
}

func (a *app) rulesFacts() *cobra.Command {
	return a.command("rules facts", nil, func(*cobra.Command, []string) error {
		cat, err := catalog.Load()
		if err != nil {
			return err
		}
		return a.lay("facts", cat.Facts())
	})
}

func (a *app) rulesShow() *cobra.Command {
	var flags ruleFlags
	return a.command("rules show", flags.flags(), func(c *cobra.Command, argv []string) error {
		rules, err := flags.all(c.Context())
		if err != nil {
			return err
		}
		for _, r := range rules {
			if strings.EqualFold(r.ID, argv[0]) {
				return a.Answer(inYAML{r}, func(p *report.Printer) { report.Rule(p, catalog.BuiltIn(), r) })
			}
		}
		return command.Usage("rules show %s: no such rule (see seaworthy rules ls)", argv[0])
	})
}

// tested is what rules test prints as JSON, with failures even if there are none.
type tested struct {
	rule.Report
	Failures []rule.Failure `json:"failures"`
}

func (a *app) rulesTest() *cobra.Command {
	var flags ruleFlags
	return a.command("rules test", flags.flags(), func(c *cobra.Command, _ []string) error {
		rules, err := flags.all(c.Context())
		if err != nil {
			return err
		}
		r, err := rule.Test(c.Context(), rules)
		if err != nil {
			return err
		}
		var outcome error
		if len(r.Failures) > 0 {
			outcome = command.Exit(command.ExitNo, nil)
		}
		for _, id := range r.Untested {
			a.Notice("rule %s has no test cases: nothing shows that it finds what it should", id)
		}
		return a.Conclude(outcome, tested{r, append([]rule.Failure{}, r.Failures...)}, func(p *report.Printer) { p.Lay("tested", r) })
	})
}

func (a *app) attributes() *cobra.Command {
	var layer string
	ls := a.command("attributes ls", command.Flags{
		"layer": &layer,
	}, func(c *cobra.Command, _ []string) error {
		cat := catalog.BuiltIn()
		all := cat.Attributes(layer)
		if len(all) == 0 {
			return command.Usage("attributes ls --layer %s: there is no such layer: %s", layer, strings.Join(cat.Layers(), ", "))
		}
		return a.Answer(inYAML{all}, func(p *report.Printer) { p.Lay("settable", all) })
	})
	show := a.attributesShow()
	return command.Group("attributes", "List and show what can be set", ls, show)
}
