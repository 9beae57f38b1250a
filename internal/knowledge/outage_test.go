package knowledge

import (
	"slices"
	"testing"
)

// The outage class of a rule is the most that its remedies cost: a reader who accepts it is not surprised
// by the plan.
func TestRuleClass(t *testing.T) {
	c, err := Load()
	if err != nil {
		t.Fatal(err)
	}
	wanted := 0
	for _, r := range c.Rules() {
		for _, k := range r.Checks {
			for _, m := range k.Remedy {
				layers, worst := k.Kind, slices.Max[[]Class]
				if m.Of != "" || slices.Contains(k.Kind, "tunables") { // on a layer that only an inventory shows
					layers, worst = c.Layers(), slices.Min[[]Class]
				}
				var classes []Class
				for _, l := range layers {
					a, ok := c.Attribute(l, m.Attr)
					if ok {
						classes = append(classes, a.Class)
					}
				}
				if len(classes) == 0 {
					t.Errorf("%s: %s is not an attribute of %v", r.ID, m.Attr, layers)
					continue
				}
				wanted++
				if cost := worst(classes); cost > r.Class {
					t.Errorf("%s: class %s, but %s has %s", r.ID, r.Class, m.Attr, cost)
				}
			}
		}
	}
	if wanted < 100 {
		t.Errorf("%d remedies were looked at: too few", wanted)
	}
}
