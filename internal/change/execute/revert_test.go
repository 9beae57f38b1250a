package execute

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"seaworthy/internal/change/plan"
	"seaworthy/internal/change/task"
)

// Hosts of one stage are taken back together, others one after the other, the
// last to be changed first.
func TestInReverse(t *testing.T) {
	step := func(host string, stage int) plan.Step { return plan.Step{Task: task.Task{Host: host}, Stage: stage} }
	for _, c := range []struct {
		name  string
		steps []plan.Step
		want  [][]string
	}{
		{"one stage", []plan.Step{step("a", 1), step("b", 1), step("c", 1)}, [][]string{{"c", "b", "a"}}},
		{"no stages", []plan.Step{step("a", 0), step("b", 0)}, [][]string{{"b"}, {"a"}}},
		{"two stages", []plan.Step{step("a", 1), step("b", 1), step("c", 2), step("d", 2)}, [][]string{{"d", "c"}, {"b", "a"}}},
		{"a host in two stages", []plan.Step{step("a", 1), step("b", 1), step("a", 2)}, [][]string{{"a"}, {"b"}}},
	} {
		p := &plan.Plan{Steps: c.steps}
		if d := cmp.Diff(c.want, reverseOrder(p)); d != "" {
			t.Errorf("%s (-want +got):\n%s", c.name, d)
		}
	}
}
