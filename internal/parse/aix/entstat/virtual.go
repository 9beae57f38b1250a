package entstat

import (
	"strings"

	"seaworthy/internal/parse"
	"seaworthy/internal/parse/labels"
)

// Virtual holds what the l-lan driver prints about a virtual Ethernet adapter.
// Nil and empty mean not printed.
type Virtual struct {
	RQLength *uint64 `from:"RQ Length"` // receive queue, sum of all maximum buffers and one
	Trunk    *bool   // can bridge: belongs to an SEA
	Priority *uint64 // of a trunk; the lowest number goes first
	Active   *bool   // the trunk bridges now
	LANState string  // as printed: Operational, LAN_OPERATIONAL

	SendFailures     *uint64 `from:"Hypervisor Send Failures"`    // frames the hypervisor did not deliver
	ReceiverFailures *uint64 `from:"Receiver Failures"`           // of those: no receiver, or one without buffers
	SendErrors       *uint64 `from:"Send Errors"`                 // of those: other errors
	ReceiveFailures  *uint64 `from:"Hypervisor Receive Failures"` // frames lost for lack of a receive buffer here
	InvalidVLAN      *uint64 `from:"Invalid VLAN ID Packets"`     // frames with a VLAN this adapter may not use

	PVID       *uint64 `from:"Port VLAN ID"`
	VLANs      []int   // tagged; see VLANsKnown
	VLANsKnown bool    // the list, empty or not, is printed and readable
	SwitchID   string  `from:"Switch ID"`   // hypervisor switch: ETHERNET0
	SwitchMode string  `from:"Switch Mode"` // VEB, VEPA

	TransmitBufferSize *uint64 `from:"Buffer Size"` // bytes
	TransmitBuffers    *uint64 `from:"Buffers"`
	TransmitNoBuffers  *uint64 `from:"No Buffers"` // times none was free
	Pools              []Pool  // receive buffers

	BufferMode               string `from:"Buffer Mode"` // Max Min, Min, Max
	PlatformLargeSend        *bool
	PlatformLargeSendPackets *uint64 `from:"Platform Large Send Packets Transmitted"`
	TotalLargeSendPackets    *uint64 `from:"Total Large Send Packets Transmitted"`
	PlatformLargeSendDropped *uint64 `from:"Platform Large Send Packets Dropped"`
}

// Pool is one pool of receive buffers, a column of the table. Counts are
// buffers; nil means not printed.
type Pool struct {
	Name             string  // Tiny, Control, Small, Medium, Large, Huge
	LowMark          *uint64 `from:"Pool low mark"`     // newer levels
	Min              *uint64 `from:"Min Buffers"`       // allocated when the adapter opens
	Max              *uint64 `from:"Max Buffers"`       // limit
	Allocated        *uint64 `from:"Allocated"`         // now
	Registered       *uint64 `from:"Registered"`        // given to the hypervisor now
	MaxAllocated     *uint64 `from:"Max Allocated"`     // highest Allocated since the adapter opened
	LowestRegistered *uint64 `from:"Lowest Registered"` // lowest Registered since then
}

// Virtual is the l-lan block; nil for other drivers and without -d.
func (s *Statistics) Virtual() *Virtual {
	if s.find("LAN State", "Trunk Adapter", "Port VLAN ID", "Buffer Type", "Hypervisor Send Failures", "RQ Length") == nil {
		return nil
	}
	v := &Virtual{Trunk: enabled(s.find("Trunk Adapter").String()), Pools: s.Buffers(), PlatformLargeSend: s.Offload(PlatformLargeSend)}
	labels.Fill(v, func(label string) *Field { return s.find(label) })
	if v.Trunk != nil && *v.Trunk {
		v.Priority = s.find("Priority").Count()
		v.Active = enabled(s.find("Active").String())
	}
	for _, f := range s.Fields {
		if f.Kind == labels.Value && labels.HasPrefix(f.Label, "LAN State") {
			v.LANState = f.String()
		}
	}
	v.VLANs, v.VLANsKnown = s.tagged()
	return v
}

// PVID is a virtual adapter's port VLAN, 1 to 4094; nil if not printed.
func (s *Statistics) PVID() *int {
	n := s.find("Port VLAN ID").Count()
	if n == nil || *n > 4095 {
		return nil
	}
	id := int(*n)
	return &id
}

// tagged are the tagged VLANs. Nil if not printed, empty but not nil for None.
func (s *Statistics) tagged() ([]int, bool) {
	f := s.find("VLAN Tag IDs")
	if f == nil || f.Cut {
		return nil, false
	}
	if strings.EqualFold(f.Text, "None") {
		return []int{}, true
	}
	return ids(f)
}

// ids are the numbers of a list; false if one of them is missing or cannot be
// a VLAN.
func ids(f *Field) ([]int, bool) {
	if f.Cut || len(f.Cells) == 0 && f.Number == nil {
		return nil, false
	}
	var ids []int
	for _, c := range f.Cells {
		if c == nil || *c > 4095 {
			return nil, false
		}
		ids = append(ids, int(*c))
	}
	return ids, true
}

// Buffers are the receive pools of a virtual adapter, in printed order; nil if
// no table is printed. A row with another number of values than the table has
// columns gives none: which pool each belongs to is not known.
func (s *Statistics) Buffers() []Pool {
	var pools []Pool
	for _, f := range s.Fields {
		if f.Kind == labels.Columns && labels.Same(f.Label, "Buffer Type") && !f.Cut {
			if pools != nil {
				break
			}
			for _, name := range f.Items {
				pools = append(pools, Pool{Name: name})
			}
		}
		if f.Kind != labels.Row || len(f.Cells) != len(pools) {
			continue
		}
		for i, n := range f.Cells {
			if place := pools[i].valueOf(f.Label); place != nil && *place == nil {
				*place = n
			}
		}
	}
	return pools
}

// valueOf is where a row's value belongs; nil if it is of no pool.
func (p *Pool) valueOf(label string) **uint64 {
	for row, to := range parse.Tagged(p) {
		if labels.Same(row, label) {
			return to.(**uint64)
		}
	}
	return nil
}

// Count is the value of a row of the table of pools, such as "Min Buffers"; nil if the table does not
// have the row or prints no number there.
func (p *Pool) Count(label string) *uint64 {
	place := p.valueOf(label)
	if place == nil {
		return nil
	}
	return *place
}
