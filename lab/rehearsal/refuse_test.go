package rehearsal

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"seaworthy/internal/change/plan"
	"seaworthy/internal/change/task"
	"seaworthy/internal/inventory/model"
	"seaworthy/internal/remote"
	"seaworthy/lab/fault"
)

// askedHost and askedLab note what they are asked.
type (
	askedHost struct {
		remote.Host
		lines []string
	}
	askedLab []string
)

func (h *askedHost) Run(_ context.Context, c remote.Command) (*remote.Result, error) {
	h.lines = append(h.lines, c.Line)
	return &remote.Result{}, nil
}

func (l *askedLab) Query(_ context.Context, op string, args, _ any) error {
	f := args.(fault.Fault)
	*l = append(*l, strings.Join([]string{op, f.Kind, f.Target, f.Value}, " "))
	return nil
}

// The step of the plan is refused, by the device that it changes, and no other command.
func TestRefusal(t *testing.T) {
	step := plan.Step{Task: task.Task{ID: "h:ent0:a", Host: "h", Element: "en0",
		Changes: []task.Change{{Element: "ent0", Attr: "chksum_offload"}}, Program: task.Program{Do: []string{"one", "two", "three"}}}}
	for platform, want := range map[model.Platform]struct{ asked, lines []string }{
		model.AIX:   {[]string{"break refuse h:ent0 1"}, []string{"another", "one && two && three"}},
		model.Linux: {nil, []string{"another", "one && two && " + refusedCommand}},
	} {
		host, lab, refused := &askedHost{}, askedLab(nil), false
		r := refusal{Host: host, lab: &lab, step: step, platform: platform, refused: &refused}
		for i, c := range []remote.Command{{Line: "another"}, step.Forward().Command()} {
			_, err := r.Run(t.Context(), c)
			if err != nil || refused != (i == 1) {
				t.Errorf("%s: %q: refused is %v, %v", platform, c.Line, refused, err)
			}
		}
		if d := cmp.Diff(want.lines, host.lines); d != "" || !slices.Equal(lab, want.asked) {
			t.Errorf("%s: the lab was asked %q; commands (-want +got):\n%s", platform, lab, d)
		}
	}
}
