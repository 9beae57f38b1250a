package entstat

import "seaworthy/dialect/labels"

// Channel is what an EtherChannel prints about itself. Nil and empty mean not
// printed.
type Channel struct {
	Adapters      *uint64 // older levels: all
	Primary       *uint64 // newer levels
	Backup        *uint64
	Active        string // primary channel, backup channel
	OperatingMode string // Standard mode, Standard mode (IEEE 802.3ad), Round-robin mode
	HashMode      string // as printed, which is not the attribute's value
	MACSwap       string
	Aggregation   string // 802.3ad: Aggregated, …
	Interval      string // of LACPDUs: Long, Short
}

// Channel is the EtherChannel's own block; nil for other adapters.
func (s *Statistics) Channel() *Channel {
	if s.heading(channelHeading) == nil {
		return nil
	}
	return &Channel{
		Adapters:      s.find("Number of adapters").Count(),
		Primary:       s.find("Number of primary adapters").Count(),
		Backup:        s.find("Number of backup adapters").Count(),
		Active:        s.find("Active channel").String(),
		OperatingMode: s.find("Operating mode").String(),
		HashMode:      s.find("Hash mode").String(),
		MACSwap:       s.find("MAC swap").String(),
		Aggregation:   s.find("Primary Aggregation status", "Aggregation status").String(),
		Interval:      s.find("LACPDU Interval").String(),
	}
}

// LACP is the state of a port in an 802.3ad aggregation, seen from both ends.
type LACP struct {
	Actor, Partner LACPState
}

// LACPState is one end of an aggregated link, in the words printed.
type LACPState struct {
	SystemPriority, System, Key, PortPriority, Port string

	Activity        string // Active, Passive
	Timeout         string // Long, Short
	Aggregation     string // Aggregatable, Individual
	Synchronization string // IN_SYNC, OUT_OF_SYNC
	Collecting      string // Enabled, Disabled
	Distributing    string
	Defaulted       string // True, False
	Expired         string
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
	t := func(label string) string { return labels.Find(under, label).String() }
	return LACPState{
		SystemPriority: s.find(end + " System Priority").String(), System: s.find(end + " System").String(),
		Key: s.find(end + " Operational Key").String(), PortPriority: s.find(end + " Port Priority").String(),
		Port:     s.find(end + " Port").String(),
		Activity: t("LACP activity"), Timeout: t("LACP timeout"), Aggregation: t("Aggregation"), Synchronization: t("Synchronization"),
		Collecting: t("Collecting"), Distributing: t("Distributing"), Defaulted: t("Defaulted"), Expired: t("Expired"),
	}
}
