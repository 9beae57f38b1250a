// Package plantest holds the hosts and plans that the tests of planning and of
// carrying out share.
package plantest

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"net/netip"
	"strings"
	"testing"

	"seaworthy/internal/audit/finding"
	"seaworthy/internal/audit/rule"
	"seaworthy/internal/change/plan"
	"seaworthy/internal/inventory/model"
	"seaworthy/internal/knowledge"
)

// Prefixes reads ADDRESS/BITS.
func Prefixes(t *testing.T, s ...string) []netip.Prefix {
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

// Attrs makes attributes from name=value, or name=running/next-boot.
func Attrs(list ...string) map[string]*model.Attr {
	m := map[string]*model.Attr{}
	for _, s := range list {
		name, v, _ := strings.Cut(s, "=")
		run, next, differ := strings.Cut(v, "/")
		if !differ {
			next = run
		}
		m[name] = &model.Attr{Name: name, Running: &run, NextBoot: &next}
	}
	return m
}

// Pair is an AIX client and its VIOS.
func Pair(t *testing.T) (lpar, vios *model.Host) {
	t.Helper()
	addr := model.Element{Name: "en0", Kind: model.Interface, On: "ent0"}
	addr.Attrs = Attrs("mtu_bypass=off", "mtu=1500", "tcp_sendspace=", "tcp_recvspace=65536", "rfc1323=0", "use_a_value_with_quote=x")
	addr.Addrs = Prefixes(t, "10.0.0.1/24")
	lpar = &model.Host{
		Name: "lpar1", Platform: model.AIX, User: "root",
		Elements: map[string]*model.Element{
			"en0":  &addr,
			"ent0": {Name: "ent0", Kind: model.Virtual, Attrs: Attrs("chksum_offload=no", "min_buf_small=512", "max_buf_small=2048")},
		},
		Tunables: Attrs("sb_max=1048576"),
	}
	vios = &model.Host{
		Name: "vios1", Platform: model.VIOS, User: "padmin",
		Elements: map[string]*model.Element{
			"ent5": {Name: "ent5", Kind: model.SEA, SEAFacts: model.SEAFacts{Real: "ent0"}, Attrs: Attrs("largesend=0", "jumbo_frames=no")},
			"ent0": {Name: "ent0", Kind: model.Physical, MemberOf: "ent5", Attrs: Attrs("large_send=no", "jumbo_frames=no")},
		},
	}
	return lpar, vios
}

// Behind is a pair of VIOSes with an SEA each and a Linux and an AIX client.
func Behind(t *testing.T, kernel string) *model.Fleet {
	t.Helper()
	one, yes := 1, true
	trunk := func(name string) *model.Element {
		virtual := model.VirtualFacts{PVID: &one, VSwitch: "ETHERNET0", Trunk: &yes}
		return &model.Element{Name: name, Kind: model.Virtual, VirtualFacts: virtual, MemberOf: "ent5",
			Attrs: Attrs("max_buf_small=2048", "min_buf_small=512")}
	}
	vios := func(name, state string) *model.Host {
		return &model.Host{Name: name, Platform: model.VIOS, User: "padmin", MachineID: "9009-22A*1", IOSLevel: "3.1.4.10",
			Elements: map[string]*model.Element{
				"ent0": {Name: "ent0", Kind: model.Physical, MemberOf: "ent5", Attrs: Attrs("large_receive=no", "jumbo_frames=no",
					"large_send=yes", "chksum_offload=yes")},
				"ent4": trunk("ent4"), "ent6": trunk("ent6"),
				"ent5": {Name: "ent5", Kind: model.SEA, SEAFacts: model.SEAFacts{Real: "ent0", Trunks: []string{"ent4", "ent6"}, HAState: state},
					Attrs: Attrs("large_receive=no", "jumbo_frames=no", "largesend=1", "ha_mode=auto", "adapter_reset=yes")},
			}}
	}
	client := func(name string, p model.Platform, level, iface string) *model.Host {
		return &model.Host{Name: name, Platform: p, MachineID: "9009-22A*1", Level: level, Elements: map[string]*model.Element{
			"ent0": {
				Name: "ent0", Kind: model.Virtual, Attrs: Attrs("chksum_offload=yes"),
				VirtualFacts: model.VirtualFacts{PVID: &one, VSwitch: "ETHERNET0"},
			},
			"en0": {Name: "en0", Kind: model.Interface, On: "ent0", Addrs: Prefixes(t, "10.0.0.1/24"), Up: &yes,
				Flags: []string{"UP", "LARGESEND"},
				Attrs: Attrs("mtu_bypass=on", "mtu=1500", "state=up")},
		}, Tunables: Attrs("net.ipv4.ip_forward=0", "ipforwarding=0")}
	}
	return &model.Fleet{Hosts: []*model.Host{
		vios("vios1", "PRIMARY"), vios("vios2", "BACKUP"),
		client("lpar1", model.AIX, "7200-05-06-2320", "en0"), client("linux1", model.Linux, kernel, "eth0"),
	}}
}

// Cabled is a host with a port of its own on the switch.
func Cabled(t *testing.T, name, addr, mtu string) *model.Host {
	t.Helper()
	yes := true
	return &model.Host{Name: name, Platform: model.AIX, MachineID: "M*" + name, Elements: map[string]*model.Element{
		"ent0": {Name: "ent0", Kind: model.Physical, MAC: "00:09:6b:00:00:0" + name[len(name)-1:], Location: "U78-P1-T1",
			Attrs: Attrs("jumbo_frames=yes")},
		"en0": {Name: "en0", Kind: model.Interface, On: "ent0", Up: &yes, Addrs: Prefixes(t, addr+"/24"),
			Attrs: Attrs("mtu="+mtu, "state=up")},
	}}
}

// Desired reads HOST:ELEMENT:ATTR=VALUE.
func Desired(list ...string) []plan.DesiredSetting {
	var out []plan.DesiredSetting
	for _, s := range list {
		f := strings.SplitN(s, ":", 3)
		a, v, _ := strings.Cut(f[2], "=")
		out = append(out, plan.DesiredSetting{Setting: finding.Setting{Ref: model.Ref{Host: f[0], Element: f[1]}, Attr: a, Value: v}})
	}
	return out
}

// Build plans values for hosts, with the attributes of Known.
func Build(t *testing.T, hosts []*model.Host, want ...string) *plan.Plan {
	t.Helper()
	p, err := plan.Build(&model.Fleet{Hosts: hosts}, Known, Desired(want...))
	if err != nil {
		t.Fatal(err)
	}
	return p
}

type classes map[string]knowledge.Attribute

func (c classes) Attribute(layer, name string) (*knowledge.Attribute, bool) {
	a, ok := c[layer+" "+name]
	if !ok {
		return nil, false
	}
	a.Layer, a.Name = layer, name
	return &a, true
}

// Known are the attributes that Build knows.
var Known = classes{
	"interface mtu_bypass":             {Class: knowledge.O0, Values: []string{"on", "off"}},
	"interface mtu":                    {Class: knowledge.O2},
	"interface tcp_sendspace":          {Class: knowledge.O1},
	"interface tcp_recvspace":          {Class: knowledge.O1},
	"interface rfc1323":                {Class: knowledge.O1},
	"virtual-adapter chksum_offload":   {Class: knowledge.O2, Values: []string{"yes", "no"}},
	"virtual-adapter min_buf_small":    {Class: knowledge.O3},
	"virtual-adapter max_buf_small":    {Class: knowledge.O3},
	"sea largesend":                    {Class: knowledge.O0},
	"sea jumbo_frames":                 {Class: knowledge.O5},
	"physical-adapter large_send":      {Class: knowledge.O3},
	"physical-adapter jumbo_frames":    {Class: knowledge.O3},
	"no sb_max":                        {Class: knowledge.O0},
	"interface use_a_value_with_quote": {Class: knowledge.O0},
}

// Simulate plans with the catalogue, its rules and what the user accepts.
func Simulate(t *testing.T, f *model.Fleet, accept []string, want ...string) *plan.Plan {
	t.Helper()
	cat, err := knowledge.Load()
	if err != nil {
		t.Fatal(err)
	}
	defects, err := knowledge.Defects()
	if err != nil {
		t.Fatal(err)
	}
	rules, err := rule.Compile(append(cat.Rules(), knowledge.DefectRules(defects)...))
	if err != nil {
		t.Fatal(err)
	}
	p, err := plan.Simulator{Rules: rules, Accept: accept}.Build(context.Background(), f, cat, Desired(want...))
	if err != nil {
		t.Fatal(err)
	}
	if err := p.Check(); err != nil {
		t.Errorf("the plan does not hold its own id: %v", err)
	}
	return p
}

// Digest is the id of a plan's content, which anybody can compute.
func Digest(t *testing.T, p *plan.Plan) plan.ID {
	t.Helper()
	q := *p
	q.ID = ""
	text, err := json.Marshal(q)
	if err != nil {
		t.Fatal(err)
	}
	return plan.ID(fmt.Sprintf("%x", sha256.Sum256(text)))
}

// Resign gives an edited plan the id of its content.
func Resign(t *testing.T, p *plan.Plan) string {
	t.Helper()
	p.ID = Digest(t, p)
	text, err := json.MarshalIndent(p, "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
