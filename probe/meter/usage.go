package meter

// Usage is the CPU a scope used over an interval. All parts are in cores:
// CPU-seconds per second.
type Usage struct {
	Scope   string  `json:"scope,omitempty"` // boot id of the kernel or id of the partition; empty: unknown
	Source  string  `json:"source"`          // /proc/stat, lparstat
	Seconds float64 `json:"seconds"`         // length of the interval as the meter saw it
	Cores   float64 `json:"cores"`           // busy: everything but idle, waiting for I/O and stolen
	CPUs    int     `json:"cpus,omitempty"`  // logical CPUs

	User    *float64 `json:"user,omitempty"` // with nice; on Linux without Guest
	System  *float64 `json:"system,omitempty"`
	IRQ     *float64 `json:"irq,omitempty"`
	SoftIRQ *float64 `json:"softirq,omitempty"`
	Steal   *float64 `json:"steal,omitempty"` // wanted but given to others by the hypervisor; not in Cores
	Guest   *float64 `json:"guest,omitempty"` // ran virtual machines; in Cores

	Entitled *float64 `json:"entitled_percent,omitempty"` // AIX: %entc

	// Own is the host's own part of the scope, where it has an account of its
	// own: a container's control group on a kernel that others use too.
	Own *Own `json:"own,omitempty"`
}

// Own is what a host used of a kernel that it may share, in cores.
type Own struct {
	Source  string  `json:"source"`
	Seconds float64 `json:"seconds"`
	Cores   float64 `json:"cores"`
	User    float64 `json:"user"`
	System  float64 `json:"system"` // with what the kernel did for its devices, if that is accounted to it
}

// SelfUsage is the CPU a process used over an interval, in cores.
type SelfUsage struct {
	User   float64 `json:"user"`
	System float64 `json:"system"`
}

// Meter measures one interval.
type Meter interface {
	// End closes the interval and gives the usage since the meter was started.
	End() (*Usage, error)
}

// Running is a Meter that can be read before the interval ends: lparstat cannot.
type Running interface {
	SoFar() (*Usage, error)
}
