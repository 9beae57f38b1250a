package history_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"seaworthy/internal/measure"
	"seaworthy/internal/measure/history"
	"seaworthy/internal/measure/probe/load"
	"seaworthy/internal/measure/stats"
)

// result is one measurement of a stream between two hosts.
func result(hour int, from string, seconds float64, variant string, bps ...float64) *measure.Result {
	w := measure.Workload{Name: "1 stream", Kind: load.Stream, Streams: 1, Seconds: seconds}
	return &measure.Result{
		Schema: measure.Schema, Mode: "run", Started: time.Date(2026, 5, 1, hour, 0, 0, 0, time.UTC),
		Options: measure.Options{From: from, To: "lpar2", Driver: "builtin", Workloads: []measure.Workload{w}},
		Figures: []measure.Figure{
			{Workload: w.Name, Variant: variant, Figure: measure.Throughput, Summary: *stats.Summarise(bps), Samples: bps},
			{Workload: w.Name, Variant: variant, Figure: measure.Cores, Host: "vios1", Summary: *stats.Summarise(bps), Samples: bps},
		},
	}
}

func save(t *testing.T, path string, v any) {
	t.Helper()
	text, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, text, 0o644); err != nil {
		t.Fatal(err)
	}
}

func TestRead(t *testing.T) {
	dir := t.TempDir()
	save(t, dir+"/b/late.json", result(9, "lpar1", 1, "", 4e9, 4e9))
	save(t, dir+"/early.json", result(7, "lpar1", 1, "", 2e9, 2e9))
	save(t, dir+"/loop.json", map[string]any{"schema": "seaworthy.loop/1", "started": "2026-05-01T08:00:00Z", "bench": result(8, "lpar1", 1, "", 3e9)})
	save(t, dir+"/replay.json", map[string]any{"schema": "seaworthy.replay/1", "started": "2026-05-01T10:00:00Z"})
	save(t, dir+"/plan.json", map[string]any{"schema": "seaworthy.plan/2"})
	save(t, dir+"/manifest.json", map[string]any{"host": "lpar1"})
	save(t, dir+"/hollow.json", map[string]any{"schema": measure.Schema})
	if err := os.WriteFile(dir+"/cut.json", []byte(`{"schema":"seaworthy.result/1",`), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(dir+"/early.json", dir+"/link.json"); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(dir+"/notes.txt", []byte("not looked at"), 0o644); err != nil {
		t.Fatal(err)
	}
	got, err := history.Read(t.Context(), []string{dir, dir + "/early.json"})
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, s := range got.Saved {
		rel, _ := filepath.Rel(dir, s.File)
		names = append(names, rel)
	}
	if d := cmp.Diff([]string{"early.json", "loop.json", "b/late.json"}, names); d != "" {
		t.Errorf("results in the order of time, each once (-want +got):\n%s", d)
	}
	passed := map[string]string{}
	for _, p := range got.Passed {
		passed[filepath.Base(p.File)] = p.Reason
	}
	for name, want := range map[string]string{"plan.json": "seaworthy.plan/2", "manifest.json": "names no schema", "hollow.json": "does not say", "cut.json": "cut off", "link.json": "no regular file", "replay.json": "lab replay --show"} {
		if !strings.Contains(passed[name], want) {
			t.Errorf("%s: got %q, want a reason with %q", name, passed[name], want)
		}
	}
	if len(passed) != 6 {
		t.Errorf("passed over: got %v", passed)
	}
	for _, named := range []string{"/plan.json", "/cut.json", "/nothing.json"} {
		if _, err := history.Read(t.Context(), []string{dir + named}); err == nil || !strings.Contains(err.Error(), named) {
			t.Errorf("%s, named: got %v, want an error that names it", named, err)
		}
	}
}

func TestSeries(t *testing.T) {
	f := &history.Files{}
	for _, r := range []*measure.Result{
		result(1, "lpar1", 1, "", 2e9, 2.02e9, 1.98e9), result(2, "lpar1", 5, "", 4e9, 4.04e9, 3.96e9), // longer trials of the same
		result(3, "lpar1", 1, "before", 2e9, 2e9), // another variant, asked once
		result(4, "lpar3", 1, "", 2e9, 2e9),       // another host
		result(5, "lpar1", 1, "", 2e9),            // one trial
	} {
		f.Saved = append(f.Saved, history.Saved{File: r.Started.Format("15h"), Started: r.Started, Result: r})
	}
	got := f.Series()
	if len(got) != 1 || got[0].From != "lpar1" || got[0].Figure != measure.Throughput || len(got[0].Points) != 3 {
		t.Fatalf("got %+v, want the throughput from lpar1, three times", got)
	}
	p := got[0].Points
	if p[0].Effect != nil {
		t.Errorf("the first: got an effect %+v", p[0].Effect)
	}
	if e := p[1].Effect; e == nil || e.Ratio < 1.99 || e.Ratio > 2.01 || e.Verdict != stats.Improved {
		t.Errorf("twice as fast: got %+v", e)
	}
	if e := p[2].Effect; e == nil || e.Verdict != stats.Inconclusive {
		t.Errorf("a single trial: got %+v, want it left open", e)
	}
}

func FuzzParse(f *testing.F) {
	text, err := json.Marshal(result(1, "lpar1", 1, "", 1e9, 2e9))
	if err != nil {
		f.Fatal(err)
	}
	f.Add(text)
	f.Add([]byte(`{"schema":"seaworthy.loop/1","bench":{}}`))
	f.Add([]byte(`{"schema":"seaworthy.result/1","options":{"from":"a","workloads":[{}]},"figures":[{"samples":[0]},{"samples":null}]}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		s, err := history.Parse(text)
		if (err == nil) == (s == nil) || err == nil && s.Result == nil {
			t.Fatalf("got %v and %v", s, err)
		}
		if err == nil {
			(&history.Files{Saved: []history.Saved{*s, *s}}).Series()
		}
	})
}
