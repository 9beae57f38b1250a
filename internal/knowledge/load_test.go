package knowledge

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
)

func TestLoad(t *testing.T) {
	c, err := Load()
	if err != nil {
		t.Fatal(err)
	}
	total := 0
	for _, layer := range c.Layers() {
		got := len(c.Attributes(layer))
		if got == 0 {
			t.Errorf("layer %s: got no attributes, want some", layer)
		}
		total += got
	}
	for _, layer := range []string{"interface", "virtual-adapter", "vnic", "physical-adapter", "sea", "etherchannel", "no", "vlan", "vios", "hypervisor", "linux"} {
		if !slices.Contains(c.Layers(), layer) {
			t.Errorf("layers: got %v, want %s among them", c.Layers(), layer)
		}
	}
	if got := len(c.Attributes("")); got != total {
		t.Errorf("attributes of every layer: got %d, want %d", got, total)
	}
	ids := map[string]bool{}
	for _, r := range c.Rules() {
		if ids[r.ID] || !r.BuiltIn {
			t.Errorf("rule %s: got it twice, or as a site's, want each built-in rule once", r.ID)
		}
		ids[r.ID] = true
	}
	for _, cause := range c.Causes() {
		for _, id := range cause.Witnesses {
			if !ids[id] {
				t.Errorf("rule %s, which the cause %s names: got none, want one", id, cause.ID)
			}
		}
	}
	for _, cited := range []string{"S000:L58", "IBM-LSO", "S001:L26-33,L293"} {
		if _, ok := c.Source(cited); !ok {
			t.Errorf("source %s: got none, want one", cited)
		}
	}
	if _, ok := c.Source("NOBODY"); ok {
		t.Error("source NOBODY: got one, want none")
	}
}

func TestLookups(t *testing.T) {
	c, err := Load()
	if err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		layer, name string
		want        bool
	}{
		{"interface", "mtu_bypass", true},
		{"sea", "largesend", true},
		{"no", "sb_max", true},
		{"interface", "tso", true}, // Linux: adapter and interface are one
		{"sysctl", "net.ipv4.tcp_rmem", true},
		{"no", "net.ipv4.tcp_rmem", false},
		{"sea", "mtu_bypass", false},
		{"nowhere", "mtu_bypass", false},
	}
	for _, tt := range tests {
		if a, got := c.Attribute(tt.layer, tt.name); got != tt.want || got && a.Name != tt.name {
			t.Errorf("Attribute(%s, %s): got %v %v, want %v", tt.layer, tt.name, a, got, tt.want)
		}
	}
	if r, ok := c.Rule("R026"); !ok || r.ID != "R026" {
		t.Errorf("Rule(R026): got %v %v, want the rule", r.ID, ok)
	}
	if _, ok := c.Rule("R999"); ok {
		t.Error("Rule(R999): got one, want none")
	}
}

// An error in the data names file and line.
func TestReadNamesFileAndLine(t *testing.T) {
	good := "layer: x\nattributes:\n  - name: a\n    label: b\n    type: int\n    defaults: []\n    allowed: any\n    read: [r]\n    set: [s]\n    effective: now\n    class: O0\n    sources: [K]\n    confidence: high\n"
	sources := "sources:\n  - key: K\n    title: T\n"
	tests := []struct{ name, text, want string }{
		{"good", good, ""},
		{"unknown key", good + "    colour: red\n", "attributes/x.yaml:14: unknown key"},
		{"wrong type", strings.Replace(good, "read: [r]", "min: wide\n    read: [r]", 1), "attributes/x.yaml:8:"},
		{"not YAML", "layer: [", "attributes/x.yaml"},
		{"class", strings.Replace(good, "O0", "O9", 1), `class "O9" is not one of O0 to O6`},
		{"source", strings.Replace(good, "[K]", "[Q]", 1), `source "Q" is not in sources.yaml`},
		{"no way to set", strings.Replace(good, "[s]", "[]", 1), "commands to read and to set"},
		{"type", strings.Replace(good, "type: int", "type: integer", 1), `type "integer" is not one of int`},
		{"default outside", strings.Replace(good, "defaults: []", "defaults: [{value: \"9\"}]\n    min: 1\n    max: 3", 1), "9 is outside 1...3"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			c, err := read(fstest.MapFS{
				"sources.yaml":      {Data: []byte(sources)},
				"attributes/x.yaml": {Data: []byte(tt.text)},
			})
			if err == nil {
				err = errors.Join(c.check()...)
			}
			switch {
			case tt.want == "" && err != nil:
				t.Errorf("got error %v, want none", err)
			case tt.want != "" && (err == nil || !strings.Contains(err.Error(), tt.want)):
				t.Errorf("got error %v, want one with %q", err, tt.want)
			}
		})
	}
}
