package web_test

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"seaworthy/internal/audit/rule"
	"seaworthy/internal/collect"
	"seaworthy/internal/collect/importer"
	"seaworthy/internal/collect/live"
	"seaworthy/internal/knowledge"
	"seaworthy/internal/test/transcripts"
	"seaworthy/internal/ui/web"
	"seaworthy/internal/ui/web/store"
	"seaworthy/internal/ui/web/stream"
)

// evil holds what a host may print to be taken for markup or to hide.
const evil = "\x1b[2J\u202e\u200b\"'><script>alert(1)</script>"

// edited are the transcripts of four hosts, changed by an edit of the text.
func edited(t testing.TB, edit func(string) string) map[string]string {
	t.Helper()
	out := transcripts.Texts(t)
	for name, text := range out {
		out[name] = edit(text)
	}
	return out
}

// read are the snapshots of transcripts, each set imported once: that takes seconds, and many tests want the same.
var read struct {
	sync.Mutex
	dir  string
	sets map[string]string // folder by digest of the texts
}

func TestMain(m *testing.M) {
	dir, err := os.MkdirTemp("", "pages")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	read.dir, read.sets = dir, map[string]string{}
	status := m.Run()
	err = os.RemoveAll(dir)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		status = max(status, 1)
	}
	os.Exit(status)
}

