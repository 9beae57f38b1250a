package report_test

import (
	"strings"
	"testing"

	"seaworthy/internal/change/plan"
	"seaworthy/internal/change/task"
	"seaworthy/internal/ui/report"
	"seaworthy/internal/ui/report/doc"
)

// A plan says which steps run at the same time, and that VIOSes are rebooted in turn.
func TestPlanSaysWhatRunsTogether(t *testing.T) {
	step := func(host string, stage int, pending bool) plan.Step {
		return plan.Step{Task: task.Task{ID: host, Host: host, Element: "en0", Pending: pending}, Stage: stage}
	}
	p := &plan.Plan{
		Hosts:      []string{"lpar1", "lpar2", "vios1", "vios2"},
		Steps:      []plan.Step{step("lpar1", 1, false), step("lpar2", 1, false), step("vios2", 0, true), step("vios1", 0, true)},
		Conditions: []plan.Condition{{Host: "vios2", Element: "ent5", Fact: plan.HAState, Want: "BACKUP"}},
	}
	out := strings.Join(strings.Fields(printed(t, func(d *report.Document) { report.Plan(d, p) }, doc.Screen{Width: 120})), " ")
	for _, want := range []string{
		"steps 1 to 2 run at the same time", "apply --first lpar1",
		"1. vios2: go on when it is up again and its links are up, and ent5 is BACKUP again", "2. vios1: go on when",
	} {
		if !strings.Contains(out, want) {
			t.Errorf("got no %q in:\n%s", want, out)
		}
	}
}
