package rule_test

import (
	"testing"

	"seaworthy/internal/audit/rule"
	"seaworthy/internal/knowledge"
)

// Every known defect that is judged comes out as its own cases say.
func TestKnownDefects(t *testing.T) {
	defects, err := knowledge.Defects()
	if err != nil {
		t.Fatal(err)
	}
	report, err := rule.Test(t.Context(), knowledge.DefectRules(defects))
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range report.Failures {
		t.Error(f)
	}
	if report.BuiltIn.Cases == 0 {
		t.Error("no case was run")
	}
}

// Every expression of a known defect compiles, those without a case too.
func TestKnownDefectsCompile(t *testing.T) {
	defects, err := knowledge.Defects()
	if err != nil {
		t.Fatal(err)
	}
	rules := knowledge.DefectRules(defects)
	for i := range rules {
		rules[i].BuiltIn = false
	}
	if _, err := rule.Compile(rules); err != nil {
		t.Error(err)
	}
}
