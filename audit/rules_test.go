package audit

import (
	"testing"

	"seaworthy/catalog"
)

func TestBuiltInRules(t *testing.T) {
	cat, err := catalog.Load()
	if err != nil {
		t.Fatal(err)
	}
	rep, err := TestRules(t.Context(), cat.Rules())
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range rep.Failures {
		t.Error(f)
	}
	if len(rep.Untested) > 0 {
		t.Errorf("rules without a case: got %v, want none", rep.Untested)
	}
	t.Logf("%d rules, %d cases", rep.Rules, rep.Cases)
}
