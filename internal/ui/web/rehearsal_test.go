package web_test

import (
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A rehearsal has a page: what went wrong first, its steps, its time line and figures; one that does not fit together has none.
func TestRehearsalPage(t *testing.T) {
	dir := site(t)
	broken := filepath.Join(dir, "broken.json")
	err := os.WriteFile(broken, []byte(strings.Replace(rehearsed, `"lpar1:en0 – vios1:en5"`, `"a", "b"`, 1)), 0o600)
	if err != nil {
		t.Fatal(err)
	}
	s, _ := serving(t, dir, nil)
	page := func(file string) string { return "/rehearsal?file=" + url.QueryEscape(filepath.Join(dir, file)) }
	_, list := settled(t, s, "/results")
	if !strings.Contains(list, `href="`+strings.ReplaceAll(page("rehearsal.json"), "&", "&amp;")+`"`) || !strings.Contains(list, "Rehearsal of plan 0123456789ab") {
		t.Errorf("results: no link to the rehearsal in\n%s", list)
	}
	status, body := settled(t, s, page("rehearsal.json"))
	for _, want := range []string{"was cut off for 900 ms: vios2, which stands in for vios1", "largesend: 0 → 1", `class="gap"`, "5000", "2000 (1000 to 4000)"} {
		if status != http.StatusOK || !strings.Contains(body, want) {
			t.Errorf("status %d, no %q in\n%s", status, want, body)
		}
	}
	if strings.Contains(body, "apply ") {
		t.Error("a plan that did not go as planned is offered to be applied")
	}
	if status, _ := settled(t, s, page("broken.json")); status != http.StatusNotFound {
		t.Errorf("a rehearsal that does not fit together: status %d, want 404", status)
	}
}
