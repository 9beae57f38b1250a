package execute_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"seaworthy/internal/change/execute"
	"seaworthy/internal/inventory/model"
)

// up is a host on a managed system that has been up for so long.
func up(platform model.Platform, system string, uptime time.Duration) *model.Host {
	return &model.Host{Platform: platform, MachineID: system, Figures: map[string]model.Figure{model.Uptime: {Value: uptime.Seconds()}}}
}

func TestMoves(t *testing.T) {
	now := time.Now().UTC()
	placed := []execute.Placement{
		{Host: "lpar1", Platform: model.AIX, System: "9009-22A*1", Booted: now.Add(-time.Hour)},
		{Host: "lpar2", Platform: model.Linux, System: "9009-22A*1"},
		{Host: "vios1", Platform: model.VIOS, System: "9009-22A*1", Booted: now.Add(-time.Hour)},
		{Host: "vios3", Platform: model.VIOS, System: "9009-22A*3", Booted: now.Add(-time.Hour)},
	}
	for _, c := range []struct {
		name string
		is   map[string]*model.Host
		want []string // of each move a part
	}{
		{"nothing happened", map[string]*model.Host{"lpar1": up(model.AIX, "9009-22A*1", time.Hour), "lpar2": up(model.Linux, "9009-22A*1", time.Minute)}, nil},
		{"a partition moved", map[string]*model.Host{"lpar1": up(model.AIX, "9009-22A*2", time.Hour)},
			[]string{"lpar1 was moved from 9009-22A*1 to 9009-22A*2 since the run began: steps on vios1 stay on the system that it left"}},
		{"it was rebooted", map[string]*model.Host{"lpar1": up(model.AIX, "9009-22A*1", 10*time.Minute)}, []string{"lpar1 was rebooted or updated live at "}},
		{"both", map[string]*model.Host{"lpar1": up(model.AIX, "9009-22A*2", 10*time.Minute)}, []string{"9009-22A*2 and was rebooted"}},
		{"a clock that drifts", map[string]*model.Host{"lpar1": up(model.AIX, "9009-22A*1", time.Hour-20*time.Second)}, nil},
		{"what was not read then", map[string]*model.Host{"lpar2": up(model.Linux, "9009-22A*1", time.Second)}, nil},
		{"what is not read now", map[string]*model.Host{"lpar1": {Platform: model.AIX}}, nil},
		{"no answer", nil, nil},
	} {
		r := &execute.Runner{Placement: func(_ context.Context, name string) (*model.Host, error) {
			if c.is[name] == nil {
				return nil, errors.New("no answer")
			}
			return c.is[name], nil
		}}
		got := r.Moves(t.Context(), &execute.Run{Placed: placed})
		if len(got) != len(c.want) {
			t.Errorf("%s: got %v, want %v", c.name, got, c.want)
			continue
		}
		for i, m := range got {
			if !strings.Contains(m.String(), c.want[i]) {
				t.Errorf("%s: got %q, want %q", c.name, m, c.want[i])
			}
		}
	}
}

// A partition that moves while a change waits is named, whether the change is confirmed or
// taken back; the hosts take it back all the same.
func TestMovedWhileAChangeWaits(t *testing.T) {
	t.Parallel()
	r, p, hosts := watched(t)
	system := "9009-22A*3"
	r.Placement = func(_ context.Context, name string) (*model.Host, error) {
		if name == "h2" {
			return up(model.AIX, "9009-22A*1", time.Hour), nil
		}
		return up(model.AIX, system, time.Hour), nil
	}
	if _, err := r.Apply(t.Context(), p); !errors.Is(err, execute.ErrDrift) || !strings.Contains(err.Error(), "h1 was moved from 9009-22A*1 to 9009-22A*3") {
		t.Errorf("a plan made before the partition moved: got %v, want drift", err)
	}
	system = "9009-22A*1"
	run, err := r.ApplyWithin(t.Context(), p, execute.Confirmation{Within: time.Minute, Health: func(context.Context, string) error {
		system = "9009-22A*2"
		return errors.New("ill")
	}})
	want := []execute.Move{{Host: "h1", From: "9009-22A*1", To: "9009-22A*2"}}
	if err == nil || run.Outcome != execute.RolledBack || stand(hosts) != oldStand {
		t.Fatalf("got %+v, %v, values %s, want it taken back", run, err, stand(hosts))
	}
	if d := cmp.Diff(want, run.Moves); d != "" {
		t.Errorf("taken back (-want +got):\n%s", d)
	}
	system = "9009-22A*1"
	if run, err = r.ApplyWithin(t.Context(), p, execute.Confirmation{Within: time.Minute, Leave: true}); err != nil || len(run.Moves) > 0 {
		t.Fatalf("got %+v, %v, want it pending", run, err)
	}
	system = "9009-22A*2"
	if _, err = r.Confirm(t.Context(), run.ID); err != nil || stand(hosts) != newStand {
		t.Fatalf("confirm: got %v, values %s", err, stand(hosts))
	}
	kept, _, err := r.Journals.Load(t.Context(), run.ID)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(want, kept.Moves); d != "" {
		t.Errorf("in the journal (-want +got):\n%s", d)
	}
}
