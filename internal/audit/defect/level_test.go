package defect_test

import (
	"strings"
	"testing"

	"seaworthy/internal/audit/defect"
	"seaworthy/internal/inventory/model"
	"seaworthy/internal/knowledge"
)

const fileset = "devices.x.rte"

func TestLevelOf(t *testing.T) {
	ranges := []knowledge.LevelRange{{From: "7200-03", Below: "7200-04"}}
	byLevel := knowledge.Defect{ID: "IJ00001", Siblings: []string{"IJ00002"}, Platforms: []string{"aix"}, Harm: "slow",
		Affected: &knowledge.Affected{AIX: ranges}, Fixed: &knowledge.Fixed{AIX: []string{"7200-03-03-1914"}}}
	corrupts := byLevel
	corrupts.Harm = "corruption"
	byFileset := byLevel
	byFileset.Affected = &knowledge.Affected{AIX: ranges,
		Filesets: []knowledge.FilesetRange{{Fileset: fileset, From: "7.2.3.10", Through: "7.2.3.15"}}}
	byFileset.Fixed = &knowledge.Fixed{
		Filesets: []knowledge.FixedFileset{{Fileset: fileset, Level: "7.2.3.16"}, {Fileset: fileset, Level: "7.2.2.17"}}}
	brought := byLevel
	brought.Affected = &knowledge.Affected{BroughtBy: []string{"IJ00009"}}
	unpublished := byLevel
	unpublished.Affected = &knowledge.Affected{NotPublished: true}
	none := map[string]bool{"IJ00001": false, "IJ00002": false}
	at := func(level string, fixes map[string]bool, filesets ...string) model.Host {
		h := model.Host{Platform: model.AIX, Level: level, Fixes: fixes}
		for _, have := range filesets {
			h.Filesets = map[string]string{fileset: have}
		}
		return h
	}
	interim := at("7200-03-01-1838", none)
	interim.InterimFixes = []model.InterimFix{{Label: "IJ00002s1a", State: "S"}}
	waiting := at("7200-03-01-1838", none)
	waiting.InterimFixes = []model.InterimFix{{Label: "IJ00002s1a", State: "Q"}}
	for _, c := range []struct {
		name string
		d    knowledge.Defect
		h    model.Host
		want defect.State
		why  string
	}{
		{"another platform", byLevel, model.Host{Platform: model.Linux, Level: "6.1.1"}, defect.NotAffected, "platform"},
		{"another level", byLevel, at("7200-04-01-1939", nil), defect.NotAffected, "7200-04-01-1939"},
		{"level not read", byLevel, at("", nil), defect.NotRead, "software level"},
		{"a sibling is installed", byLevel, at("7200-03-01-1838", map[string]bool{"IJ00002": true}), defect.Cured, "IJ00002"},
		{"interim fix", byLevel, interim, defect.Cured, "IJ00002s1a"},
		{"interim fix that waits for a reboot", byLevel, waiting, defect.Affected, ""},
		{"no fix", byLevel, at("7200-03-01-1838", none), defect.Affected, "7200-03-01-1838"},
		{"nobody asked for the fix", byLevel, at("7200-03-01-1838", nil), defect.NotRead, "fix IJ00001"},
		{"data are lost, and nobody asked", corrupts, at("7200-03-01-1838", nil), defect.Affected, ""},
		{"service pack with the fix", byLevel, at("7200-03-04-1938", nil), defect.Cured, "7200-03-03-1914"},
		{"fileset with it", byFileset, at("7200-03-01-1838", nil, "7.2.3.15"), defect.Affected, fileset},
		{"single fileset updated", byFileset, at("7200-03-01-1838", nil, "7.2.3.16"), defect.Cured, "7.2.3.16"},
		{"fixed level of an older technology level", byFileset, at("7200-03-01-1838", nil, "7.2.3.1"), defect.NotAffected, "7.2.3.1"},
		{"brought by another fix", brought, at("7200-01", map[string]bool{"IJ00009": true, "IJ00001": false, "IJ00002": false}),
			defect.Affected, "IJ00009"},
		{"what brought it is not there", brought, at("7200-01", map[string]bool{"IJ00009": false}), defect.NotAffected, ""},
		{"nobody asked what brought it", brought, at("7200-01", nil), defect.NotRead, "IJ00009"},
		{"no source gives the levels", unpublished, at("7200-01", nil), defect.NotRead, "its source does not say"},
	} {
		got := defect.LevelOf(&c.d, &c.h)
		if got.State != c.want || !strings.Contains(got.Why, c.why) {
			t.Errorf("%s: got %d %q, want %d with %q", c.name, got.State, got.Why, c.want, c.why)
		}
	}
}

func TestKernelOf(t *testing.T) {
	d := knowledge.Defect{ID: "abc", Platforms: []string{"linux"}, Driver: "ibmveth", Affected: &knowledge.Affected{Kernel: "4.2"},
		Fixed: &knowledge.Fixed{Mainline: "6.5", Stable: []string{"5.15.121", "6.1.39"}}}
	for release, want := range map[string]defect.State{
		"":                       defect.NotRead,
		"3.10.0":                 defect.NotAffected,
		"5.15.120":               defect.Affected,
		"5.15.121":               defect.Cured,
		"5.16.20":                defect.Affected, // a branch that was never fixed
		"6.5.0":                  defect.Cured,
		"6.8.0-31-generic":       defect.Cured,   // later than the release with the fix
		"5.14.0-427.el9.ppc64le": defect.NotRead, // fixes are carried back under an old number
	} {
		h := model.Host{Platform: model.Linux, Level: release, Elements: map[string]*model.Element{"env2": {Name: "env2", Driver: "ibmveth"}}}
		if got := defect.LevelOf(&d, &h); got.State != want {
			t.Errorf("kernel %q: got %d %q, want %d", release, got.State, got.Why, want)
		}
	}
	h := model.Host{Platform: model.Linux, Level: "5.15.120", Elements: map[string]*model.Element{"eth0": {Name: "eth0", Driver: "ibmvnic"}}}
	if got := defect.LevelOf(&d, &h); got.State != defect.NotAffected {
		t.Errorf("without the driver: got %d %q", got.State, got.Why)
	}
}
