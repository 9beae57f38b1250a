package web_test

import (
	"context"
	"net/http"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"seaworthy/internal/app/fleet"
	"seaworthy/internal/app/past"
	"seaworthy/internal/history"
	"seaworthy/internal/ui/web"
)

// whole is the time of the readings of site, and of what was measured there.
const whole = "&span=7d&until=2026-05-06"

// remembering serves a history of the folders of site, and of one of its results.
func remembering(t testing.TB, dir string) func(*web.Options) {
	t.Helper()
	location := "sqlite:" + filepath.Join(t.TempDir(), "h.sqlite")
	open := func(ctx context.Context) (*history.Store, error) { return history.Open(ctx, location, func(string) {}) }
	store, err := open(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	t.Setenv("XDG_STATE_HOME", t.TempDir()) // no runs of this machine
	for _, add := range []string{"monday", "tuesday", "first.json"} {
		got, err := past.Add(t.Context(), fleet.Access{}, store, []string{filepath.Join(dir, add)})
		if err != nil || len(got.Failed) > 0 || got.New+got.Results == 0 {
			t.Fatalf("%s: %+v, %v", add, got, err)
		}
	}
	return func(o *web.Options) { o.History = open }
}

// What changed, what was found and what was measured stands on one page, and leads to the lines that show it.
func TestHistoryPage(t *testing.T) {
	dir := site(t)
	s, _ := serving(t, dir, nil, remembering(t, dir))
	for _, tt := range []struct {
		path   string
		status int
		want   []string // patterns
		not    string
	}{
		{"/history", 200, []string{`href="/history\?host=vios2"`, `<td class="n">2</td><td>2026-05-04 08:00:00 UTC</td>`}, "<svg"},
		{"/history?q=vios", 200, []string{`host=vios2"`}, `host=lpar1"`},
		{"/history?host=lpar1" + whole, 200, []string{"<svg", "R001 lpar1:en0", "oslevel", "7200-05-02-2114 → 7200-05-03-2148",
			"measured 5 Gbit/s \\(1 stream\\), lpar1 → lpar2", `<td>7200-05-02-2114</td><td>7200-05-03-2148</td>`}, "lpar2:en0"},
		{"/history?from=lpar1&to=lpar2" + whole, 200, []string{`host=vios1&amp;span=7d`, "R001 lpar2:en0"}, "role=\"alert\""},
		{"/history?system=" + "9119-MHE*21SEA01" + whole, 200, []string{"lpar1", "vios1"}, "R001 lpar2:en0"},
		{"/history?host=lpar1&span=1h&until=2026-05-06", 200, []string{"No snapshot was taken in this time"}, ""},
		{"/history?host=nosuch", 200, []string{`role="alert">host nosuch is not in the history`}, "<svg"},
		{"/history?host=lpar1&span=always", 200, []string{`role="alert">`}, "<svg"},
		{"/history?system=none", 200, []string{`role="alert">the history has no host of the managed system none`}, "<svg"},
		{"/history/lines?host=lpar1&attribute=oslevel&from=2026-05-04T08:00:00Z&to=2026-05-05T08:00:00Z", 200,
			[]string{"<code>oslevel -s</code>", "7200-05-02-2114\n", "<mark>7200-05-03-2148</mark>"}, "lsattr"},
		{"/history/lines?host=nosuch&from=2026-05-04T08:00:00Z&to=2026-05-05T08:00:00Z", 404, []string{"not in the history"}, ""},
		{"/history/lines?host=lpar1&from=x&to=y", 404, []string{"expected a time"}, ""},
	} {
		status, body := settled(t, s, tt.path)
		if status != tt.status {
			t.Errorf("%s: status %d\n%s", tt.path, status, body)
		}
		for _, want := range tt.want {
			if !regexp.MustCompile(want).MatchString(body) {
				t.Errorf("%s: it lacks %q\n%s", tt.path, want, body)
			}
		}
		if tt.not != "" && strings.Contains(body, tt.not) {
			t.Errorf("%s: it has %q", tt.path, tt.not)
		}
	}
}

// Without folders and running hosts the history is the first page; without a history there is none.
func TestHistoryAlone(t *testing.T) {
	var o web.Options
	remembering(t, site(t))(&o)
	status, body := get(t, web.New(t.Context(), o), "/")
	if status != http.StatusOK || !strings.Contains(body, "host=lpar1") {
		t.Errorf("status %d\n%s", status, body)
	}
	status, body = get(t, web.New(t.Context(), web.Options{}), "/history")
	if status != http.StatusNotFound || !strings.Contains(body, "serve --history URL") {
		t.Errorf("without one: status %d\n%s", status, body)
	}
}
