package cli

import (
	"github.com/spf13/cobra"

	"seaworthy/audit/rule"
	"seaworthy/catalog"
	"seaworthy/cli/command"
)

type ruleFlags struct {
	dirs    []string
	disable []string
}

func (r *ruleFlags) add(c *cobra.Command) {
	c.Flags().StringSliceVar(&r.dirs, "rules", nil, "`folder` of the site's own rules; repeatable")
	c.Flags().StringSliceVar(&r.disable, "disable", nil, "skip these rule `ids`")
}

// load gives the built-in rules and the site's own, without the disabled ones.
func (r *ruleFlags) load(cat *catalog.Catalog) ([]catalog.Rule, error) {
	rules := cat.Rules()
	for _, d := range r.dirs {
		own, err := catalog.LoadRules(d)
		if err != nil {
			return nil, err
		}
		rules = append(rules, own...)
	}
	off := map[string]bool{}
	for _, id := range r.disable {
		off[id] = true
	}
	var on []catalog.Rule
	for _, rule := range rules {
		if off[rule.ID] {
			delete(off, rule.ID)
			continue
		}
		on = append(on, rule)
	}
	for id := range off {
		return nil, command.Usage("--disable %s: no such rule (see seaworthy rules ls)", id)
	}
	return on, nil
}

// compile gives them ready to evaluate.
func (r *ruleFlags) compile() (*rule.Set, error) {
	cat, err := catalog.Load()
	if err != nil {
		return nil, err
	}
	rules, err := r.load(cat)
	if err != nil {
		return nil, err
	}
	return rule.Compile(rules)
}
