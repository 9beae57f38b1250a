package model

// Keeper is what sets a Linux host's network up when it boots.
type Keeper string

const (
	NetworkManager Keeper = "NetworkManager"
	Networkd       Keeper = "systemd-networkd"
	Netplan        Keeper = "netplan"
	Ifupdown       Keeper = "ifupdown"
	Ifcfg          Keeper = "ifcfg"
	Unit           Keeper = "systemd unit" // one of ours, where none of the others has a place for a setting
	SysctlD        Keeper = "sysctl.d"
)

// Persistence says what sets an element of a Linux host up at boot, or, of a
// host, its sysctls: there a value is written that is to outlive a restart.
type Persistence struct {
	By Keeper `json:"by,omitempty"` // empty: nothing that is known, see Why
	// Name is NetworkManager's UUID of the connection, the name of networkd's
	// .network file, netplan's id of the device, or the path of an ifcfg file.
	Name  string `json:"name,omitempty"`
	Label string `json:"label,omitempty"` // as an administrator knows it: connection "eth0"
	Units bool   `json:"units,omitempty"` // systemd runs the host: a unit can set what By has no place for, and roll back after a restart
	Why   string `json:"why,omitempty"`   // By is empty
	// Lacks are attributes that this version of By, or this file of it, cannot hold, and why.
	Lacks map[string]string `json:"lacks,omitempty"`
	// Own are, by attribute, the values that seaworthy has written, or of
	// NetworkManager those of the connection.
	Own map[string]string `json:"own,omitempty"`
	// Later are, by sysctl, files that are read after ours and set it too.
	Later map[string]string `json:"later,omitempty"`
}

// PersistenceOf is that of an element, or of the host's sysctls where it has no
// such element; nil: not read.
func (h *Host) PersistenceOf(element string) *Persistence {
	if el := h.Elements[element]; el != nil {
		return el.Persistence
	}
	return h.Persistence
}

// Persistent are the attributes of devices that can be written for the next boot.
var Persistent = []string{"mtu", "txqueuelen", "threaded", "gro_flush_timeout", "napi_defer_hard_irqs", "rings", "coalescing",
	"adaptive-rx", "pause", "xmit_hash_policy", "miimon",
	"tso", "gso", "gro", "lro", "tx", "rx", "sg", "rx-gro-hw", "hw-tc-offload"}

// Property is a setting of a NetworkManager connection.
type Property struct {
	Name  string // ethtool.ring-rx; within bond.options: bond.options miimon
	Since [2]int // the first version of NetworkManager that has it
}

// Properties are NetworkManager's, by attribute. It writes on and off as 1 and 0
// where it says so.
var Properties = map[string]Property{
	"mtu":              {Name: "802-3-ethernet.mtu"},
	"tso":              {"ethtool.feature-tso", [2]int{1, 14}},
	"gso":              {"ethtool.feature-gso", [2]int{1, 14}},
	"gro":              {"ethtool.feature-gro", [2]int{1, 14}},
	"lro":              {"ethtool.feature-lro", [2]int{1, 14}},
	"tx":               {"ethtool.feature-tx", [2]int{1, 14}},
	"rx":               {"ethtool.feature-rx", [2]int{1, 14}},
	"sg":               {"ethtool.feature-sg", [2]int{1, 14}},
	"rx-gro-hw":        {"ethtool.feature-rx-gro-hw", [2]int{1, 14}},
	"hw-tc-offload":    {"ethtool.feature-hw-tc-offload", [2]int{1, 14}},
	"rings":            {"ethtool.ring-rx", [2]int{1, 26}},
	"coalescing":       {"ethtool.coalesce-rx-usecs", [2]int{1, 26}},
	"xmit_hash_policy": {Name: "bond.options xmit_hash_policy"},
	"miimon":           {Name: "bond.options miimon"},
}
