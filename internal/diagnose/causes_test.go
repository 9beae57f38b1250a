package diagnose_test

import (
	"slices"
	"testing"

	"seaworthy/internal/audit/rule"
	"seaworthy/internal/knowledge"
)

// The causes' own checks are tested as rules are; what a cause refers to exists.
func TestCauses(t *testing.T) {
	cat, err := knowledge.Load()
	if err != nil {
		t.Fatal(err)
	}
	all := cat.Causes()
	known := func(id string) bool {
		return slices.ContainsFunc(all, func(c knowledge.Cause) bool { return c.ID == id })
	}
	var rules []knowledge.Rule
	for _, c := range all {
		if len(c.Checks) > 0 {
			rules = append(rules, c.Rule())
			if len(c.Cases) < 2 {
				t.Errorf("%s: got %d cases, want one that is found and one that is not", c.ID, len(c.Cases))
			}
		}
		if c.Title == "" || len(c.Do) == 0 || len(c.Verify) == 0 || len(c.Symptoms) == 0 {
			t.Errorf("%s: got %+v, want title, symptoms, do and verify", c.ID, c)
		}
		for _, s := range c.Symptoms {
			if !slices.Contains(knowledge.Symptoms, s) {
				t.Errorf("%s: got the symptom %s, want one of %v", c.ID, s, knowledge.Symptoms)
			}
		}
		for _, id := range slices.Concat(c.Hides, c.HidesHere) {
			if !known(id) || id == c.ID {
				t.Errorf("%s hides %s, which is no other cause", c.ID, id)
			}
		}
		for _, id := range c.Witnesses {
			if _, ok := cat.Rule(id); !ok {
				t.Errorf("%s: got the witness %s, want a rule", c.ID, id)
			}
		}
	}
	rep, err := rule.Test(t.Context(), rules)
	if err != nil || rep.BuiltIn.Failed > 0 {
		t.Fatalf("got %v, %v, want every case as expected", rep.Failures, err)
	}
	set, err := rule.Compile(rules)
	if err != nil || !set.Has("delay") {
		t.Fatalf("got %v, want the causes compiled", err)
	}
}

// Every rule that can explain a symptom belongs to a cause; of the others the catalogue says why
// they explain none.
func TestEveryRuleExplainsOrSaysWhyNot(t *testing.T) {
	cat, err := knowledge.Load()
	if err != nil {
		t.Fatal(err)
	}
	witness := map[string]string{}
	for _, c := range cat.Causes() {
		for _, id := range slices.Concat(c.Witnesses, c.Cures) {
			witness[id] = c.ID
		}
	}
	reasons := map[string]string{}
	for _, u := range cat.Unexplained() {
		if _, ok := cat.Rule(u.Rule); !ok || u.Reason == "" || reasons[u.Rule] != "" {
			t.Errorf("unexplained %q, %q: want a rule, once, and a reason", u.Rule, u.Reason)
		}
		reasons[u.Rule] = u.Reason
	}
	for _, r := range cat.Rules() {
		explains, none := witness[r.ID] != "", reasons[r.ID] != ""
		if explains == none {
			t.Errorf("%s (%s): explains %q, explains nothing since %q; want one of both", r.ID, r.Title, witness[r.ID], reasons[r.ID])
		}
	}
}
