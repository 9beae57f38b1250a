package plan_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"seaworthy/internal/inventory/model"
)

func TestNoStepByHand(t *testing.T) {
	for _, c := range []struct{ mtu, setting string }{
		{"9000", "host1:en0:mtu=1500"}, {"1400", "host1:en0:mtu=1500"}, {"1500", "host1:en0:mtu=65390"}, {"1500", "host1:en0:mtu_bypass=on"},
	} {
		a := cabled(t, "host1", "10.0.0.1", c.mtu)
		a.host.Elements["en0"].Attrs["mtu_bypass"] = attrs("mtu_bypass=off")["mtu_bypass"]
		p := build(t, []*box{a}, c.setting)
		if len(p.Steps) != 1 || p.Steps[0].Manual != nil {
			t.Errorf("%s from %s: got steps %v, refused %+v, want none that is manual", c.setting, c.mtu, ids(p), p.Refused)
		}
	}
}

// Of a client the ports are those of both VIOSes of its pair, and of an
// EtherChannel all members.
func TestPortsOfPath(t *testing.T) {
	f := behind(t, "5.14.0")
	v := f.Host("vios2")
	v.Elements["ent7"] = &model.Element{Name: "ent7", Kind: model.EtherChannel, Members: []string{"ent0", "ent1"},
		MemberOf: "ent5", Attrs: attrs("mode=8023ad", "use_jumbo_frame=no")}
	v.Elements["ent1"] = &model.Element{Name: "ent1", Kind: model.Physical, MemberOf: "ent7", Attrs: attrs("jumbo_frames=no")}
	v.Elements["ent0"].MemberOf, v.Elements["ent5"].Real = "ent7", "ent7"
	p := simulate(t, f, []string{"R020", "R021", "R023", "R025", "R047", "R003"}, "lpar1:en0:mtu=9000")
	if len(p.Steps) == 0 || p.Steps[0].Manual == nil {
		t.Fatalf("got %v, refused %+v, want a manual step first", ids(p), p.Refused)
	}
	if d := cmp.Diff([]string{"vios1:ent0, below ent5", "vios2:ent0, below ent7", "vios2:ent1, below ent7"},
		p.Steps[0].Manual.Names()); d != "" {
		t.Errorf("ports (-want +got):\n%s", d)
	}
}

// A port that was not read is asked for beside those that were.
func TestPortNotRead(t *testing.T) {
	a, b := cabled(t, "host1", "10.0.0.1", "1500"), cabled(t, "host2", "10.0.0.2", "1500")
	a.host.Elements["ent2"] = &model.Element{Name: "ent2", Kind: model.EtherChannel, Members: []string{"ent0", "ent1"},
		Attrs: attrs("use_jumbo_frame=yes")}
	a.host.Elements["ent0"].MemberOf = "ent2"
	a.host.Elements["en0"].On = "ent2"
	p := build(t, []*box{a, b}, "host1:en0:mtu=9000")
	if len(p.Steps) == 0 || p.Steps[0].Manual == nil {
		t.Fatalf("got steps %v, refused %+v, want the manual step first", ids(p), p.Refused)
	}
	want := []string{"host1:ent0, MAC address 00:09:6b:00:00:01, location U78-P1-T1, below ent2", "host1:en0, a port by which it leaves was not read"}
	if d := cmp.Diff(want, p.Steps[0].Manual.Names()); d != "" {
		t.Errorf("ports (-want +got):\n%s", d)
	}
}
