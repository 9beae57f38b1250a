package replica

import (
	"bytes"
	"fmt"
	"slices"

	"go.yaml.in/yaml/v3"
)

// The text of a topology, in the order in which people read one.
type (
	topologyFile struct {
		Name    string       `yaml:"name"`
		HMC     string       `yaml:"hmc,omitempty"`
		Switch  switchFile   `yaml:"switch"`
		Systems []systemFile `yaml:"systems,omitempty"`
		Servers []nodeFile   `yaml:"servers,omitempty"`
	}
	switchFile struct {
		Name    string              `yaml:"name"`
		Gateway string              `yaml:"gateway,omitempty"`
		Ports   map[string]portFile `yaml:"ports"`
	}
	portFile struct {
		MTU  int    `yaml:"mtu"`
		Rate uint64 `yaml:"rate"`
		VLAN int    `yaml:"vlan,omitempty"`
		LAG  string `yaml:"lag,omitempty"`
	}
	systemFile struct {
		Name    string     `yaml:"name"`
		Model   string     `yaml:"model,omitempty"`
		Serial  string     `yaml:"serial,omitempty"`
		VSwitch string     `yaml:"vswitch,omitempty"`
		Nodes   []nodeFile `yaml:"nodes"`

		machine string // MachineID of its hosts
	}
	nodeFile struct {
		Name       string                       `yaml:"name"`
		Role       string                       `yaml:"role,omitempty"`
		OS         string                       `yaml:"os,omitempty"`
		Level      string                       `yaml:"level,omitempty"`
		IOSLevel   string                       `yaml:"ioslevel,omitempty"`
		Number     int                          `yaml:"number,omitempty"`
		Entitled   float64                      `yaml:"entitled,omitempty"`
		VCPUs      int                          `yaml:"vcpus,omitempty"`
		Mode       string                       `yaml:"mode,omitempty"`
		Type       string                       `yaml:"type,omitempty"`
		Weight     int                          `yaml:"weight,omitempty"`
		Adapters   map[string]adapterFile       `yaml:"adapters"`
		Interfaces map[string]interfaceFile     `yaml:"interfaces,omitempty"`
		Routes     map[string]string            `yaml:"routes,omitempty"`
		Sysctls    map[string]string            `yaml:"sysctls,omitempty"`
		Set        map[string]map[string]string `yaml:"set,omitempty"`
		Tunables   map[string]string            `yaml:"tunables,omitempty"`
		NextBoot   map[string]map[string]string `yaml:"next_boot,omitempty"`

		settings int // of a Linux host: how many are as read
	}
	adapterFile struct {
		Kind     string   `yaml:"kind"`
		Port     string   `yaml:"port,omitempty"`
		PVID     int      `yaml:"pvid,omitempty"`
		VLANs    []int    `yaml:"vlans,omitempty,flow"`
		Trunk    bool     `yaml:"trunk,omitempty"`
		Priority int      `yaml:"priority,omitempty"`
		Real     string   `yaml:"real,omitempty"`
		Trunks   []string `yaml:"trunks,omitempty,flow"`
		Control  string   `yaml:"ctl_chan,omitempty"`
		Members  []string `yaml:"members,omitempty,flow"`
		Backup   string   `yaml:"backup,omitempty"`
		Mode     string   `yaml:"mode,omitempty"`
		Base     string   `yaml:"base,omitempty"`
		Tag      int      `yaml:"tag,omitempty"`
		MAC      string   `yaml:"mac,omitempty"`
	}
	interfaceFile struct {
		Address string   `yaml:"address"`
		Gateway string   `yaml:"gateway,omitempty"`
		Aliases []string `yaml:"aliases,omitempty,flow"`
	}
)

// below are the adapters that one keeps for itself.
func (a adapterFile) below() []string {
	return slices.Concat(a.Members, a.Trunks, []string{a.Real, a.Control, a.Backup})
}

// text is the file as YAML.
func (t *topologyFile) text() ([]byte, error) {
	var out bytes.Buffer
	fmt.Fprintf(&out, "# A copy of hosts that were read.\n")
	e := yaml.NewEncoder(&out)
	e.SetIndent(2)
	if err := e.Encode(t); err != nil {
		return nil, fmt.Errorf("topology %s: %w", t.Name, err)
	}
	return out.Bytes(), nil
}
