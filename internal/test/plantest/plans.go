package plantest

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"seaworthy/audit/finding"
	"seaworthy/audit/rule"
	"seaworthy/catalog"
	"seaworthy/change/plan"
	"seaworthy/inventory"
)

// Desired reads HOST:ELEMENT:ATTR=VALUE.
func Desired(list ...string) []plan.DesiredSetting {
	var out []plan.DesiredSetting
	for _, s := range list {
		f := strings.SplitN(s, ":", 3)
		a, v, _ := strings.Cut(f[2], "=")
		out = append(out, plan.DesiredSetting{Setting: finding.Setting{Ref: inventory.Ref{Host: f[0], Element: f[1]}, Attr: a, Value: v}})
	}
	return out
}

// Build plans values for hosts, with the attributes of Known.
func Build(t *testing.T, hosts []*inventory.Host, want ...string) *plan.Plan {
	t.Helper()
	p, err := plan.Build(&inventory.Fleet{Hosts: hosts}, Known, Desired(want...))
	if err != nil {
		t.Fatal(err)
	}
	return p
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

// Known are the attributes that Build knows.
var Known = classes{
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

// Simulate plans with the catalogue, its rules and what the user accepts.
func Simulate(t *testing.T, f *inventory.Fleet, accept []string, want ...string) *plan.Plan {
	t.Helper()
	cat, err := catalog.Load()
	if err != nil {
		t.Fatal(err)
	}
	rules, err := rule.Compile(cat.Rules())
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
