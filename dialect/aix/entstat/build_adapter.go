package entstat

import (
	"strconv"
	"strings"
)

// AddVirtual adds the l-lan driver's block.
func (s *Statistics) AddVirtual(v Virtual) {
	b := builder{s: s}
	b.major(s.DeviceType() + " Specific Statistics")
	b.number("RQ Length", v.RQLength)
	b.state("Trunk Adapter", v.Trunk, "True", "False")
	if v.Trunk != nil && *v.Trunk {
		b.level = 1
		b.number("Priority", v.Priority)
		b.state("Active", v.Active, "True", "False")
		b.level = 0
	}
	b.text("LAN State", v.LANState)
	b.number("Hypervisor Send Failures", v.SendFailures)
	b.level = 1
	b.number("Receiver Failures", v.ReceiverFailures)
	b.number("Send Errors", v.SendErrors)
	b.level = 0
	b.number("Hypervisor Receive Failures", v.ReceiveFailures)
	b.number("Invalid VLAN ID Packets", v.InvalidVLAN)
	b.number("Port VLAN ID", v.PVID)
	if v.VLANsKnown || len(v.VLANs) > 0 {
		f := b.add(List, "VLAN Tag IDs")
		for _, id := range v.VLANs {
			n := uint64(id)
			f.Cells = append(f.Cells, &n)
		}
		if len(v.VLANs) == 0 {
			f.Text = "None"
		}
	}
	b.text("Switch ID", v.SwitchID)
	b.text("Switch Mode", v.SwitchMode)
	b.transmitBuffers(v)
	b.receiveBuffers(v)
}

func (b *builder) transmitBuffers(v Virtual) {
	if v.TransmitBufferSize == nil && v.TransmitBuffers == nil && v.TransmitNoBuffers == nil {
		return
	}
	b.minor(0, "Transmit Information")
	b.minor(1, "Transmit Information", "Transmit Buffers")
	b.row("Buffer Size", v.TransmitBufferSize)
	b.row("Buffers", v.TransmitBuffers)
	if v.TransmitNoBuffers != nil {
		b.minor(2, "Transmit Information", "Transmit Buffers", "History")
		b.row("No Buffers", v.TransmitNoBuffers)
	}
}

// receiveBuffers adds the table of the pools and the largesend lines, which
// stand under the same heading.
func (b *builder) receiveBuffers(v Virtual) {
	last := v.BufferMode != "" || v.PlatformLargeSend != nil || v.PlatformLargeSendPackets != nil ||
		v.TotalLargeSendPackets != nil || v.PlatformLargeSendDropped != nil
	if len(v.Pools) == 0 && !last {
		return
	}
	b.minor(0, "Receive Information")
	top := b.section
	if len(v.Pools) > 0 {
		b.minor(1, "Receive Information", "Receive Buffers")
		columns := b.add(Columns, "Buffer Type")
		cells := map[string][]*uint64{}
		rows := []string{"Pool low mark", "Min Buffers", "Max Buffers", "Allocated", "Registered", "Max Allocated", "Lowest Registered"}
		for i := range v.Pools {
			columns.Items = append(columns.Items, v.Pools[i].Name)
			for _, row := range rows {
				cells[row] = append(cells[row], *v.Pools[i].place(row))
			}
		}
		for _, row := range rows[:5] {
			b.row(row, cells[row]...)
		}
		if anyOf(cells[rows[5]]) || anyOf(cells[rows[6]]) {
			b.minor(2, "Receive Information", "Receive Buffers", "History")
			b.row(rows[5], cells[rows[5]]...)
			b.row(rows[6], cells[rows[6]]...)
		}
	}
	b.section, b.level = top, 1
	b.text("Buffer Mode", v.BufferMode)
	b.state("Platform Large Send Offload", v.PlatformLargeSend, "Enabled", "Disabled")
	b.number("Platform Large Send Packets Transmitted", v.PlatformLargeSendPackets)
	b.number("Total Large Send Packets Transmitted", v.TotalLargeSendPackets)
	b.number("Platform Large Send Packets Dropped", v.PlatformLargeSendDropped)
}

func anyOf(cells []*uint64) bool {
	for _, c := range cells {
		if c != nil {
			return true
		}
	}
	return false
}

// Physical is what the driver of an Ethernet port prints. Nil and empty print
// no line.
type Physical struct {
	LinkUp        *bool
	MediaSelected string // "Auto negotiation"
	SpeedMbit     *int64
	HalfDuplex    bool
	JumboFrames   *bool
	LargeSend     *bool   // TCP segmentation offload
	LargeSends    *uint64 // packets that went out through it
	LargeReceive  *bool   // TCP segment aggregation
	LargeReceives *uint64 // packets it made
	FlowControl   *bool
	XOFFSent      *uint64 // pause frames
	XONSent       *uint64
	XOFFReceived  *uint64
	XONReceived   *uint64
}

// AddPhysical adds the block of a 10 GbE port's driver.
func (s *Statistics) AddPhysical(p Physical) {
	b := builder{s: s}
	b.major(s.DeviceType() + " Specific Statistics")
	b.state("Link Status", p.LinkUp, "Up", "Down")
	b.text("Media Speed Selected", p.MediaSelected)
	if p.SpeedMbit != nil {
		b.text("Media Speed Running", formatSpeed(*p.SpeedMbit, p.HalfDuplex))
	}
	b.state("Jumbo Frames", p.JumboFrames, "Enabled", "Disabled")
	b.state("Transmit TCP segmentation offload", p.LargeSend, "Enabled", "Disabled")
	b.level = 1
	b.number("Transmit TCP segmentation offload packets transmitted", p.LargeSends)
	b.level = 0
	b.state("Receive TCP segment aggregation", p.LargeReceive, "Enabled", "Disabled")
	b.level = 1
	b.number("Receive TCP segment aggregation large packets created", p.LargeReceives)
	b.level = 0
	b.state("Transmit and receive flow control status", p.FlowControl, "Enabled", "Disabled")
	b.level = 1
	b.number("Number of XOFF packets transmitted", p.XOFFSent)
	b.number("Number of XON packets transmitted", p.XONSent)
	b.number("Number of XOFF packets received", p.XOFFReceived)
	b.number("Number of XON packets received", p.XONReceived)
}

// formatSpeed prints Mbit/s as drivers do: "1000 Mbps Full Duplex", "10 Gbps
// Full Duplex".
func formatSpeed(mbit int64, half bool) string {
	var t strings.Builder
	if mbit > 1000 && mbit%1000 == 0 {
		t.WriteString(strconv.FormatInt(mbit/1000, 10) + " Gbps")
	} else {
		t.WriteString(strconv.FormatInt(mbit, 10) + " Mbps")
	}
	if half {
		t.WriteString(" Half Duplex")
	} else {
		t.WriteString(" Full Duplex")
	}
	return t.String()
}
