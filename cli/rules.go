package cli

import (
	"fmt"
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
		return a.Answer(inYAML{short}, func(p *report.Printer) {
			t := report.Table{Head: []string{"rule", "severity", "outage", "confidence", "title"}, Wrap: true}
			for _, r := range rules {
				t.Add(r.ID, r.Severity, string(r.Class), r.Confidence, r.Title)
			}
			t.Print(p)
		})
	})
}

func (a *app) rulesFacts() *cobra.Command {
	return a.command("rules facts", nil, func(*cobra.Command, []string) error {
		cat, err := catalog.Load()
		if err != nil {
			return err
		}
		facts := cat.Facts()
		return a.Answer(facts, func(p *report.Printer) {
			t := report.Table{Head: []string{"fact", "of", "unit", "meaning", "also read from"}, Wrap: true}
			for _, f := range facts {
				t.Add(f.Name, f.Of, f.Unit, f.Meaning, f.From)
			}
			t.Print(p)
		})
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
		return a.Conclude(outcome, tested{r, append([]rule.Failure{}, r.Failures...)}, func(p *report.Printer) {
			for _, f := range r.Failures {
				p.Line("%s", report.Safe(fmt.Sprint(f)))
			}
			tally := func(kind string, t rule.Tally) {
				p.Line("%s, %s, %d failed.", report.Plural(t.Rules, kind+" rule"), report.Plural(t.Cases, "case"), t.Failed)
			}
			tally("built-in", r.BuiltIn)
			if r.Site.Rules > 0 {
				tally("site", r.Site)
			}
		})
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
		return a.Answer(inYAML{all}, func(p *report.Printer) {
			t := report.Table{Head: []string{"layer", "attribute", "outage", "confidence", "default"}, Wrap: true}
			for _, x := range all {
				t.Add(x.Layer, x.Name, string(x.Class), x.Confidence, report.Defaults(&x))
			}
			t.Print(p)
		})
	})
	show := a.attributesShow()
	return command.Group("attributes", "List and show what can be set", ls, show)
}
