package findings

import (
	"context"
	"slices"
	"time"

	"seaworthy/internal/app"
	"seaworthy/internal/audit/finding"
	"seaworthy/internal/audit/rule"
	"seaworthy/internal/audit/waiver"
	"seaworthy/internal/base/spelling"
	"seaworthy/internal/knowledge"
)

// Rules selects rules: the built-in ones and a site's own.
type Rules struct {
	Dirs     []string // folders of the site's own rules
	Disabled []string // ids of rules that are left out
	Defects  string   // file of known defects beside those of the program
}

// Load returns the selected rules.
func (r Rules) Load(ctx context.Context) ([]knowledge.Rule, error) {
	rules := slices.Clone(knowledge.BuiltIn().Rules())
	for _, d := range r.Dirs {
		own, err := knowledge.LoadRules(ctx, d)
		if err != nil {
			return nil, err
		}
		rules = append(rules, own...)
	}
	for _, id := range slices.Compact(slices.Sorted(slices.Values(r.Disabled))) {
		i := slices.IndexFunc(rules, func(x knowledge.Rule) bool { return x.ID == id })
		if i < 0 {
			return nil, app.Usage("--disable %s: no such rule%s (see seaworthy rules ls)", id, spelling.DidYouMean(id, idsOf(rules)))
		}
		rules = slices.Delete(rules, i, i+1)
	}
	return rules, nil
}

// idsOf are the ids of rules.
func idsOf(rules []knowledge.Rule) (ids []string) {
	for _, r := range rules {
		ids = append(ids, r.ID)
	}
	return ids
}

// Compile returns the selected rules and the known defects ready to evaluate.
func (r Rules) Compile(ctx context.Context) (*rule.Set, error) {
	rules, err := r.LoadWithDefects(ctx)
	if err != nil {
		return nil, err
	}
	return rule.Compile(rules)
}

// LoadWithDefects returns the selected rules, and the known defects that can be judged
// as rules.
func (r Rules) LoadWithDefects(ctx context.Context) ([]knowledge.Rule, error) {
	defects, err := knowledge.LoadDefects(ctx, r.Defects)
	if err != nil {
		return nil, err
	}
	known := knowledge.DefectRules(defects)
	selected := r
	selected.Disabled = nil
	for _, id := range r.Disabled {
		before := len(known)
		known = slices.DeleteFunc(known, func(x knowledge.Rule) bool { return x.ID == id })
		if len(known) == before {
			selected.Disabled = append(selected.Disabled, id)
		}
	}
	rules, err := selected.Load(ctx)
	if err != nil {
		return nil, err
	}
	return append(rules, known...), nil
}

// LoadWaivers reads files of waivers.
func LoadWaivers(ctx context.Context, files []string) ([]waiver.Waiver, error) {
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

// withoutWaived leaves out what the site accepts, and names the waivers that
// have no effect.
func withoutWaived(ctx context.Context, all []finding.Finding, files []string) (left []finding.Finding, ineffective []string, err error) {
	waivers, err := LoadWaivers(ctx, files)
	if err != nil {
		return nil, nil, err
	}
	left, _, ineffective = waiver.Apply(all, waivers, time.Now())
	return left, ineffective, nil
}
