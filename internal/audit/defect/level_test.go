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

// When a service pack was built says whether a fix can be in it, and must be.
func TestLevelByAge(t *testing.T) {
	d := knowledge.Defect{ID: "IV45455", Platforms: []string{"aix"}, Harm: "slow", Affected: &knowledge.Affected{NotPublished: true}}
	always := d
	always.Affected = &knowledge.Affected{Always: true}
	ranged := d
	ranged.Affected = &knowledge.Affected{AIX: []knowledge.LevelRange{{From: "6100-08", Below: "6100-09"}}}
	for _, c := range []struct {
		name  string
		d     knowledge.Defect
		level string
		want  defect.State
		why   string
	}{
		{"built before the APAR, levels not published", d, "6100-08-01-1245", defect.NotRead, "before IV45455 was opened"},
		{"built before the APAR, all levels have it", always, "6100-08-01-1245", defect.Affected, "before IV45455 was opened"},
		{"built before the APAR, in its range", ranged, "6100-08-01-1245", defect.Affected, "before IV45455 was opened"},
		{"built soon after", ranged, "6100-08-04-1341", defect.NotRead, "fix IV45455"},
		{"built long after", ranged, "6100-08-12-1601", defect.NotAffected, "more than two years"},
		{"built long after, levels not published", d, "7200-05-03-2148", defect.NotAffected, "more than two years"},
	} {
		got := defect.LevelOf(&c.d, &model.Host{Platform: model.AIX, Level: c.level})
		if got.State != c.want || !strings.Contains(got.Why, c.why) {
			t.Errorf("%s: got %d %q, want %d with %q", c.name, got.State, got.Why, c.want, c.why)
		}
	}
}

// A fileset or service pack below the first with the fix lacks it.
func TestLevelBelowTheFix(t *testing.T) {
	d := knowledge.Defect{ID: "IV00001", Platforms: []string{"aix"}, Harm: "slow", Affected: &knowledge.Affected{NotPublished: true},
		Fixed: &knowledge.Fixed{Filesets: []knowledge.FixedFileset{{Fileset: fileset, Level: "7.1.3.30", ShipsIn: "7100-03-04-1441"}}}}
	h := model.Host{Platform: model.AIX, Level: "7100-03-01-1341", Fixes: map[string]bool{"IV00001": false}}
	if got := defect.LevelOf(&d, &h); got.State != defect.Affected {
		t.Errorf("older service pack: got %d %q", got.State, got.Why)
	}
	h.Filesets = map[string]string{fileset: "7.1.3.30"} // updated by itself
	if got := defect.LevelOf(&d, &h); got.State != defect.Cured {
		t.Errorf("fileset with the fix: got %d %q", got.State, got.Why)
	}
	h.Filesets[fileset] = "7.1.3.15"
	if got := defect.LevelOf(&d, &h); got.State != defect.Affected || !strings.Contains(got.Why, "7.1.3.30") {
		t.Errorf("fileset below the fix: got %d %q", got.State, got.Why)
	}
}

// An interim fix can bring a defect, too.
func TestBroughtByInterimFix(t *testing.T) {
	d := knowledge.Defect{ID: "IV00001", Platforms: []string{"aix"}, Harm: "hang", Affected: &knowledge.Affected{BroughtBy: []string{"771234"}}}
	h := model.Host{Platform: model.AIX, Level: "7100-01-04-1101", InterimFixes: []model.InterimFix{{Label: "771234s1a", State: "S"}}}
	if got := defect.LevelOf(&d, &h); got.State != defect.Affected || !strings.Contains(got.Why, "771234s1a") {
		t.Errorf("got %d %q", got.State, got.Why)
	}
}

func TestDistributionKernels(t *testing.T) {
	d := knowledge.Defect{ID: "abc", Platforms: []string{"linux"}, Affected: &knowledge.Affected{NotPublished: true}, Fixed: &knowledge.Fixed{
		Mainline: "6.10", Stable: []string{"6.1.97", "6.9.8"}, Packages: []string{"RHEL 8.1 EUS: kernel-4.18.0-147.20.1.el8_1 (bz 1)"}}}
	for release, want := range map[string]defect.State{
		"6.1.90-1.ppc64le":                 defect.Affected, // a package of its own build keeps kernel.org's number
		"6.5.6-300.fc39.ppc64le":           defect.Affected, // a branch without the fix, between two that have it
		"6.9.8-200.fc40.ppc64le":           defect.Cured,
		"5.15.0":                           defect.NotRead, // no source says since when
		"4.18.0-147.8.1.el8_1.ppc64le":     defect.Affected,
		"4.18.0-147.20.1.el8_1.ppc64le":    defect.Cured,
		"4.18.0-553.el8_10.ppc64le":        defect.NotRead, // another minor release
		"6.4.0-150600.23.25-default":       defect.NotRead,
		"6.11.0-1.el10.ppc64le":            defect.Cured,
		"5.14.0-284.11.1.el9_2.ppc64le.rt": defect.NotRead,
	} {
		if got := defect.LevelOf(&d, &model.Host{Platform: model.Linux, Level: release}); got.State != want {
			t.Errorf("kernel %q: got %d %q, want %d", release, got.State, got.Why, want)
		}
	}
	h := model.Host{Platform: model.Linux, Level: "6.1.0-21-powerpc64le", Build: "Debian 6.1.90-1"}
	if got := defect.LevelOf(&d, &h); got.State != defect.Affected {
		t.Errorf("Debian 6.1.90: got %d %q", got.State, got.Why)
	}
	h.Build = "Debian 6.1.98-1"
	if got := defect.LevelOf(&d, &h); got.State != defect.Cured {
		t.Errorf("Debian 6.1.98: got %d %q", got.State, got.Why)
	}
}

func TestFirmwareOf(t *testing.T) {
	d := knowledge.Defect{ID: "x", Platforms: []string{"firmware"}, Affected: &knowledge.Affected{Firmware: []knowledge.Firmware{
		{Adapter: "EN0H|ConnectX-6", From: "11.2.0.1", Below: "11.4.415.33"}, {Below: "VH950_121"}}}}
	at := func(product, level string) defect.State {
		h := model.Host{Platform: model.AIX, SystemFirmware: "VL950_111", Elements: map[string]*model.Element{"ent0": {Name: "ent0",
			PortFacts: model.PortFacts{Product: product, Firmware: level}}}}
		return defect.LevelOf(&d, &h).State
	}
	for level, want := range map[string]defect.State{
		"00011000040041500016": defect.Affected, // as lscfg prints it
		"11.4.415.32":          defect.Affected,
		"00011000040041500033": defect.Cured,
		"11.1.0.9":             defect.NotAffected,
		"":                     defect.NotRead,
		"unknown":              defect.NotRead,
	} {
		if got := at("EN0H 2CE3", level); got != want {
			t.Errorf("firmware %q: got %d, want %d", level, got, want)
		}
	}
	if got := at("EN2K", "1.1"); got != defect.NotAffected {
		t.Errorf("another adapter: got %d", got)
	}
	for level, want := range map[string]defect.State{"VH950_119": defect.Affected, "VH950_121_099": defect.Cured, "VH960_001": defect.NotAffected, "": defect.NotRead} {
		if got := defect.LevelOf(&d, &model.Host{Platform: model.VIOS, SystemFirmware: level}); got.State != want {
			t.Errorf("system firmware %q: got %d %q, want %d", level, got.State, got.Why, want)
		}
	}
}
