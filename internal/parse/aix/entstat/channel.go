package entstat

import (
	"cmp"

	"seaworthy/internal/parse/labels"
)

// Channel holds what an EtherChannel prints about itself. Nil and empty mean not
// printed.
type Channel struct {
	Adapters      *uint64 `from:"Number of adapters"`         // older levels: all
	Primary       *uint64 `from:"Number of primary adapters"` // newer levels
	Backup        *uint64 `from:"Number of backup adapters"`
	Active        string  `from:"Active channel"` // primary channel, backup channel
	OperatingMode string  `from:"Operating mode"` // Standard mode, Standard mode (IEEE 802.3ad), Round-robin mode
	HashMode      string  `from:"Hash mode"`      // as printed, which is not the attribute's value
	MACSwap       string  `from:"MAC swap"`
	Aggregation   string  `from:"Primary Aggregation status"` // 802.3ad: Aggregated, …
	Interval      string  `from:"LACPDU Interval"`            // of LACPDUs: Long, Short
}

// Channel is the EtherChannel's own block; nil for other adapters.
func (s *Statistics) Channel() *Channel {
	if s.heading(channelHeading) == nil {
		return nil
	}
	c := &Channel{}
	labels.Fill(c, func(label string) *Field { return s.find(label) })
	if c.Aggregation == "" {
		c.Aggregation = s.find("Aggregation status").String()
	}
	return c
}

// LACP is the state of a port in an 802.3ad aggregation, seen from both ends.
type LACP struct {
	Actor, Partner LACPState
}

// LACPState is one end of an aggregated link, in the words printed.
type LACPState struct {
	SystemPriority string `from:"System Priority"`
	System         string `from:"System"`
	Key            string `from:"Operational Key"`
	PortPriority   string `from:"Port Priority"`
	Port           string `from:"Port"`

	Activity        string `from:"LACP activity"`   // Active, Passive
	Timeout         string `from:"LACP timeout"`    // Long, Short
	Aggregation     string `from:"Aggregation"`     // Aggregatable, Individual
	Synchronization string `from:"Synchronization"` // IN_SYNC, OUT_OF_SYNC
	Collecting      string `from:"Collecting"`      // Enabled, Disabled
	Distributing    string `from:"Distributing"`
	Defaulted       string `from:"Defaulted"` // True, False
	Expired         string `from:"Expired"`
}

// LACP is the 802.3ad block of a member; nil if it prints none.
func (s *Statistics) LACP() *LACP {
	if s.find("Actor System") == nil && s.find("Partner System") == nil {
		return nil
	}
	return &LACP{Actor: s.lacpState("Actor"), Partner: s.lacpState("Partner")}
}

func (s *Statistics) lacpState(end string) LACPState {
	var under []*Field
	for _, f := range s.Fields {
		if f.Kind == labels.Value && labels.HasSuffix(f.Section, end+" State") {
			under = append(under, f)
		}
	}
	var state LACPState
	labels.Fill(&state, func(label string) *Field { return cmp.Or(labels.Find(under, label), s.find(end+" "+label)) })
	return state
}
