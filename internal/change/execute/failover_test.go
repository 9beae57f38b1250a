package execute_test

import (
	"errors"
	"strings"
	"testing"

	"seaworthy/internal/change/execute"
)

// A pair that has failed over since the plan was made is not changed in the
// plan's order.
func TestConditionsStopApply(t *testing.T) {
	f := behind(t, "5.14.0")
	p := simulate(t, f, []string{"R020", "R023", "R047"}, "vios1:ent5:jumbo_frames=yes", "vios2:ent5:jumbo_frames=yes")
	f.Host("vios1").Elements["ent5"].HAState, f.Host("vios2").Elements["ent5"].HAState = "BACKUP", "PRIMARY"
	one, two := &box{host: f.Host("vios1")}, &box{host: f.Host("vios2")}
	_, err := runner(t, one, two).Apply(t.Context(), p)
	if !errors.Is(err, execute.ErrDrift) || !strings.Contains(err.Error(), "ha_state is BACKUP, not PRIMARY") {
		t.Errorf("apply: got %v, want the drift of ha_state", err)
	}
	if n := len(one.log) + len(two.log); n > 0 {
		t.Errorf("%d commands were sent all the same", n)
	}
}
