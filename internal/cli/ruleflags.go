package cli

import (
	"context"
	"slices"
	"time"

	"seaworthy/internal/audit/finding"
	"seaworthy/internal/audit/rule"
	"seaworthy/internal/audit/waiver"
	"seaworthy/internal/cli/command"
	"seaworthy/internal/knowledge"
)

type ruleFlags struct {
	dirs    []string
	disable []string
}

func (r *ruleFlags) flags() command.Flags {
	return command.Flags{"rules": &r.dirs, "disable": &r.disable}
}

// all gives the built-in rules and the site's own, without the disabled ones.
func (r *ruleFlags) all(ctx context.Context) ([]knowledge.Rule, error) {
	rules := slices.Clone(knowledge.BuiltIn().Rules())
	for _, d := range r.dirs {
		own, err := knowledge.LoadRules(ctx, d)
		if err != nil {
			return nil, err
		}
		rules = append(rules, own...)
	}
	for _, id := range slices.Compact(slices.Sorted(slices.Values(r.disable))) {
		i := slices.IndexFunc(rules, func(x knowledge.Rule) bool { return x.ID == id })
		if i < 0 {
			return nil, command.Usage("--disable %s: no such rule (see seaworthy rules ls)", id)
		}
		rules = slices.Delete(rules, i, i+1)
	}
	return rules, nil
}

// compile gives them ready to evaluate.
func (r *ruleFlags) compile(ctx context.Context) (*rule.Set, error) {
	rules, err := r.all(ctx)
	if err != nil {
		return nil, err
	}
	return rule.Compile(rules)
}

func loadWaivers(ctx context.Context, files []string) ([]waiver.Waiver, error) {
	var all []waiver.Waiver
	for _, file := range files {
		w, err := waiver.Load(ctx, file)
		if err != nil {
			return nil, err
		}
		all = append(all, w...)
	}
	return all, nil
}

// withoutWaived leaves out what the site accepts, and reports waivers that have
// no effect.
func (a *app) withoutWaived(ctx context.Context, all []finding.Finding, files []string) ([]finding.Finding, error) {
	waivers, err := loadWaivers(ctx, files)
	if err != nil {
		return nil, err
	}
	left, _, ineffective := waiver.Apply(all, waivers, time.Now())
	for _, t := range ineffective {
		a.Notice("%s", t)
	}
	return left, nil
}
