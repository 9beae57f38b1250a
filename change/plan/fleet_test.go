package plan_test

import (
	"net/netip"
	"seaworthy/audit/finding"
	"seaworthy/catalog"
	"seaworthy/change/plan"
	"seaworthy/inventory"
	"strings"
	"testing"
)

// box is a host that plans are made for.
type box struct{ host *inventory.Host }

func prefixes(t *testing.T, s ...string) []netip.Prefix {
	t.Helper()
	var out []netip.Prefix
	for _, x := range s {
		p, err := netip.ParsePrefix(x)
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, p)
	}
	return out
}

func desired(list ...string) []plan.DesiredSetting {
	var out []plan.DesiredSetting
	for _, s := range list {
		f := strings.SplitN(s, ":", 3)
		a, v, _ := strings.Cut(f[2], "=")
		out = append(out, plan.DesiredSetting{Setting: finding.Setting{Ref: inventory.Ref{Host: f[0], Element: f[1]}, Attr: a, Value: v}})
	}
	return out
}

func build(t *testing.T, boxes []*box, want ...string) *plan.Plan {
	t.Helper()
	fleet := &inventory.Fleet{}
	for _, b := range boxes {
		fleet.Hosts = append(fleet.Hosts, b.host)
	}
	p, err := plan.Build(fleet, known, desired(want...))
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// attrs makes attributes from name=value, or name=running/next-boot.
func attrs(list ...string) map[string]*inventory.Attr {
	m := map[string]*inventory.Attr{}
	for _, s := range list {
		name, v, _ := strings.Cut(s, "=")
		run, next, differ := strings.Cut(v, "/")
		if !differ {
			next = run
		}
		m[name] = &inventory.Attr{Name: name, Running: &run, NextBoot: &next}
	}
	return m
}

type classes map[string]catalog.Attribute

func (c classes) Attribute(layer, name string) (*catalog.Attribute, bool) {
	a, ok := c[layer+" "+name]
	if !ok {
		return nil, false
	}
	a.Layer, a.Name = layer, name
	return &a, true
}

var known = classes{
	"interface mtu_bypass":             {Class: catalog.O0, Values: []string{"on", "off"}},
	"interface mtu":                    {Class: catalog.O2},
	"interface tcp_sendspace":          {Class: catalog.O1},
	"interface tcp_recvspace":          {Class: catalog.O1},
	"interface rfc1323":                {Class: catalog.O1},
	"virtual-adapter chksum_offload":   {Class: catalog.O2, Values: []string{"yes", "no"}},
	"virtual-adapter min_buf_small":    {Class: catalog.O3},
	"virtual-adapter max_buf_small":    {Class: catalog.O3},
	"sea largesend":                    {Class: catalog.O0},
	"sea jumbo_frames":                 {Class: catalog.O5},
	"physical-adapter large_send":      {Class: catalog.O3},
	"physical-adapter jumbo_frames":    {Class: catalog.O3},
	"no sb_max":                        {Class: catalog.O0},
	"interface use_a_value_with_quote": {Class: catalog.O0},
}

func pair(t *testing.T) (lpar, vios *box) {
	t.Helper()
	addr := inventory.Element{Name: "en0", Kind: inventory.Interface, On: "ent0"}
	addr.Attrs = attrs("mtu_bypass=off", "mtu=1500", "tcp_sendspace=", "tcp_recvspace=65536", "rfc1323=0", "use_a_value_with_quote=x")
	addr.Addrs = prefixes(t, "10.0.0.1/24")
	lpar = &box{host: &inventory.Host{
		Name: "lpar1", Platform: inventory.AIX, User: "root",
		Elements: map[string]*inventory.Element{
			"en0":  &addr,
			"ent0": {Name: "ent0", Kind: inventory.Virtual, Attrs: attrs("chksum_offload=no", "min_buf_small=512", "max_buf_small=2048")},
		},
		Tunables: attrs("sb_max=1048576"),
	}}
	vios = &box{host: &inventory.Host{
		Name: "vios1", Platform: inventory.VIOS, User: "padmin",
		Elements: map[string]*inventory.Element{
			"ent5": {Name: "ent5", Kind: inventory.SEA, Real: "ent0", Attrs: attrs("largesend=0", "jumbo_frames=no")},
			"ent0": {Name: "ent0", Kind: inventory.Physical, MemberOf: "ent5", Attrs: attrs("large_send=no", "jumbo_frames=no")},
		},
	}}
	return lpar, vios
}

// cabled is a host with a port of its own on the switch.
func cabled(t *testing.T, name, addr, mtu string) *box {
	t.Helper()
	yes := true
	return &box{host: &inventory.Host{Name: name, Platform: inventory.AIX, MachineID: "M*" + name, Elements: map[string]*inventory.Element{
		"ent0": {Name: "ent0", Kind: inventory.Physical, MAC: "00:09:6b:00:00:0" + name[len(name)-1:], Location: "U78-P1-T1",
			Attrs: attrs("jumbo_frames=yes")},
		"en0": {Name: "en0", Kind: inventory.Interface, On: "ent0", Up: &yes, Addrs: prefixes(t, addr+"/24"),
			Attrs: attrs("mtu="+mtu, "state=up")},
	}}}
}
