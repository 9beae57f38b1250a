package plan_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"seaworthy/internal/audit/rule"
	"seaworthy/internal/change/plan"
	"seaworthy/internal/knowledge"
	"seaworthy/internal/test/plantest"
)

// What an audit said before is taken for one of the plan's own, and the plan is the same.
func TestAuditBeforeThePlan(t *testing.T) {
	set, err := rule.Compile(knowledge.BuiltIn().Rules())
	if err != nil {
		t.Fatal(err)
	}
	for _, setting := range []string{"lpar1:en0:mtu=9000", "lpar1:en0:mtu_bypass=off", "vios1:ent5:large_receive=yes"} {
		f := plantest.Behind(t, "3.10.0-229.el7.ppc64")
		all, err := set.Run(t.Context(), f, rule.Options{Passed: new(int)})
		if err != nil {
			t.Fatal(err)
		}
		if len(all) == 0 {
			t.Fatal("the audit says nothing: this proves nothing")
		}
		want, err := plan.Simulator{Rules: set}.Build(t.Context(), f, knowledge.BuiltIn(), plantest.Desired(setting))
		if err != nil {
			t.Fatal(err)
		}
		got, err := plan.Simulator{Rules: set, Now: all}.Build(t.Context(), f, knowledge.BuiltIn(), plantest.Desired(setting))
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-audited +said before):\n%s", setting, diff)
		}
	}
}
