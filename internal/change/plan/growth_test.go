package plan_test

import (
	"fmt"
	"net/netip"
	"testing"

	"seaworthy/internal/audit/finding"
	"seaworthy/internal/change/plan"
	"seaworthy/internal/inventory/model"
	"seaworthy/internal/knowledge"
	"seaworthy/internal/test/growth"
)

// large is a host with n interfaces, each with routes and a pending value, and
// what it is to be set to.
func large(n int) (*model.Fleet, []plan.DesiredSetting) {
	h := &model.Host{Name: "lpar1", Platform: model.AIX, MachineID: "9009-22A*1", Elements: map[string]*model.Element{},
		ODMRoutes: []model.Route{}}
	peer := &model.Host{Name: "lpar2", Platform: model.AIX, MachineID: "9009-22A*2", Elements: map[string]*model.Element{}}
	var want []plan.DesiredSetting
	for i := range n {
		addr := netip.AddrFrom4([4]byte{10, byte(i >> 16), byte(i >> 8), byte(i)})
		other := netip.AddrFrom4([4]byte{10, 128 + byte(i>>16), byte(i >> 8), byte(i)})
		en, ent := fmt.Sprintf("en%d", i), fmt.Sprintf("ent%d", i)
		h.Elements[ent] = &model.Element{Name: ent, Kind: model.Physical, Attrs: attrs("jumbo_frames=no")}
		h.Elements[en] = &model.Element{Name: en, Kind: model.Interface, On: ent, Addrs: []netip.Prefix{netip.PrefixFrom(addr, 8)},
			Attrs: attrs("mtu=1500", "mtu_bypass=off", "netaddr="+addr.String(), "state=up")}
		peer.Elements[en] = &model.Element{Name: en, Kind: model.Interface, On: ent, Addrs: []netip.Prefix{netip.PrefixFrom(other, 8)},
			Attrs: attrs("mtu=9000")}
		r := model.Route{To: netip.PrefixFrom(netip.AddrFrom4([4]byte{172, byte(i >> 16), byte(i >> 8), byte(i)}), 32), Gateway: other, Interface: en}
		h.Routes, h.ODMRoutes = append(h.Routes, r), append(h.ODMRoutes, model.Route{To: r.To, Gateway: r.Gateway})
		for element, setting := range map[string][2]string{en: {"mtu", "9000"}, ent: {"jumbo_frames", "yes"}} {
			want = append(want, plan.DesiredSetting{Finding: fmt.Sprintf("R000/lpar1:%s", element),
				Setting: finding.Setting{Ref: model.Ref{Host: "lpar1", Element: element}, Attr: setting[0], Value: setting[1]}})
		}
		want = append(want, plan.DesiredSetting{Finding: "R001/lpar1:" + en,
			Setting: finding.Setting{Ref: model.Ref{Host: "lpar1", Element: en}, Attr: "mtu_bypass", Value: "on"}})
	}
	return &model.Fleet{Hosts: []*model.Host{h, peer}}, want
}

// A plan for many interfaces, with routes to keep, pending values, switch ports
// and proofs, takes time that grows with them.
func TestManyInterfaces(t *testing.T) {
	cat, err := knowledge.Load()
	if err != nil {
		t.Fatal(err)
	}
	growth.Linear(t, 500, func(n int) func() {
		f, want := large(n)
		return func() {
			p, err := plan.Build(f, cat, want)
			if err != nil || len(p.Refused) > 0 || len(p.Steps) < 2*n {
				t.Fatalf("%d steps, refused %v, %v: want %d or more", len(p.Steps), p.Refused[:min(1, len(p.Refused))], err, 2*n)
			}
			if got := len(p.Values()); got != 3*n {
				t.Errorf("%d values are set, want %d", got, 3*n)
			}
		}
	})
}
