package plan_test

import (
	"slices"
	"strings"
	"testing"

	"seaworthy/internal/change/plan"
	"seaworthy/internal/inventory/model"
)

func TestPreconditions(t *testing.T) {
	for _, c := range []struct {
		name, kernel string
		accept       []string
		setting      string
		refused      string // part of the reason; empty: planned
		note         string // part of a note
	}{
		{name: "old Linux behind large receive", kernel: "3.10.0-229.el7.ppc64", setting: "vios1:ent5:large_receive=yes", refused: "R009"},
		{name: "the user answers for it", kernel: "3.10.0-229.el7.ppc64", accept: []string{"R009"}, setting: "vios1:ent5:large_receive=yes",
			note: "R009"},
		{name: "new Linux behind large receive", kernel: "5.14.0-70.el9.ppc64le", setting: "vios1:ent5:large_receive=yes"},
		{name: "jumbo behind an SEA without", kernel: "5.14.0", setting: "lpar1:en0:mtu=9000", refused: "R02"},
		{name: "slower, but the user's setting", kernel: "5.14.0", setting: "lpar1:en0:mtu_bypass=off", note: "R001"},
	} {
		p := simulate(t, behind(t, c.kernel), c.accept, c.setting)
		var reasons, notes string
		for _, r := range p.Refused {
			reasons += r.Reason + "\n"
		}
		for _, s := range p.Steps {
			notes += strings.Join(s.Notes, "\n") + "\n"
		}
		if (c.refused == "") != (len(p.Steps) == 1) || !strings.Contains(reasons, c.refused) {
			t.Errorf("%s: got %d steps, refused %q, want refusal %q", c.name, len(p.Steps), reasons, c.refused)
		}
		if !strings.Contains(notes, c.note) {
			t.Errorf("%s: got notes %q, want one with %q", c.name, notes, c.note)
		}
	}
}

// A setting that a defect of this level turns into corrupt data is refused, while
// nobody knows that the fix is there.
func TestCorruptingLevel(t *testing.T) {
	for _, c := range []struct {
		name, level string
		fixes       map[string]bool
		refused     bool
	}{
		{name: "affected, fixes not read", level: "3.1.0.10", refused: true},
		{name: "affected, no fix", level: "2.2.6.32", fixes: map[string]bool{"IJ12809": false}, refused: true},
		{name: "a sibling of the fix is there", level: "3.1.0.10", fixes: map[string]bool{"IJ12818": true}},
		{name: "a later level", level: "3.1.1.10"},
	} {
		f := behind(t, "5.14.0-70.el9.ppc64le")
		vios := f.Host("vios1")
		vios.IOSLevel, vios.Fixes = c.level, c.fixes
		p := simulate(t, f, nil, "vios1:ent5:large_receive=yes")
		refused := len(p.Refused) > 0 && strings.Contains(p.Refused[0].Reason, "IJ12817")
		if refused != c.refused || len(p.Steps) == 0 != c.refused {
			t.Errorf("%s: got %d steps, refused %+v; want it refused: %v", c.name, len(p.Steps), p.Refused, c.refused)
		}
	}
}

// Where such a defect corrupts data already, a setting that would keep it doing so is refused; its remedy is planned.
func TestKeptCorruption(t *testing.T) {
	for value, steps := range map[string]int{"yes": 0, "no": 1} {
		f := behind(t, "5.14.0-70.el9.ppc64le")
		vios := f.Host("vios1")
		vios.IOSLevel = "3.1.0.10"
		running := "yes"
		vios.Elements["ent5"].Attrs["large_receive"].Running = &running
		p := simulate(t, f, nil, "vios1:ent5:large_receive="+value)
		if len(p.Steps) != steps || len(p.Refused) != 1-steps {
			t.Errorf("large_receive=%s: got %d steps, refused %+v; want %d steps", value, len(p.Steps), p.Refused, steps)
		}
	}
}

