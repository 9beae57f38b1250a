package model

// Path is the ordered way from one interface to another. Where it leaves what
// the hosts can see (a hypervisor switch, an Ethernet switch) the hop has no
// Ref but says what is there.
type Path struct {
	From Ref   `json:"from"`
	To   Ref   `json:"to"`
	Hops []Hop `json:"hops"`
	Gaps []Gap `json:"gaps,omitempty"` // joins that could not be proved
}

// Kinds of hops that no host owns.
const (
	HypervisorSwitch = "hypervisor-switch"
	EthernetSwitch   = "ethernet-switch"
)

// Hop is one element of a path.
type Hop struct {
	Ref  *Ref   `json:"ref,omitempty"`
	Kind string `json:"kind"`           // a Kind, or HypervisorSwitch, EthernetSwitch
	Note string `json:"note,omitempty"` // how it was joined: "VLAN 1 on ETHERNET0", "not visible from any host"
}
