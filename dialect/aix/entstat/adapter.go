package entstat

import (
	"fmt"
	"time"
)

// Adapter is what Format prints about an adapter. What is nil or empty is not
// printed.
type Adapter struct {
	Head
	Role     Role // of a member; empty: an adapter of its own, or a port of an EtherChannel
	Virtual  *Virtual
	Physical *Physical
	VLAN     *VLAN
	LACP     *LACP
	Channel  *Channel
	Bridge   *Bridge
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

// headCounters are the counters every driver prints, left and right. AIX prints
// 0 for those an adapter does not support.
var headCounters = [][2]string{
	{"Packets", "Packets"}, {"Bytes", "Bytes"}, {"Interrupts", "Interrupts"},
	{"Transmit Errors", "Receive Errors"}, {"Packets Dropped", "Packets Dropped"}, {"", "Bad Packets"},
	{"Max Packets on S/W Transmit Queue", ""}, {"S/W Transmit Queue Overflow", ""}, {"Current S/W+H/W Transmit Queue Length", ""},
	{"Broadcast Packets", "Broadcast Packets"}, {"Multicast Packets", "Multicast Packets"},
	{"No Carrier Sense", "CRC Errors"}, {"DMA Underrun", "DMA Overrun"}, {"Lost CTS Errors", "Alignment Errors"},
	{"Max Collision Errors", "No Resource Errors"}, {"Late Collision Errors", "Receive Collision Errors"},
	{"Deferred", "Packet Too Short Errors"}, {"SQE Test", "Packet Too Long Errors"},
	{"Timeout Errors", "Packets Discarded by Adapter"}, {"Single Collision Count", "Receiver Start Count"},
	{"Multiple Collision Count", ""}, {"Current HW Transmit Queue Length", ""},
}

var generalCounters = []string{"No mbuf Errors", "Adapter Reset Count", "Adapter Data Rate"}

// counterNames are the names of a line's counters; one that has no counter to
// its right is of one column.
func counterNames(pair [2]string) (left, right string) {
	left = pair[0]
	if pair[1] != "" {
		right = string(Receive) + "." + pair[1]
		if left != "" {
			left = string(Transmit) + "." + left
		}
	}
	return left, right
}

// Physical is what the driver of an Ethernet port prints.
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

// VLAN is what an adapter for one VLAN prints.
type VLAN struct {
	Tag  int
	Base string // the adapter below it
}

// FormatElapsed prints a duration as entstat does: "3 days 5 hours 15 minutes
// 41 seconds".
func FormatElapsed(d time.Duration) string {
	n := int64(d / time.Second)
	return fmt.Sprintf("%d days %d hours %d minutes %d seconds", n/86400, n/3600%24, n/60%60, n%60)
}
