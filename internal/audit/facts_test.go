package audit

import (
	"maps"
	"regexp"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"seaworthy/internal/knowledge"
)

var asksFor = regexp.MustCompile(`\.(?:fact|has_fact)\("([a-z0-9_]+)"\)`)

// What rules ask for beyond configurations is what Facts lists for users, and no
// more and no less.
func TestFactsAreThoseThatRulesAskFor(t *testing.T) {
	cat, err := knowledge.Load()
	if err != nil {
		t.Fatal(err)
	}
	asked := map[string]bool{}
	ask := func(text string) {
		for _, m := range asksFor.FindAllStringSubmatch(text, -1) {
			asked[m[1]] = true
		}
	}
	defects, err := knowledge.Defects()
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range append(cat.Rules(), knowledge.DefectRules(defects)...) {
		for _, k := range r.Checks {
			ask(k.When)
			ask(k.Condition)
		}
	}
	for _, text := range cat.Definitions() {
		ask(text)
	}
	var listed []string
	for _, f := range cat.Facts() {
		listed = append(listed, f.Name)
		if f.Of == "" || f.Meaning == "" || f.Unit == "" {
			t.Errorf("%s: got %+v, want what it is of, its unit and meaning", f.Name, f)
		}
	}
	if diff := cmp.Diff(slices.Sorted(maps.Keys(asked)), listed); diff != "" {
		t.Errorf("facts (-asked for +listed):\n%s", diff)
	}
	set := builtIn(t)
	if !set.Asks("rtt_ms") || set.Asks("rtt_seconds") {
		t.Errorf("asks: got %v for rtt_ms, %v for rtt_seconds, want true and false", set.Asks("rtt_ms"), set.Asks("rtt_seconds"))
	}
}
