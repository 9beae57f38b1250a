package execute_test

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"seaworthy/change/execute"
	"seaworthy/change/plan"
	"seaworthy/internal/test/bombs"
)

// What undoes a run is derived anew, too: its folder may have been written by
// somebody else since.
func TestForgedJournal(t *testing.T) {
	l, v := pair(t)
	r := runner(t, l, v)
	run, err := r.Apply(t.Context(), build(t, []*box{l, v}, "lpar1:en0:mtu_bypass=on"))
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(r.Journals.Dir, run.ID, "plan.json")
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	p := new(plan.Plan)
	if err := json.Unmarshal(text, p); err != nil {
		t.Fatal(err)
	}
	p.Steps[0].Undo = []string{"touch /tmp/OWNED"}
	if err := os.WriteFile(path, []byte(resign(t, p)), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := r.Rollback(t.Context(), run.ID); err == nil || !strings.Contains(err.Error(), `"undo" is`) {
		t.Errorf("got %v, want that nothing of it runs", err)
	}
	if runs, err := r.Journals.Runs(t.Context()); err != nil || len(runs) != 1 || !strings.Contains(runs[0].Error, `"undo" is`) {
		t.Errorf("list of runs: got %+v, %v, want one with that error", runs, err)
	}
}

// A run's journal of any form costs little to read.
func TestJournalBombs(t *testing.T) {
	l, v := pair(t)
	r := runner(t, l, v)
	run, err := r.Apply(t.Context(), build(t, []*box{l, v}, "lpar1:en0:mtu_bypass=on"))
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(filepath.Join(r.Journals.Dir, run.ID, "plan.json"))
	if err != nil {
		t.Fatal(err)
	}
	bombs.Each(t, "journal", "journal.jsonl", func(_ context.Context, dir string) error {
		if err := os.WriteFile(filepath.Join(dir, "plan.json"), text, 0o600); err != nil {
			t.Fatal(err)
		}
		run, _, err := execute.Journals{Dir: filepath.Dir(dir)}.Load(t.Context(), filepath.Base(dir))
		if err == nil && run.Outcome != execute.Applied { // nothing of it was taken for an event
			err = errors.New("no events")
		}
		return err
	})
}
