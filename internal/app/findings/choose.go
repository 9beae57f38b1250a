package findings

import (
	"slices"
	"strings"

	"seaworthy/internal/app"
	"seaworthy/internal/audit/finding"
	"seaworthy/internal/audit/rule"
	"seaworthy/internal/base/spelling"
)

// known refuses ids of rules, or of findings, of which there is no rule.
func known(set *rule.Set, ids []string) error {
	for _, id := range ids {
		name, _, _ := strings.Cut(id, "/")
		if !set.Has(name) {
			return app.Usage("--only %s: no such rule%s (see seaworthy rules ls)", id, spelling.DidYouMean(name, set.IDs()))
		}
	}
	return nil
}

// isNamed reports whether an id is that of a finding or of its rule.
func isNamed(f finding.Finding, id string) bool {
	return strings.EqualFold(f.Rule, id) || strings.EqualFold(f.ID, id)
}

// onlyThese keeps the verdicts on the rules or findings that are named, none
// meaning all, and counts those that passed.
func onlyThese(all []finding.Finding, only []string) (left []finding.Finding, passed int) {
	for _, f := range all {
		if len(only) > 0 && !slices.ContainsFunc(only, func(id string) bool { return isNamed(f, id) }) {
			continue
		}
		if f.Verdict == finding.Pass {
			passed++
			continue
		}
		left = append(left, f)
	}
	return left, passed
}
