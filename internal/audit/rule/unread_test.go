package rule_test

import (
	"slices"
	"strings"
	"testing"

	"seaworthy/internal/audit/rule"
	"seaworthy/internal/inventory/model"
	"seaworthy/internal/knowledge"
)

// A defect whose conditions hold waits for the level; one whose conditions do not, or whose level excludes it, does not.
func TestUnreadLevels(t *testing.T) {
	defects, err := knowledge.Defects()
	if err != nil {
		t.Fatal(err)
	}
	set, err := rule.Compile(knowledge.DefectRules(defects))
	if err != nil {
		t.Fatal(err)
	}
	vios := func(name, level, largeReceive string) *model.Host {
		return &model.Host{Name: name, Platform: model.VIOS, IOSLevel: level, Elements: map[string]*model.Element{"ent5": {
			Name: "ent5", Kind: model.SEA, Attrs: map[string]*model.Attr{
				"large_receive": {Name: "large_receive", Running: &largeReceive}, "plso_bridge": {Name: "plso_bridge", Running: new("1")}}}}}
	}
	guess := vios("guess", "", "yes")
	guess.Gaps = []model.Gap{{What: model.PlatformGap, Why: "taken from how few outputs look"}}
	fleet := &model.Fleet{Hosts: []*model.Host{vios("unread", "", "yes"), vios("off", "", "no"), vios("new", "4.1.1.10", "yes"), guess}}
	got, err := set.UnreadLevels(t.Context(), fleet, nil)
	if err != nil {
		t.Fatal(err)
	}
	waits := func(host string) bool {
		return slices.ContainsFunc(got, func(u rule.UnreadLevel) bool {
			return u.Host == host && slices.Contains(u.Defects, "IJ12809") && strings.Contains(u.Ask, "ioslevel")
		})
	}
	if !waits("unread") || waits("off") || waits("new") || waits("guess") {
		t.Errorf("got %+v, want IJ12809 of the host unread alone", got)
	}
}
