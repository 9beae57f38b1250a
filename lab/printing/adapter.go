package printing

import (
	"time"

	"seaworthy/internal/parse/aix/entstat"
)

// Adapter holds what FormatEntstat prints about an adapter. What is nil or empty is not
// printed.
type Adapter struct {
	Head
	Role     entstat.Role // of a member; empty: an adapter of its own, or a port of an EtherChannel
	Virtual  *entstat.Virtual
	Physical *Physical
	VLAN     *VLAN
	LACP     *entstat.LACP
	Channel  *entstat.Channel
	Bridge   *entstat.Bridge
	Members  []*Adapter // of an SEA or an EtherChannel
}

// Head is the part of the statistics that all adapters print.
type Head struct {
	Name            string // entN or enN; empty prints no heading
	DeviceType      string // "Virtual I/O Ethernet Adapter (l-lan)"
	HardwareAddress string // aa:bb:cc:dd:ee:ff
	Elapsed         *time.Duration
	// Counters are the two-column and the general counters, named as
	// Statistics.Counters names them: "tx.Packets", "rx.No Resource Errors",
	// "S/W Transmit Queue Overflow", "Adapter Data Rate". One that is missing
	// prints no line.
	Counters map[string]uint64
	Flags    []string // driver flags; nil prints no line
}

// Physical holds what the driver of an Ethernet port prints.
type Physical struct {
	LinkUp           *bool
	MediaSelected    string // "Auto negotiation"
	SpeedMbit        *int64 // nil prints Unknown on a link that is down
	HalfDuplex       bool
	JumboFrames      *bool
	LargeSend        *bool   // TCP segmentation offload
	LargeSends       *uint64 // packets that went out through it
	LargeReceive     *bool   // TCP segment aggregation
	LargeReceives    *uint64 // packets it made
	TransmitChecksum *bool
	ReceiveChecksum  *bool
	FlowControl      *bool
	XOFFSent         *uint64 // pause frames
	XONSent          *uint64
	XOFFReceived     *uint64
	XONReceived      *uint64
}

// VLAN holds what an adapter for one VLAN prints.
type VLAN struct {
	Tag  int
	Base string // the adapter below it
}
