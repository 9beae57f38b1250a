package plans_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"seaworthy/internal/app/plans"
	"seaworthy/internal/change/plan"
)

func TestRequireRehearsal(t *testing.T) {
	p := &plan.Plan{ID: "0123456789ab"}
	good := plans.Rehearsal{Schema: plans.RehearsalSchema, Plan: p.ID, Ended: time.Now().Add(-time.Hour), AsPlanned: true}
	for _, c := range []struct {
		name   string
		change func(r *plans.Rehearsal)
		want   string // in the error; empty: none
	}{
		{"as it must be", func(*plans.Rehearsal) {}, ""},
		{"another plan", func(r *plans.Rehearsal) { r.Plan = "ffffffffffff" }, "rehearse this plan"},
		{"not as planned", func(r *plans.Rehearsal) { r.AsPlanned = false }, "did not go as planned"},
		{"old", func(r *plans.Rehearsal) { r.Ended = time.Now().Add(-48 * time.Hour) }, "rehearse again"},
		{"of the future", func(r *plans.Rehearsal) { r.Ended = time.Now().Add(48 * time.Hour) }, "rehearse again"},
		{"no time", func(r *plans.Rehearsal) { r.Ended = time.Time{} }, "rehearse again"},
		{"another form", func(r *plans.Rehearsal) { r.Schema = "seaworthy.plan/2" }, "its schema is"},
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
			err = plans.RequireRehearsal(t.Context(), file, p, 24*time.Hour)
			if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
				t.Errorf("got %v, want %q", err, c.want)
			}
		})
	}
	err := plans.RequireRehearsal(t.Context(), filepath.Join(t.TempDir(), "none.json"), p, time.Hour)
	if err == nil || !strings.Contains(err.Error(), "seaworthy rehearse") {
		t.Errorf("no file: got %v, want how to make one", err)
	}
}
