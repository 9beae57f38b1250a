package execute_test

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"seaworthy/internal/change/execute"
	"seaworthy/internal/change/plan"
	"seaworthy/internal/inventory/model"
	"seaworthy/internal/test/bombs"
)

// What undoes a run is derived again, too: its folder may have been written by
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

// Whatever a journal holds, it is refused, or is of the plan's own steps alone.
func FuzzJournal(f *testing.F) {
	host := &model.Host{Name: "lpar1", Platform: model.AIX, Elements: map[string]*model.Element{
		"en0": {Name: "en0", Kind: model.Interface, On: "ent0", Attrs: attrs("mtu_bypass=off", "rfc1323=0")}}}
	p, err := plan.Build(&model.Fleet{Hosts: []*model.Host{host}}, known, desired("lpar1:en0:mtu_bypass=on", "lpar1:en0:rfc1323=1"))
	if err != nil || len(p.Steps) == 0 {
		f.Fatalf("%+v, %v", p, err)
	}
	text, err := json.Marshal(p)
	if err != nil {
		f.Fatal(err)
	}
	id := p.Steps[0].ID
	f.Add([]byte(`{"time":"2026-05-01T07:00:00Z","event":"begin","lookup":{"inventory":"/x"}}` + "\n" +
		`{"event":"prior","step":"` + id + `","prior":[{"attr":"mtu_bypass"}]}` + "\n" + `{"event":"doing","step":"` + id + `"}` + "\n" +
		`{"event":"failed","step":"` + id + `","error":"busy"}` + "\n\n" + `{"event":"end","outcome":"rolled-back"}` + "\n"))
	f.Add([]byte(`{"event":"done","step":"another"}` + "\n" + `{"event":"boot","next_boot":"waiting"}`))
	dir := f.TempDir()
	f.Fuzz(func(t *testing.T, journal []byte) {
		at, err := os.MkdirTemp(dir, "run-")
		if err != nil {
			t.Fatal(err)
		}
		defer os.RemoveAll(at)
		for name, b := range map[string][]byte{"plan.json": text, "journal.jsonl": journal} {
			if err := os.WriteFile(filepath.Join(at, name), b, 0o600); err != nil {
				t.Fatal(err)
			}
		}
		run, got, err := execute.Journals{Dir: dir}.Load(t.Context(), filepath.Base(at))
		if err != nil {
			return
		}
		if got.ID != p.ID || len(run.Steps) != len(p.Steps) {
			t.Errorf("%d steps of plan %s, want %d of %s", len(run.Steps), got.ID, len(p.Steps), p.ID)
		}
		for i, s := range run.Steps {
			if s.Step != p.Steps[i].ID {
				t.Errorf("step %d is %q, want %q", i, s.Step, p.Steps[i].ID)
			}
		}
	})
}
