package inventory

// Ref names an element in a fleet.
type Ref struct {
	Host    string `json:"host"`
	Element string `json:"element"`
}

func (r Ref) String() string { return r.Host + ":" + r.Element }

// Fleet is a set of hosts taken together.
type Fleet struct {
	Hosts []*Host `json:"hosts"`
	HMCs  []*HMC  `json:"hmcs,omitempty"`
}

// Path is the ordered way from one interface to another. Where it leaves what
// the hosts can see (a hypervisor switch, an Ethernet switch) the hop has no
// Ref but says what is there.
type Path struct {
	From Ref   `json:"from"`
	To   Ref   `json:"to"`
	Hops []Hop `json:"hops"`
	Gaps []Gap `json:"gaps,omitempty"` // joins that could not be proved
}

// Hop is one element of a path.
type Hop struct {
	Ref  *Ref   `json:"ref,omitempty"`
	Kind string `json:"kind"`           // a Kind, or "hypervisor-switch", "ethernet-switch"
	Note string `json:"note,omitempty"` // how it was joined: "VLAN 1 on ETHERNET0", "not visible from any host"
}
