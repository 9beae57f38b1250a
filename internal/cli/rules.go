package cli

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"go.yaml.in/yaml/v3"

	"seaworthy/internal/app/findings"
	"seaworthy/internal/app/fleet"
	"seaworthy/internal/audit"
	"seaworthy/internal/audit/rule"
	"seaworthy/internal/base/decode"
	"seaworthy/internal/cli/command"
	"seaworthy/internal/knowledge"
	"seaworthy/internal/ui/report"
)

func newRules(a *commandLine) *cobra.Command {
	return command.Group("rules", "List, show and test the rules", newRulesLs(a), newRulesShow(a), newRulesTest(a), newRulesFacts(a))
}

func newRulesLs(a *commandLine) *cobra.Command {
	var selected findings.Rules
	return a.command("rules ls", ruleFlags(&selected), func(c *cobra.Command, _ []string) error {
		rules, err := selected.Load(c.Context())
		if err != nil {
			return err
		}
		short := slices.Clone(rules)
		for i := range short {
			short[i].Cases = nil
		}
		return a.Answer(inYAML{short}, func(p *report.Document) { report.Rules(p, short) })
	})
}

func newRulesFacts(a *commandLine) *cobra.Command {
	return a.command("rules facts", nil, func(*cobra.Command, []string) error {
		cat, err := knowledge.Load()
		if err != nil {
			return err
		}
		facts := cat.Facts()
		return a.Answer(facts, func(p *report.Document) { report.Facts(p, facts) })
	})
}

func newRulesShow(a *commandLine) *cobra.Command {
	var selected findings.Rules
	return a.command("rules show", ruleFlags(&selected), func(c *cobra.Command, argv []string) error {
		rules, err := selected.Load(c.Context())
		if err != nil {
			return err
		}
		for _, r := range rules {
			if strings.EqualFold(r.ID, argv[0]) {
				return a.Answer(inYAML{r}, func(p *report.Document) { report.Rule(p, knowledge.BuiltIn(), r) })
			}
		}
		return command.Usage("rules show %s: no such rule (see seaworthy rules ls)", argv[0])
	})
}

// tested holds what rules test prints as JSON, with failures even if there are none.
type tested struct {
	rule.Report
	Failures []rule.Failure `json:"failures"`
}

func newRulesTest(a *commandLine) *cobra.Command {
	var selected findings.Rules
	return a.command("rules test", ruleFlags(&selected), func(c *cobra.Command, _ []string) error {
		rules, err := selected.Load(c.Context())
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
		return a.Conclude(outcome, tested{r, append([]rule.Failure{}, r.Failures...)}, func(p *report.Document) { report.RuleTests(p, r) })
	})
}

func newAttributes(a *commandLine) *cobra.Command {
	var layer string
	ls := a.command("attributes ls", command.Flags{
		"layer": &layer,
	}, func(c *cobra.Command, _ []string) error {
		cat := knowledge.BuiltIn()
		all := cat.Attributes(layer)
		if len(all) == 0 {
			return command.Usage("attributes ls --layer %s: there is no such layer: %s", layer, strings.Join(cat.Layers(), ", "))
		}
		return a.Answer(inYAML{all}, func(p *report.Document) { report.Attributes(p, all) })
	})
	show := newAttributesShow(a)
	return command.Group("attributes", "List and show what can be set", ls, show)
}

// attributesOnHosts holds what attributes show -f json prints where hosts are given.
type attributesOnHosts struct {
	Attributes inYAML         `json:"attributes"`
	Hosts      []audit.OnHost `json:"hosts"`
}

func newAttributesShow(a *commandLine) *cobra.Command {
	return a.command("attributes show", nil, func(c *cobra.Command, argv []string) error {
		cat := knowledge.BuiltIn()
		var found []knowledge.Attribute
		for _, x := range cat.Attributes("") {
			if strings.EqualFold(x.Name, argv[0]) {
				found = append(found, x)
			}
		}
		if len(found) == 0 {
			return command.Usage("attributes show %s: no such attribute (see seaworthy attributes ls)", argv[0])
		}
		describe := func(p *report.Document) { report.Attribute(p, found) }
		if len(argv) == 1 && a.inventory == "" {
			return a.Answer(inYAML{found}, describe)
		}
		got, err := a.access().ReadNewest(c.Context(), argv[1:], fleet.Options{})
		if err != nil {
			return err
		}
		on, err := audit.OnHosts(c.Context(), got.Fleet, cat, found[0].Name)
		if err != nil {
			return err
		}
		return a.answerOf(got, attributesOnHosts{inYAML{found}, on}, func(p *report.Document) {
			describe(p)
			p.Line("")
			report.AttributeOnHosts(p, on)
		})
	})
}

// inYAML is a part of the catalogue, which has the same names in JSON as in the
// files that people write it in.
type inYAML struct{ v any }

func (y inYAML) MarshalJSON() ([]byte, error) {
	text, err := yaml.Marshal(y.v)
	if err != nil {
		return nil, err
	}
	var v any
	if err := decode.YAML("catalogue", text, &v); err != nil {
		return nil, err
	}
	return json.Marshal(v)
}
