package plan

import (
	"reflect"
	"testing"

	"seaworthy/internal/audit/rule"
	"seaworthy/internal/change/task"
	"seaworthy/internal/inventory/model"
	"seaworthy/internal/knowledge"
)

// A plan without a reboot is judged by one audit of the hosts as they will be, not two:
// of thousands of hosts each takes half a minute.
func TestAuditsOfAPlan(t *testing.T) {
	set, err := rule.Compile(knowledge.BuiltIn().Rules())
	if err != nil {
		t.Fatal(err)
	}
	value := "9000"
	f := &model.Fleet{Hosts: []*model.Host{{Name: "lpar1", Elements: map[string]*model.Element{}}}}
	for _, pending := range []bool{false, true} {
		changes := []task.Change{{Attr: "mtu", After: task.Values{NextBoot: &value}}}
		p := &Plan{Steps: []Step{{Task: task.Task{Host: "lpar1", Changes: changes, Pending: pending}}}}
		got, err := Simulator{Rules: set}.later(t.Context(), f, p)
		if err != nil {
			t.Fatal(err)
		}
		once := reflect.ValueOf(got[0].found).Pointer() == reflect.ValueOf(got[1].found).Pointer()
		if once == pending {
			t.Errorf("pending %v: one audit: %v", pending, once)
		}
	}
}
