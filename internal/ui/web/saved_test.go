package web_test

import (
	"encoding/json"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"seaworthy/internal/audit/finding"
	"seaworthy/internal/audit/rule"
	"seaworthy/internal/change/plan"
	"seaworthy/internal/knowledge"
)

// run is that of saves.
const run = "20260504-090000-abcdef"

// saves writes a plan for what the snapshots in a folder need, one whose commands were
// edited, and a run of the first that failed.
func saves(t testing.TB, dir string) *plan.Plan {
	t.Helper()
	_, kept := serving(t, dir, nil)
	state, err := kept.State()
	if err != nil {
		t.Fatal(err)
	}
	set, err := rule.Compile(knowledge.BuiltIn().Rules())
	if err != nil {
		t.Fatal(err)
	}
	found := []finding.Finding{*state.Finding("R001/lpar1:en0")}
	p, err := plan.Simulator{Rules: set}.Build(t.Context(), state.Fleet, knowledge.BuiltIn(), plan.FromFindings(found))
	if err != nil {
		t.Fatal(err)
	}
	text, err := json.Marshal(p)
	if err != nil {
		t.Fatal(err)
	}
	at := filepath.Join(dir, "runs", run)
	journal := fmt.Sprintf("{\"time\":\"2026-05-04T09:00:00Z\",\"event\":\"begin\"}\n{\"event\":\"failed\",\"step\":%q,\"error\":\"<b>no</b>\"}\n"+
		"{\"time\":\"2026-05-04T09:01:00Z\",\"event\":\"end\",\"outcome\":\"partial\"}\n", p.Steps[0].ID)
	for file, text := range map[string]string{
		filepath.Join(dir, "later.json"):   string(text),
		filepath.Join(dir, "edited.json"):  strings.ReplaceAll(string(text), "mtu_bypass=on", "mtu_bypass=on; reboot"),
		filepath.Join(at, "plan.json"):     string(text),
		filepath.Join(at, "journal.jsonl"): journal,
	} {
		if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return p
}

// A saved plan and a run are listed and shown with their commands; a plan whose
// commands were edited is not.
func TestSavedPlans(t *testing.T) {
	dir := t.TempDir()
	imported(t, filepath.Join(dir, "monday"), monday, edited(t, strings.Clone))
	p := saves(t, dir)
	s, _ := serving(t, dir, nil)
	saved := func(path, file string) string { return path + "?file=" + url.QueryEscape(filepath.Join(dir, file)) }
	command := "chdev -l en0 -a mtu_bypass=on"
	for path, wants := range map[string][]string{
		"/results":                                    {"Plan " + p.ID.String(), "Run " + run + ": partial", "edited.json: plan", "later.json"},
		saved("/saved", "later.json"):                 {"Apply it", "later.json --confirm-within 2m", command, "Undo"},
		saved("/saved", "runs/"+run+"/plan.json"):     {"seaworthy status " + run, "failed", "&lt;b&gt;no&lt;/b&gt;", command},
		saved("/saved", "edited.json"):                {"there is no result"},
		saved("/saved", "runs/"+run+"/journal.jsonl"): {"there is no result"},
		saved("/result", "later.json"):                {"there is no result"},
	} {
		_, body := settled(t, s, path)
		for _, want := range wants {
			if !strings.Contains(body, want) {
				t.Errorf("%s: no %q in\n%s", path, want, body)
			}
		}
	}
}
