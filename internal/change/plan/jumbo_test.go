package plan_test

import (
	"slices"
	"testing"

	"seaworthy/internal/audit/finding"
	"seaworthy/internal/change/plan"
	"seaworthy/internal/inventory/model"
	"seaworthy/internal/test/plantest"
)

// Jumbo frames between two clients are settings of both interfaces, and of both SEAs of the
// pair with their ports.
func TestJumbo(t *testing.T) {
	f := behind(t, "5.14.0")
	other := f.Host("lpar1")
	second := *other
	second.Name = "lpar2"
	second.Elements = map[string]*model.Element{"ent0": other.Elements["ent0"]}
	en0 := *other.Elements["en0"]
	en0.Addrs = prefixes(t, "10.0.0.2/24")
	second.Elements["en0"] = &en0
	f.Hosts = append(f.Hosts, &second)
	desired, err := plan.Jumbo(t.Context(), f, []string{"lpar1", "lpar2"})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, d := range desired {
		got = append(got, d.Ref.String()+":"+d.Attr+"="+d.Value)
	}
	slices.Sort(got)
	want := []string{
		"lpar1:en0:mtu=9000", "lpar2:en0:mtu=9000", "vios1:ent0:jumbo_frames=yes", "vios1:ent5:jumbo_frames=yes",
		"vios2:ent0:jumbo_frames=yes", "vios2:ent5:jumbo_frames=yes",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
	for _, hosts := range [][]string{{"lpar1"}, {"lpar1", "lpar9"}, {"lpar1", "lpar1"}} {
		_, err := plan.Jumbo(t.Context(), f, hosts)
		if err == nil {
			t.Errorf("%v: got no error", hosts)
		}
	}
}

// What mends a running value does not lower the value of the next boot; what a person asks
// for does.
func TestNextBootIsNotLowered(t *testing.T) {
	for _, c := range []struct{ name, next, finding, want string }{
		{"a finding, the next boot has more", "1048576", "R050/lpar1:no", "65536 running, 1048576 at next boot → 1048576"},
		{"a finding, the next boot has less", "131072", "R050/lpar1:no", "65536 running, 131072 at next boot → 524288"},
		{"a person", "1048576", "", "65536 running, 1048576 at next boot → 524288"},
	} {
		lpar, vios := plantest.Pair(t)
		running, next := "65536", c.next
		lpar.Tunables["sb_max"] = &model.Attr{Name: "sb_max", Running: &running, NextBoot: &next}
		want := finding.Setting{Ref: model.Ref{Host: "lpar1", Element: "no"}, Attr: "sb_max", Value: "524288"}
		p, err := plan.Build(&model.Fleet{Hosts: []*model.Host{lpar, vios}}, plantest.Known, []plan.DesiredSetting{{Setting: want, Finding: c.finding}})
		if err != nil || len(p.Steps) != 1 {
			t.Fatalf("%s: got %+v, %v, want one step", c.name, p, err)
		}
		if got := p.Steps[0].Changes[0].String(); got != c.want {
			t.Errorf("%s: got %s, want %s", c.name, got, c.want)
		}
	}
}
