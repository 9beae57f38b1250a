package audit

import (
	"maps"
	"regexp"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"seaworthy/internal/knowledge"
)

// Expressions ask for facts of ports that the table has, and the table has no fact that nobody asks for.
func TestPortCountersAreThoseThatRulesAskFor(t *testing.T) {
	cat, err := knowledge.Load()
	if err != nil {
		t.Fatal(err)
	}
	asks := regexp.MustCompile(`"@(\w+)"`)
	asked := map[string]bool{"queue_packets": true} // assemble sums them
	ask := func(text string) {
		for _, m := range asks.FindAllStringSubmatch(text, -1) {
			asked[m[1]] = true
		}
	}
	for _, r := range cat.Rules() {
		for _, k := range r.Checks {
			ask(k.When)
			ask(k.Condition)
		}
	}
	for _, c := range cat.Causes() {
		for _, k := range c.Checks {
			ask(k.When)
			ask(k.Condition)
		}
	}
	listed := map[string]bool{}
	for _, p := range knowledge.PortCounters(cat) {
		if listed[p.Fact] || p.Meaning == "" || len(p.Names) == 0 {
			t.Errorf("%+v: want a fact, once, with its meaning and names", p)
		}
		listed[p.Fact] = true
		names := slices.Sorted(slices.Values(p.Names))
		if len(slices.Compact(names)) != len(p.Names) {
			t.Errorf("%s: a name stands twice", p.Fact)
		}
	}
	if diff := cmp.Diff(slices.Sorted(maps.Keys(asked)), slices.Sorted(maps.Keys(listed))); diff != "" {
		t.Errorf("facts of ports (-asked for +listed):\n%s", diff)
	}
}
