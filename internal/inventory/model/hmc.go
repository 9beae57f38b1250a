package model

import "fmt"

// HMC holds what an HMC said of the managed systems it looks after. It knows
// what hosts do not show: the port VLAN of a Linux partition's adapter, the
// hypervisor switch on old levels, and the partitions that were not read.
type HMC struct {
	Name     string           `json:"name"`
	Adapters []AdapterProfile `json:"adapters,omitempty"`
	// Whole are the lists that hold every virtual Ethernet adapter of their
	// managed system, by the command that printed them.
	Whole map[int]string `json:"whole,omitempty"`
	Gaps  []Gap          `json:"gaps,omitempty"`
	// Shares hold what partitions have of the processors.
	Shares []ProcessorShare `json:"shares,omitempty"`
	// Ports are the physical ports of SR-IOV adapters.
	Ports []SRIOVPort `json:"ports,omitempty"`
}

// ProcessorShare holds what an HMC says of a partition's processors: its type, mode,
// entitlement, virtual processors and weight.
type ProcessorShare struct {
	List      int       `json:"list"` // as AdapterProfile's
	System    string    `json:"system,omitempty"`
	Partition Partition `json:"partition"`
	From      Origin    `json:"from"`
}

// SRIOVPort is a physical port of an SR-IOV adapter. Nil: not said.
type SRIOVPort struct {
	System  string `json:"system"`
	Port    string `json:"port"` // the HMC's ids of adapter and port, 1/0; 1/ is all ports of the adapter
	Works   *bool  `json:"works,omitempty"`
	SpeedMb *int64 `json:"speed_mbit,omitempty"`
	From    Origin `json:"from"`
}

// AdapterProfile is an adapter that an HMC gave a partition. Nil and empty: not said.
type AdapterProfile struct {
	Kind    Kind   `json:"kind"` // Virtual, VNIC, or Physical: an SR-IOV logical port
	List    int    `json:"list"` // the output it is listed in; one output is about one managed system
	System  string `json:"system,omitempty"`
	LPAR    string `json:"lpar"`
	LPARID  *int   `json:"lpar_id,omitempty"`
	Slot    *int   `json:"slot,omitempty"`
	MAC     string `json:"mac,omitempty"`
	PVID    *int   `json:"pvid,omitempty"`
	VLANs   []int  `json:"vlans,omitempty"`
	VSwitch string `json:"vswitch,omitempty"`
	Trunk   *bool  `json:"trunk,omitempty"`
	// Location is that of an SR-IOV logical port.
	Location string `json:"location,omitempty"`
	// PhysicalPort is the physical port of a logical one: the HMC's ids of adapter and port, 1/0; empty: not printed.
	PhysicalPort string `json:"physical_port,omitempty"`
	// LogicalPort is the HMC's id of an SR-IOV logical port.
	LogicalPort string `json:"logical_port,omitempty"`
	// What the HMC lists of that physical port, or of the one that carries a vNIC now; nil: it does not.
	LinkUp  *bool  `json:"link_up,omitempty"`
	SpeedMb *int64 `json:"speed_mbit,omitempty"`
	VNICFacts
	PortShare
	// Runs is the system in the partition, as far as the HMC knows it: empty if not.
	Runs Platform `json:"runs,omitempty"`
	From Origin   `json:"from"`

	// Is is the adapter of a host that was read, once it is found.
	Is *Ref `json:"is,omitempty"`
}

// name is used for the device name, which the HMC does not know.
func (a *AdapterProfile) name() string {
	if a.Slot == nil {
		return "adapter " + a.MAC
	}
	return fmt.Sprintf("slot %d", *a.Slot)
}

// element is the adapter as far as the HMC knows it.
func (a *AdapterProfile) Element() *Element {
	virtual := VirtualFacts{PVID: a.PVID, VLANs: a.VLANs, VSwitch: a.VSwitch, Trunk: a.Trunk}
	return &Element{Name: a.name(), Kind: a.Kind, MAC: a.MAC, VirtualFacts: virtual}
}

// Unread lists the adapters, not those of VIOSes' trunks, whose partition was
// not read: clients that a change to an SEA touches all the same. Each comes
// with a substitute for its host, fit for Bridging.Of.
func (f *Fleet) Unread() []Unread {
	var out []Unread
	for _, c := range f.HMCs {
		for i := range c.Adapters {
			a := &c.Adapters[i]
			if a.Is != nil || a.Kind != Virtual || a.Trunk == nil || *a.Trunk {
				continue
			}
			h := &Host{Name: a.LPAR, Platform: a.Runs, MachineID: a.System, Partition: Partition{Name: a.LPAR, Number: a.LPARID}}
			out = append(out, Unread{Host: h, Adapter: a.Element(), HMC: c.Name})
		}
	}
	return out
}

// Unread is an adapter of a partition known only from an HMC.
type Unread struct {
	Host    *Host
	Adapter *Element // its name is the slot: "slot 2"
	HMC     string
}
