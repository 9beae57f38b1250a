package inventory

import "time"

// Platform of a host.
type Platform string

const (
	AIX     Platform = "aix"
	VIOS    Platform = "vios"
	Linux   Platform = "linux"
	Unknown Platform = "unknown"
)

// Host is one LPAR, VIOS or Linux system at one time.
type Host struct {
	Name      string              `json:"name"`
	Platform  Platform            `json:"platform"`
	User      string              `json:"user,omitempty"`       // who logged in: decides the form of VIOS commands
	Level     string              `json:"level,omitempty"`      // oslevel -s, or the kernel release on Linux
	IOSLevel  string              `json:"ioslevel,omitempty"`   // VIOS only
	MachineID string              `json:"machine_id,omitempty"` // type-model*serial of the managed system; joins an LPAR to its VIOS
	Partition Partition           `json:"partition"`
	Elements  map[string]*Element `json:"elements"`            // by name: en0, ent0, eth0
	Tunables  map[string]*Attr    `json:"tunables,omitempty"`  // AIX no(1), Linux sysctl
	Protocols map[string]uint64   `json:"protocols,omitempty"` // netstat -s counters that rules use, by "tcp.<key>"
	Taken     time.Time           `json:"taken"`
	Gaps      []Gap               `json:"gaps,omitempty"`
}

// Partition is what lparstat -i says. Nil means not said.
type Partition struct {
	Name        string   `json:"name,omitempty"`
	Number      *int     `json:"number,omitempty"`
	Type        string   `json:"type,omitempty"`     // Shared-SMT-4, Dedicated-SMT, ...
	Mode        string   `json:"mode,omitempty"`     // Capped, Uncapped, Donating
	Entitled    *float64 `json:"entitled,omitempty"` // cores
	VirtualCPUs *int     `json:"virtual_cpus,omitempty"`
	Weight      *int     `json:"weight,omitempty"`
}

// Gap is something that a host did not tell, and why.
type Gap struct {
	What string `json:"what"` // command line, or element and attribute
	Why  string `json:"why"`
}
