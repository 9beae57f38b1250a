package plans_test

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"seaworthy/internal/app/plans"
	"seaworthy/internal/app/rehearsed"
	"seaworthy/internal/change/plan"
	"seaworthy/internal/change/task"
	"seaworthy/internal/inventory/model"
)

func TestRequireRehearsal(t *testing.T) {
	p := &plan.Plan{ID: "0123456789ab", Hosts: []string{"lpar1"}}
	host := func(ago time.Duration) map[string]rehearsed.Host {
		return map[string]rehearsed.Host{"lpar1": {Read: time.Now().Add(-ago)}}
	}
	good := rehearsed.Result{Schema: rehearsed.Schema, Plan: p.ID, Ended: time.Now().Add(-time.Hour), AsPlanned: true, Hosts: host(2 * time.Hour)}
	for _, c := range []struct {
		name   string
		change func(r *rehearsed.Result)
		want   string // in the error; empty: none
	}{
		{"as it must be", func(*rehearsed.Result) {}, ""},
		{"another plan", func(r *rehearsed.Result) { r.Plan = "ffffffffffff" }, "rehearse this plan"},
		{"not as planned", func(r *rehearsed.Result) { r.AsPlanned = false }, "did not go as planned"},
		{"old", func(r *rehearsed.Result) { r.Ended = time.Now().Add(-48 * time.Hour) }, "rehearse again"},
		{"of the future", func(r *rehearsed.Result) { r.Ended = time.Now().Add(48 * time.Hour) }, "rehearse again"},
		{"no time", func(r *rehearsed.Result) { r.Ended = time.Time{} }, "rehearse again"},
		{"a host of it was not there", func(r *rehearsed.Result) { r.Hosts = nil }, "lpar1 of the plan was not in it"},
		{"of hosts read long ago", func(r *rehearsed.Result) { r.Hosts = host(48 * time.Hour) }, "lpar1 was read at"},
		{"another form", func(r *rehearsed.Result) { r.Schema = "seaworthy.plan/2" }, "its format is"},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := good
			c.change(&r)
			text, err := json.Marshal(r)
			if err != nil {
				t.Fatal(err)
			}
			file := filepath.Join(t.TempDir(), "rehearsal.json")
			if err := os.WriteFile(file, text, 0o600); err != nil {
				t.Fatal(err)
			}
			_, err = plans.RequireRehearsal(t.Context(), file, p, 24*time.Hour)
			if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
				t.Errorf("got %v, want %q", err, c.want)
			}
		})
	}
	_, err := plans.RequireRehearsal(t.Context(), filepath.Join(t.TempDir(), "none.json"), p, time.Hour)
	if err == nil || !strings.Contains(err.Error(), "seaworthy rehearse") {
		t.Errorf("no file: got %v, want how to make one", err)
	}
}

// A setting that somebody has changed since the rehearsal is named; one of the plan's own, and what was not read, is not.
func TestUnchanged(t *testing.T) {
	host := func(jumbo, mtu, more string) *model.Host {
		value := func(v string) *model.Attr { return &model.Attr{Running: &v, NextBoot: &v} }
		h := &model.Host{Name: "h", Elements: map[string]*model.Element{"ent5": {Attrs: map[string]*model.Attr{"jumbo_frames": value(jumbo)}},
			"en0": {Attrs: map[string]*model.Attr{"mtu": value(mtu)}}}}
		if more != "" {
			h.Tunables = map[string]*model.Attr{"sb_max": value(more)}
		}
		return h
	}
	p := &plan.Plan{ID: "0123456789ab", Hosts: []string{"h"},
		Steps: []plan.Step{{Task: task.Task{Host: "h", Element: "en0", Changes: []task.Change{{Attr: "mtu"}}}}}}
	r := rehearsed.Result{Hosts: plans.RehearsedHosts(&model.Fleet{Hosts: []*model.Host{host("no", "1500", "1")}}, p)}
	for name, c := range map[string]struct {
		now  *model.Host
		want string // in the error; empty: none
	}{
		"as it was":               {host("no", "1500", "1"), ""},
		"the plan's own value":    {host("no", "9000", "1"), ""},
		"not read any more":       {host("no", "1500", ""), ""},
		"changed by somebody":     {host("yes", "1500", "1"), "h ent5 jumbo_frames was no / no and is yes / yes"},
		"two changed by somebody": {host("yes", "1500", "2"), "h no sb_max was 1 / 1 and is 2 / 2"},
	} {
		err := plans.Unchanged(t.Context(), &r, p, func(context.Context, string) (*model.Host, error) { return c.now, nil })
		if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: got %v, want %q", name, err, c.want)
		}
	}
}
