package audit

import (
	"strings"
	"testing"

	"seaworthy/internal/audit/rule"
	"seaworthy/internal/knowledge"
)

// A case that expects the wrong thing must be reported, or the cases of the
// built-in rules prove nothing.
func TestRulesReportsWrongCases(t *testing.T) {
	ruleWith := func(k knowledge.Case) []knowledge.Rule {
		return []knowledge.Rule{{ID: "X1", Title: "x", Severity: "high", Checks: []knowledge.Check{{
			Kind: []string{"sea"}, Condition: `el.off("largesend")`, Affects: "el.clients",
			Remedy: []knowledge.Remedy{{Attr: "largesend", Value: "1"}},
		}}, Cases: []knowledge.Case{k}}}
	}
	off := map[string]any{"vios1:ent5": map[string]any{"attrs": map[string]any{"largesend": 0}}}
	tests := []struct {
		name string
		k    knowledge.Case
		want string
	}{
		{"right", knowledge.Case{With: off, Expect: []knowledge.Expectation{{At: "vios1:ent5", Verdict: "FINDING", Severity: "high", Affects: []string{"lpar1:en0"}, Remedy: []string{"vios1:ent5 largesend=1"}}}}, ""},
		{"verdict", knowledge.Case{With: off, Expect: []knowledge.Expectation{{At: "vios1:ent5", Verdict: "PASS"}}}, "got FINDING, want PASS"},
		{"severity", knowledge.Case{With: off, Expect: []knowledge.Expectation{{At: "vios1:ent5", Verdict: "FINDING", Severity: "low"}}}, "got severity high, want severity low"},
		{"affects", knowledge.Case{With: off, Expect: []knowledge.Expectation{{At: "vios1:ent5", Verdict: "FINDING", Affects: []string{"lpar2:en0"}}}}, "got affects lpar1:en0"},
		{"remedy", knowledge.Case{With: off, Expect: []knowledge.Expectation{{At: "vios1:ent5", Verdict: "FINDING", Remedy: []string{}}}}, "got remedy vios1:ent5 largesend=1"},
		{"unexpected", knowledge.Case{With: off, Expect: []knowledge.Expectation{{At: "vios2:ent5", Verdict: "PASS"}}}, "no finding that the case does not name"},
		{"nowhere", knowledge.Case{Expect: []knowledge.Expectation{{At: "vios9:ent5", Verdict: "PASS"}}}, "the rule does not judge it"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			tt.k.Name, tt.k.Fleet = tt.name, "two-systems"
			rep, err := rule.Test(t.Context(), ruleWith(tt.k))
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, f := range rep.Failures {
				got = append(got, f.String())
			}
			if all := strings.Join(got, "; "); tt.want == "" && all != "" || !strings.Contains(all, tt.want) {
				t.Errorf("got failures %q, want %q", all, tt.want)
			}
		})
	}
	for name, with := range map[string]map[string]any{
		"no such host": {"vios9:ent5": map[string]any{"state": "x"}},
		"unknown key":  {"vios1:ent5": map[string]any{"colour": "red"}},
		"not a map":    {"vios1:ent5": "x"},
		"wrong type":   {"vios1:ent5": map[string]any{"pvid": "one"}},
	} {
		k := knowledge.Case{Name: name, Fleet: "two-systems", With: with, Expect: []knowledge.Expectation{{At: "vios1:ent5", Verdict: "PASS"}}}
		if _, err := rule.Test(t.Context(), ruleWith(k)); err == nil {
			t.Errorf("%s: got no error, want one", name)
		}
	}
}
