package collect

import (
	"slices"
	"testing"

	"seaworthy/internal/inventory/model"
)

func TestWithheld(t *testing.T) {
	m := func(platform, gap string) *Manifest {
		return &Manifest{Platform: platform, Gaps: []model.Gap{{What: gap, Why: "because"}},
			Commands: []Record{{Line: "entstat -d ent1"}, {Line: "entstat -d ent0", Exit: 1}}}
	}
	for _, tc := range []struct {
		m    *Manifest
		line string
		want bool
	}{
		{m("aix", rootGap), "entstat -d ent0", true},
		{m("aix", rootGap), "entstat -d ent1", false}, // answered
		{m("aix", rootGap), "no -L", false},           // anybody is
		{m("aix", "entstat -d ent0"), "entstat -d ent0", false},
		{m("vios", oemGap), "no -L", true},
		{m("vios", oemGap), "lparstat 60 1 during a transfer", false},
		{m("linux", rootGap), "ethtool -S eth0", false},
	} {
		if got := tc.m.Withheld(tc.line); got != tc.want {
			t.Errorf("%s, %s, %s: got %v, want %v", tc.m.Platform, tc.m.Gaps[0].What, tc.line, got, tc.want)
		}
	}
}

// What sudoers must allow names every command that collect runs by sudo, and a shell
// for the rest.
func TestSudoers(t *testing.T) {
	list := Sudoers()
	if len(list) != 2 || !slices.Contains(list[0].Commands, "/usr/bin/entstat -d *") || !slices.Contains(list[1].Commands, "/usr/bin/sh -c *") {
		t.Errorf("got %+v", list)
	}
	for _, a := range withheld(model.AIX) {
		if !slices.ContainsFunc(list[0].Commands, func(c string) bool { return program(c) == "/usr/bin/"+program(a.Line) }) {
			t.Errorf("%s is not allowed by %q", a.Line, list[0].Commands)
		}
	}
}
