package plan

import (
	"slices"
	"testing"

	"seaworthy/internal/change/task"
)

func stepOn(host, element, class, outage string, pending bool) Step {
	return Step{Task: task.Task{Host: host, Element: element, Pending: pending}, Class: class, Outage: outage}
}

// Every part of a plan and every reboot is counted; what only writes the next boot's value is not.
func TestInterruptions(t *testing.T) {
	const down = "the interface is down for some seconds"
	p := &Plan{
		Steps: []Step{
			{Task: task.Task{Element: "switch ports"}, Class: "O6", Outage: "some switches take a port down for a moment", Manual: &ManualStep{}},
			stepOn("vios1b", "ent5", "O5", "none now", true),
			stepOn("vios1a", "ent5", "O5", "none now", true),
			stepOn("lpar1", "en1", "O0", "none (traffic continues)", false),
		},
		Next: &Plan{Steps: []Step{
			stepOn("lpar1", "en0", "O2", down, false),
			stepOn("lpar2", "en0", "O2", down, false),
		}},
	}
	var got []string
	for _, i := range p.Interruptions() {
		got = append(got, i.String())
	}
	want := []string{
		"switch ports (some switches take a port down for a moment)",
		"reboot of vios1b, then vios1a",
		"en0 of lpar1, lpar2 (" + down + ")",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	quiet := &Plan{Steps: []Step{stepOn("lpar1", "en0", "O1", "none: new connections alone benefit", false)}}
	if got := quiet.Interruptions(); len(got) != 0 {
		t.Errorf("steps without outage: got %v, want none", got)
	}
}
