package catalog

// Class is the outage class of a change.
type Class string

const (
	O0 Class = "O0" // none: dynamic, traffic continues
	O1 Class = "O1" // none for existing connections, only new ones benefit
	O2 Class = "O2" // the interface is bounced: seconds
	O3 Class = "O3" // the adapter must be unconfigured, or -P and a reboot
	O4 Class = "O4" // partition reboot
	O5 Class = "O5" // failover or switch sensitive: ordered steps on both VIOSes
	O6 Class = "O6" // coordinated end to end: switch and every host of the VLAN
)

// Attribute is one tunable of one kind of element.
type Attribute struct {
	Name        string    `yaml:"name"`
	Layer       string    `yaml:"layer"` // an inventory.Kind, or "no", "sysctl", "hypervisor", "vios", "ethtool"
	Label       string    `yaml:"label"` // the description lsattr prints in the lab
	Type        string    `yaml:"type"`  // int, bool, enum, string, ...
	Defaults    []Default `yaml:"defaults"`
	Allowed     string    `yaml:"allowed"`          // in words
	Values      []string  `yaml:"values,omitempty"` // enumerated: what lsattr -R prints one a line
	Min         *int64    `yaml:"min,omitempty"`
	Max         *int64    `yaml:"max,omitempty"`
	Step        *int64    `yaml:"step,omitempty"`
	Unit        string    `yaml:"unit,omitempty"`
	Read        []string  `yaml:"read"`
	Set         []string  `yaml:"set"`
	Effective   string    `yaml:"effective"` // when a change takes effect
	Class       Class     `yaml:"class"`
	Needs       []string  `yaml:"needs,omitempty"` // interactions
	Linux       string    `yaml:"linux,omitempty"` // Linux twin
	Recommended []string  `yaml:"recommended,omitempty"`
	Sources     []string  `yaml:"sources"`
	Confidence  string    `yaml:"confidence"` // high, medium, low
}

// Default is a default value and where it holds.
type Default struct {
	Value string `yaml:"value"`
	When  string `yaml:"when,omitempty"`
}
