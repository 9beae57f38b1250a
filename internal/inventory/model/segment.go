package model

// Serves reports whether a virtual adapter is an SEA's, as its trunk or control channel,
// or can be: it is not a client's. A member of an EtherChannel or a Linux bridge is a client's.
func (h *Host) Serves(el *Element) bool {
	if el.Trunk != nil && *el.Trunk {
		return true
	}
	if over := h.Elements[el.MemberOf]; over != nil {
		return over.Kind == SEA
	}
	return el.MemberOf != "" && h.Platform == VIOS
}

// Segment is a VLAN of a hypervisor switch of a managed system.
type Segment struct {
	System  string `json:"system"`
	VSwitch string `json:"vswitch,omitempty"` // empty on levels that print none
	VLAN    int    `json:"vlan"`
}