// A defect of the level that the wanted setting does not make bite is said where the
// commands stand; one that is cured is not.
func TestAffectedLevelCaution(t *testing.T) {
	for _, c := range []struct {
		name    string
		fixes   map[string]bool
		interim []model.InterimFix
		caution bool
	}{
		{name: "no fix known", caution: true},
		{name: "fixed", fixes: map[string]bool{"IJ12809": true}},
		{name: "interim fix", interim: []model.InterimFix{{Label: "IJ12817s1a", State: "S"}}},
		{name: "interim fix that waits for a reboot", interim: []model.InterimFix{{Label: "IJ12817s1a", State: "Q"}}, caution: true},
	} {
		f := behind(t, "5.14.0-70.el9.ppc64le")
		vios := f.Host("vios1")
		vios.IOSLevel, vios.Fixes, vios.InterimFixes = "3.1.0.20", c.fixes, c.interim
		p := simulate(t, f, []string{"R020"}, "vios1:ent5:largesend=0")
		if len(p.Steps) == 0 {
			t.Fatalf("%s: nothing planned, refused %+v", c.name, p.Refused)
		}
		if got := strings.Contains(strings.Join(p.Steps[0].Notes, "\n"), "IJ12809"); got != c.caution {
			t.Errorf("%s: got notes %q, want a caution: %v", c.name, p.Steps[0].Notes, c.caution)
		}
	}
}

// The backup is changed first, then the primary after a failover; of ha_mode
// itself the primary is first. Port and SEA get jumbo frames at one reboot.
func TestPairRolls(t *testing.T) {
	f := behind(t, "5.14.0")
	order := func(want ...string) (out []string, p *plan.Plan) {
		p = simulate(t, f, []string{"R020"}, want...)
		p.Steps = slices.DeleteFunc(p.Steps, func(s plan.Step) bool { return s.Manual != nil })
		for _, s := range p.Steps {
			out = append(out, s.Host+":"+s.Element)
		}
		return out, p
	}
	got, p := order("vios1:ent5:jumbo_frames=yes", "vios2:ent5:jumbo_frames=yes", "vios1:ent0:jumbo_frames=yes", "vios2:ent0:jumbo_frames=yes")
	if want := []string{"vios2:ent0", "vios2:ent5", "vios1:ent0", "vios1:ent5"}; !slices.Equal(got, want) {
		t.Errorf("jumbo frames: got %v, want %v (refused %+v)", got, want, p.Refused)
	}
	for _, s := range p.Steps {
		if s.Window != plan.Reboot {
			t.Errorf("%s: window %s, want that port and SEA change at the same reboot", s.ID, s.Window)
		}
		advice := "before the reboot of vios1, not for this step: vios1:ent5 is PRIMARY, fail over to vios2:ent5 " +
			"(chdev -dev ent5 -attr ha_mode=standby); when vios1 is up again: ha_mode=auto"
		if notes := strings.Join(s.Notes, "; "); s.Host == "vios1" && !strings.Contains(notes, advice) {
			t.Errorf("%s: got notes %q, want advice to fail over first", s.ID, notes)
		}
	}
	if got, p := order("vios1:ent5:ha_mode=sharing", "vios2:ent5:ha_mode=sharing"); !slices.Equal(got, []string{"vios1:ent5", "vios2:ent5"}) {
		t.Errorf("ha_mode: got %v, want the primary first (refused %+v)", got, p.Refused)
	}
}

func TestTrunksAlike(t *testing.T) {
	p := simulate(t, behind(t, "5.14.0"), nil, "vios1:ent4:max_buf_small=4096")
	if len(p.Steps) != 1 || !strings.Contains(strings.Join(p.Steps[0].Notes, ";"),
		"ent6, a trunk adapter of ent5 too, stays at max_buf_small=2048") {
		t.Errorf("got %+v, want a note that ent6 differs", p.Steps)
	}
	p = simulate(t, behind(t, "5.14.0"), nil, "vios1:ent4:max_buf_small=4096", "vios1:ent6:max_buf_small=4096")
	if notes := strings.Join(p.Steps[0].Notes, ";"); strings.Contains(notes, "stays at") {
		t.Errorf("both trunks are changed, and yet: %s", notes)
	}
}

func TestWindows(t *testing.T) {
	l, v := pair(t)
	p := build(t, []*box{l, v}, "lpar1:en0:mtu_bypass=on", "lpar1:ent0:chksum_offload=yes", "vios1:ent0:large_send=yes",
		"lpar1:en0:tcp_sendspace=262144")
	var got []string
	for _, w := range p.Parts {
		got = append(got, string(w.Window)+" "+w.Worst+" "+strings.Join(w.Hosts, ","))
	}
	want := []string{"now O1 lpar1", "bounce O2 lpar1", "reboot O3 vios1"}
	if !slices.Equal(got, want) {
		t.Errorf("windows: got %q, want %q", got, want)
	}
}