// readSet gives a folder with the snapshots of transcripts.
func readSet(t testing.TB, texts map[string]string) string {
	t.Helper()
	digest := sha256.New()
	for _, name := range slices.Sorted(maps.Keys(texts)) {
		fmt.Fprintf(digest, "%q %q ", name, texts[name])
	}
	key := string(digest.Sum(nil))
	read.Lock()
	defer read.Unlock()
	if dir, made := read.sets[key]; made {
		return dir
	}
	in := t.TempDir()
	for name, text := range texts {
		file := filepath.Join(in, name+".txt")
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	dir := filepath.Join(read.dir, fmt.Sprint(len(read.sets)))
	if _, err := importer.Import(t.Context(), []string{in}, dir, importer.Options{}); err != nil {
		t.Fatal(err)
	}
	read.sets[key] = dir
	return dir
}

// imported makes snapshots of transcripts in a folder, taken at a time.
func imported(t testing.TB, dir string, taken time.Time, texts map[string]string) {
	t.Helper()
	if err := os.CopyFS(dir, os.DirFS(readSet(t, texts))); err != nil {
		t.Fatal(err)
	}
	files, err := filepath.Glob(filepath.Join(dir, "*", "manifest.json"))
	if err != nil || len(files) != len(texts) {
		t.Fatalf("got the snapshots %v, %v, want %d", files, err, len(texts))
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		var m collect.Manifest
		if err := json.Unmarshal(text, &m); err != nil {
			t.Fatal(err)
		}
		m.Started, m.Finished = taken, taken
		if text, err = json.Marshal(m); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, text, 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

var monday = time.Date(2026, 5, 4, 8, 0, 0, 0, time.UTC)

const result = `{"schema": "seaworthy.result/1", "mode": "run", "started": "2026-05-01T07:00:00Z",
 "options": {"from": "lpar1", "to": "lpar2", "driver": "builtin", "target": "10.10.10.12", "seed": 1,
  "workloads": [{"name": "1 stream", "kind": "stream", "streams": 1, "seconds": 10, "warmup": 1}]},
 "hosts": [{"name": "lpar1", "role": "from", "meter": "probe"}],
 "figures": [{"workload": "1 stream", "figure": "bps", "n": 3, "median": 5e9, "low": 4.9e9, "high": 5.1e9, "samples": [4.95e9, 5e9, 5.05e9]}],
 "trials": []}`

// rehearsed is a rehearsal in which the second step cut two partitions off.
const rehearsed = `{"schema": "seaworthy.rehearsal/1", "plan": "0123456789abcdef", "lab": "copy", "started": "2026-05-03T07:00:00Z", "ended": "2026-05-03T07:01:00Z",
 "hosts": {}, "noise_ns": 7500000, "watched": ["lpar1:en0 – lpar2:en0", "lpar1:en0 – vios1:en5"], "pairs": 2,
 "steps": [{"id": "lpar1:en0:mtu", "host": "lpar1", "element": "en0", "what": "mtu: 1500 → 1400", "class": "O2", "outage": "seconds", "state": "done",
   "began": "2026-05-03T07:00:02Z", "ended": "2026-05-03T07:00:03Z", "longest_gap_ns": 210000000, "lost": 42, "felt": ["lpar1:en0 – lpar2:en0 210 ms"]},
  {"id": "vios1:ent5:away", "host": "vios1", "element": "ent5", "what": "largesend: 0 → 1", "class": "O5", "outage": "up to 30 s", "state": "done",
   "began": "2026-05-03T07:00:04Z", "ended": "2026-05-03T07:00:05Z", "longest_gap_ns": 900000000, "lost": 180, "felt": ["lpar1:en0 – lpar2:en0 900 ms"],
   "worse": ["lpar1:en0 – lpar2:en0 was cut off for 900 ms: vios2, which stands in for vios1, was not back from vios2:ent5:away"]}],
 "phases": [{"name": "apply", "what": "applied and confirmed", "started": "2026-05-03T07:00:00Z", "ended": "2026-05-03T07:00:10Z", "outcome": "applied",
   "want": "new values", "values": "new values", "longest_gap_ns": 900000000}],
 "left_out": [], "not_tried": [], "outside_steps": [], "not_measured": [],
 "figures": [{"from": {"host": "lpar1", "element": "en0"}, "to": {"host": "lpar2", "element": "en0"}, "load": "1 TCP stream", "figure": "bps", "copy_before": 5e9,
   "predicted_before": {"median": 2e9, "low": 1e9, "high": 4e9}}],
 "time_lines": [{"trial": "apply", "started": "2026-05-03T07:00:00Z", "ended": "2026-05-03T07:00:10Z", "pairs": [
   {"sent": 4000, "lost": 222, "gaps": [{"start": "2026-05-03T07:00:02.5Z", "ns": 210000000, "lost": 42}, {"start": "2026-05-03T07:00:04.2Z", "ns": 900000000, "lost": 180}]},
   {"sent": 4000, "lost": 0}]}]}`

// site is a folder with two readings of four hosts and measurements.
func site(t testing.TB) string {
	t.Helper()
	dir := t.TempDir()
	imported(t, filepath.Join(dir, "monday"), monday, edited(t, func(s string) string { return strings.ReplaceAll(s, "7200-05-03-2148", "7200-05-02-2114") }))
	imported(t, filepath.Join(dir, "tuesday"), monday.Add(24*time.Hour), edited(t, strings.Clone))
	for name, text := range map[string]string{"first.json": result, "second.json": strings.ReplaceAll(result, "05-01", "05-02"), "plan.json": `{"schema":"seaworthy.plan/2"}`,
		"rehearsal.json": rehearsed} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// watching gives the events that a test sends.
func watching(events <-chan live.Event, faults func() []string) stream.Source {
	return stream.Source{Name: "lab test", Hosts: []string{"lpar1"}, Every: 200 * time.Millisecond,
		Faults: func(context.Context) ([]string, error) { return faults(), nil },
		Watch: func(ctx context.Context, news func(live.Event)) {
			for {
				select {
				case e := <-events:
					news(e)
				case <-ctx.Done():
					return
				}
			}
		}}
}

// serving makes a server of a folder, read and audited, and of running hosts.
func serving(t testing.TB, dir string, hub *stream.Hub, more ...func(*web.Options)) (*web.Server, *store.Store) {
	t.Helper()
	rules := knowledge.BuiltIn().Rules()
	set, err := rule.Compile(rules)
	if err != nil {
		t.Fatal(err)
	}
	s := store.Open(t.Context(), store.Options{Dirs: []string{dir}, Rules: set, Every: 10 * time.Millisecond})
	<-s.Ready()
	o := web.Options{Store: s, Hub: hub, Rules: rules, Set: set, Version: "test"}
	for _, change := range more {
		change(&o)
	}
	return web.New(t.Context(), o), s
}

// get asks for a page.
func get(t testing.TB, h http.Handler, path string) (status int, body string) {
	t.Helper()
	w := httptest.NewRecorder()
	h.ServeHTTP(w, httptest.NewRequest(http.MethodGet, path, nil))
	return w.Code, w.Body.String()
}

// settled asks until the page does not ask again by itself.
func settled(t testing.TB, h http.Handler, path string) (status int, body string) {
	t.Helper()
	for end := time.Now().Add(90 * time.Second); ; {
		status, body = get(t, h, path)
		if !strings.Contains(body, `hx-trigger="load delay:1s"`) {
			return status, body
		}
		if time.Now().After(end) {
			t.Fatalf("%s is never done", path)
		}
	}
}
