package topology

import (
	"cmp"
	"maps"
	"slices"
)

// The raw form is the file as written, with lines; resolve turns it into a
// Topology. A key tagged with need must be there.
type (
	rawTopology struct {
		Name    text        `yaml:"name" need:"yes"`
		HMC     text        `yaml:"hmc"`
		Switch  rawSwitch   `yaml:"switch" need:"yes"`
		Systems []rawSystem `yaml:"systems" need:"yes"`
		Servers []rawServer `yaml:"servers"`
	}
	rawServer struct {
		Name       text                  `yaml:"name" need:"yes"`
		OS         text                  `yaml:"os"`
		VCPUs      text                  `yaml:"vcpus"`
		Adapters   map[text]rawAdapter   `yaml:"adapters" need:"yes"`
		Interfaces map[text]rawInterface `yaml:"interfaces"`
	}
	rawSwitch struct {
		Name       text             `yaml:"name" need:"yes"`
		Gateway    text             `yaml:"gateway"`
		GatewayMTU text             `yaml:"gateway_mtu"`
		Ports      map[text]rawPort `yaml:"ports"`
	}
	rawPort struct {
		MTU   text `yaml:"mtu"`
		Rate  text `yaml:"rate"`
		LAG   text `yaml:"lag"`
		Delay text `yaml:"delay"`
	}
	rawSystem struct {
		Name    text      `yaml:"name" need:"yes"`
		Model   text      `yaml:"model"`
		Serial  text      `yaml:"serial"`
		VSwitch text      `yaml:"vswitch"`
		Nodes   []rawNode `yaml:"nodes" need:"yes"`
	}
	rawNode struct {
		Name       text                     `yaml:"name" need:"yes"`
		Role       text                     `yaml:"role" need:"yes"`
		OS         text                     `yaml:"os"`
		Level      text                     `yaml:"level"`
		IOSLevel   text                     `yaml:"ioslevel"`
		Number     text                     `yaml:"number"`
		Entitled   text                     `yaml:"entitled"`
		VCPUs      text                     `yaml:"vcpus"`
		Memory     text                     `yaml:"memory_mb"`
		Mode       text                     `yaml:"mode"`
		Weight     text                     `yaml:"weight"`
		Tunables   map[text]text            `yaml:"tunables"`
		Adapters   map[text]rawAdapter      `yaml:"adapters" need:"yes"`
		Interfaces map[text]rawInterface    `yaml:"interfaces"`
		Set        map[text]map[text]string `yaml:"set"`
	}
	rawAdapter struct {
		name     text
		Kind     text   `yaml:"kind" need:"yes"`
		MAC      text   `yaml:"mac"`
		PVID     text   `yaml:"pvid"`
		VLANs    []text `yaml:"vlans"`
		Trunk    text   `yaml:"trunk"`
		Priority text   `yaml:"priority"`
		Rate     text   `yaml:"rate"`
		Port     text   `yaml:"port"`
		Real     text   `yaml:"real"`
		Trunks   []text `yaml:"trunks"`
		Control  text   `yaml:"ctl_chan"`
		Members  []text `yaml:"members"`
		Backup   text   `yaml:"backup"`
		Base     text   `yaml:"base"`
		Tag      text   `yaml:"tag"`
		Mode     text   `yaml:"mode"`
	}
	rawInterface struct {
		Address text `yaml:"address" need:"yes"`
		Gateway text `yaml:"gateway"`
	}
)

// inOrder are a mapping's keys in the order of the file.
func inOrder[T any](m map[text]T) []text {
	return slices.SortedFunc(maps.Keys(m), func(a, b text) int {
		return cmp.Or(a.line-b.line, a.column-b.column)
	})
}

func (n rawNode) adapters() []rawAdapter {
	var list []rawAdapter
	for _, name := range inOrder(n.Adapters) {
		a := n.Adapters[name]
		a.name = name
		list = append(list, a)
	}
	return list
}

func (t text) or(s string) string {
	if t.given() {
		return t.s
	}
	return s
}
