package audit

import (
	"regexp"
	"slices"
	"testing"

	"seaworthy/internal/audit/finding"
	"seaworthy/internal/audit/rule"
	"seaworthy/internal/knowledge"
)

func TestBuiltInRules(t *testing.T) {
	cat, err := knowledge.Load()
	if err != nil {
		t.Fatal(err)
	}
	rep, err := rule.Test(t.Context(), cat.Rules())
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range rep.Failures {
		t.Error(f)
	}
	if len(rep.Untested) > 0 {
		t.Errorf("rules without a case: got %v, want none", rep.Untested)
	}
	t.Logf("%d rules, %d cases", rep.BuiltIn.Rules, rep.BuiltIn.Cases)
}

// onlyWhereRead is how a condition says that it is about what only some folders hold.
var onlyWhereRead = regexp.MustCompile(`has_fact\(|has_protocol\(|el\.(?:lookup|servers|mounts|errors|neighbours)_read`)

// A rule shows by its own cases that it finds, that it lets pass, and that it
// owns up to what it does not know. One about a fact that only some folders hold, such
// as a log, shows that it does not apply without it.
func TestBuiltInRulesShowEveryVerdict(t *testing.T) {
	cat, err := knowledge.Load()
	if err != nil {
		t.Fatal(err)
	}
	rules := cat.Rules()
	for _, r := range rules {
		var shown []string
		for _, k := range r.Cases {
			for _, e := range k.Expect {
				shown = append(shown, e.Verdict)
			}
		}
		without := finding.NotAssessed
		if !slices.ContainsFunc(r.Checks, func(k knowledge.Check) bool { return !onlyWhereRead.MatchString(k.When) }) {
			without = finding.NotApplicable
		}
		for _, v := range []finding.Verdict{finding.Found, finding.Pass, without} {
			if !slices.Contains(shown, string(v)) {
				t.Errorf("rule %s: got cases of %v, want one of %s", r.ID, slices.Compact(slices.Sorted(slices.Values(shown))), v)
			}
		}
		if len(r.Cases) < 3 {
			t.Errorf("rule %s: got %d cases, want at least 3", r.ID, len(r.Cases))
		}
	}
}
