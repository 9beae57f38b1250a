package report_test

import (
	"strings"
	"testing"

	"seaworthy/internal/change/plan"
	"seaworthy/internal/change/task"
	"seaworthy/internal/ui/report"
	"seaworthy/internal/ui/report/doc"
)

// Cautions stand at the first step that has them; the others name that step.
func TestRepeatedCautions(t *testing.T) {
	step := func(host string, cautions ...string) plan.Step {
		return plan.Step{Task: task.Task{Host: host, Element: "ent0"}, Class: "O3", Cautions: cautions}
	}
	text := printed(t, func(d *report.Document) {
		report.Plan(d, &plan.Plan{Steps: []plan.Step{
			step("vios1", "Verify with pings.", "The switch is not seen."), step("vios2", "One at a time."),
			step("vios3", "Verify with pings.", "The switch is not seen."),
		}})
	}, doc.Screen{Width: 100})
	if strings.Count(text, "Verify with pings.") != 1 || !strings.Contains(text, "as for step 1") || !strings.Contains(text, "One at a time.") {
		t.Errorf("got\n%s\nwant each caution once, and the third step with those of the first", text)
	}
}
