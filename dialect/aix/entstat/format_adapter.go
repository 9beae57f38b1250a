package entstat

import (
	"fmt"
	"strconv"
	"strings"
)

// virtual prints the l-lan driver's block.
func (p *printer) virtual(a *Adapter) {
	v := a.Virtual
	if v == nil {
		return
	}
	p.section(a.DeviceType + " Specific Statistics")
	p.number("", "RQ Length", v.RQLength)
	p.state("", "Trunk Adapter", v.Trunk, "True", "False")
	if v.Trunk != nil && *v.Trunk && v.Priority != nil && v.Active != nil {
		active := "False"
		if *v.Active {
			active = "True"
		}
		p.lines(fmt.Sprintf("  Priority: %d  Active: %s", *v.Priority, active))
	}
	p.text("", "LAN State", v.LANState)
	if v.SendFailures != nil {
		p.lines("")
	}
	p.number("", "Hypervisor Send Failures", v.SendFailures)
	p.number("  ", "Receiver Failures", v.ReceiverFailures)
	p.number("  ", "Send Errors", v.SendErrors)
	p.number("", "Hypervisor Receive Failures", v.ReceiveFailures)
	if v.InvalidVLAN != nil {
		p.lines("")
	}
	p.number("", "Invalid VLAN ID Packets", v.InvalidVLAN)
	if v.PVID != nil {
		p.lines("", fmt.Sprintf("Port VLAN ID: %5d", *v.PVID))
	}
	p.tagged(v)
	p.lines("")
	p.text("", "Switch ID", v.SwitchID)
	p.text("", "Switch Mode", v.SwitchMode)
	if v.TransmitBufferSize != nil || v.TransmitBuffers != nil || v.TransmitNoBuffers != nil {
		p.lines("", table("", "Transmit Information"), table("  ", "Transmit Buffers")+" ")
		p.row("    ", "Buffer Size", v.TransmitBufferSize)
		p.row("    ", "Buffers", v.TransmitBuffers)
		if v.TransmitNoBuffers != nil {
			p.lines(table("    ", "History"))
			p.row("      ", "No Buffers", v.TransmitNoBuffers)
		}
	}
	p.receiveBuffers(v)
}

// table is the heading of a table.
func table(indent, name string) string { return fmt.Sprintf("%-*s", rowLabel, indent+name) }

// tagged prints the tagged VLANs, eight a line.
func (p *printer) tagged(v *Virtual) {
	switch {
	case len(v.VLANs) > 0:
		p.WriteString("VLAN Tag IDs:")
		for i, id := range v.VLANs {
			if i > 0 && i%8 == 0 {
				p.WriteString("\n             ")
			}
			fmt.Fprintf(p, " %5d", id)
		}
		p.lines("")
	case v.VLANsKnown:
		p.lines("VLAN Tag IDs:  None", "")
	}
}

// receiveBuffers prints the table of the pools and the largesend lines, which
// are under the same heading.
func (p *printer) receiveBuffers(v *Virtual) {
	if len(v.Pools) == 0 && v.BufferMode == "" && v.PlatformLargeSend == nil {
		return
	}
	p.lines("", table("", "Receive Information"))
	if len(v.Pools) > 0 {
		line := table("    ", "Buffer Type")
		cells := map[string][]*uint64{}
		for i := range v.Pools {
			line += fmt.Sprintf("%*s", rowCell, v.Pools[i].Name)
			for _, row := range v.Pools[i].rows() {
				cells[row.label] = append(cells[row.label], *row.place)
			}
		}
		p.lines(table("  ", "Receive Buffers")+" ", line)
		for _, label := range []string{"Pool low mark", "Min Buffers", "Max Buffers", "Allocated", "Registered"} {
			p.row("    ", label, cells[label]...)
		}
		if v.Pools[0].MaxAllocated != nil || v.Pools[0].LowestRegistered != nil {
			p.lines(table("    ", "History"))
			p.row("      ", "Max Allocated", cells["Max Allocated"]...)
			p.row("      ", "Lowest Registered", cells["Lowest Registered"]...)
		}
	}
	p.text("  ", "Buffer Mode", v.BufferMode)
	p.state("  ", "Platform Large Send Offload", v.PlatformLargeSend, "Enabled", "Disabled")
	p.number("  ", "Platform Large Send Packets Transmitted", v.PlatformLargeSendPackets)
	p.number("  ", "Total Large Send Packets Transmitted", v.TotalLargeSendPackets)
	p.number("  ", "Platform Large Send Packets Dropped", v.PlatformLargeSendDropped)
}

// physical prints the block of a 10 GbE port's driver.
func (p *printer) physical(a *Adapter) {
	v := a.Physical
	if v == nil {
		return
	}
	p.section(a.DeviceType + " Specific Statistics")
	p.state("", "Link Status", v.LinkUp, "Up", "Down")
	p.text("", "Media Speed Selected", v.MediaSelected)
	if v.SpeedMbit != nil {
		p.text("", "Media Speed Running", formatSpeed(*v.SpeedMbit, v.HalfDuplex))
	} else if v.LinkUp != nil && !*v.LinkUp {
		p.text("", "Media Speed Running", "Unknown")
	}
	onOff := func(label string, state *bool) { p.state("", label, state, "Enabled", "Disabled") }
	onOff("Jumbo Frames", v.JumboFrames)
	onOff("Transmit TCP segmentation offload", v.LargeSend)
	p.number("\t", "Transmit TCP segmentation offload packets transmitted", v.LargeSends)
	onOff("Receive TCP segment aggregation", v.LargeReceive)
	p.number("\t", "Receive TCP segment aggregation large packets created", v.LargeReceives)
	onOff("Transmit checksum offload", v.TransmitChecksum)
	onOff("Receive checksum offload", v.ReceiveChecksum)
	onOff("Transmit and receive flow control status", v.FlowControl)
	p.number("\t", "Number of XOFF packets transmitted", v.XOFFSent)
	p.number("\t", "Number of XON packets transmitted", v.XONSent)
	p.number("\t", "Number of XOFF packets received", v.XOFFReceived)
	p.number("\t", "Number of XON packets received", v.XONReceived)
}

// formatSpeed prints Mbit/s as drivers do: "1000 Mbps Full Duplex", "10 Gbps
// Full Duplex".
func formatSpeed(mbit int64, half bool) string {
	speed, duplex := strconv.FormatInt(mbit, 10)+" Mbps", " Full Duplex"
	if mbit > 1000 && mbit%1000 == 0 {
		speed = strconv.FormatInt(mbit/1000, 10) + " Gbps"
	}
	if half {
		duplex = " Half Duplex"
	}
	return speed + duplex
}

// lacp prints the 802.3ad block of a port. The counters of LACP's packets are
// not part of it.
func (p *printer) lacp(l *LACP) {
	if l == nil {
		return
	}
	p.section("IEEE 802.3ad Port Statistics")
	for i, end := range []struct {
		name string
		LACPState
	}{{"Actor", l.Actor}, {"Partner", l.Partner}} {
		if i > 0 {
			p.lines("")
		}
		p.text("\t", end.name+" System Priority", end.SystemPriority)
		p.text("\t", end.name+" System", end.System)
		p.text("\t", end.name+" Operational Key", end.Key)
		p.text("\t", end.name+" Port Priority", end.PortPriority)
		p.text("\t", end.name+" Port", end.Port)
		p.lines("\t" + end.name + " State: ")
		p.text("\t\t", "LACP activity", end.Activity)
		p.text("\t\t", "LACP timeout", end.Timeout)
		p.text("\t\t", "Aggregation", end.Aggregation)
		p.text("\t\t", "Synchronization", end.Synchronization)
		p.text("\t\t", "Collecting", end.Collecting)
		p.text("\t\t", "Distributing", end.Distributing)
		p.text("\t\t", "Defaulted", end.Defaulted)
		p.text("\t\t", "Expired", end.Expired)
	}
}

// channel prints an EtherChannel's own block.
func (p *printer) channel(a *Adapter) {
	v := a.Channel
	if v == nil {
		return
	}
	title := channelHeading + " " + a.DeviceType + ":"
	p.lines("", rule("=", 61), rule("=", 61), "", title, rule("-", len(title)), "")
	p.number("", "Number of adapters", v.Adapters)
	p.number("", "Number of primary adapters", v.Primary)
	p.number("", "Number of backup adapters", v.Backup)
	p.text("", "Active channel", v.Active)
	p.text("", "Operating mode", v.OperatingMode)
	if v.Aggregation != "" {
		p.lines("IEEE 802.3ad Link Aggregation Statistics:", "Primary Aggregation status: "+v.Aggregation)
		p.text("\t", "LACPDU Interval", v.Interval)
	}
	p.text("", "Hash mode", v.HashMode)
	p.text("", "MAC swap", v.MACSwap)
	if v.Primary != nil {
		p.lines(rule("=", 61), "", strings.Repeat(" ", 21)+"PRIMARY ADAPTERS", "", rule("=", 61))
	}
}

// Format prints the statistics of adapters one after the other, as AIX 7.2 and
// VIOS 3.1 do.
func Format(adapters ...*Adapter) []byte {
	var p printer
	for _, a := range adapters {
		p.lines(rule("-", 61))
		p.adapter(a)
	}
	return p.Bytes()
}

// adapter prints an adapter, and its members below it.
func (p *printer) adapter(a *Adapter) {
	if a.Name != "" {
		p.lines("ETHERNET STATISTICS (" + a.Name + ") :")
	}
	p.head(&a.Head)
	p.virtual(a)
	p.physical(a)
	if a.VLAN != nil {
		p.section("VLAN Statistics")
		p.text("", "VLAN Tag ID", strconv.Itoa(a.VLAN.Tag))
		p.text("", "Base Adapter", a.VLAN.Base)
	}
	p.lacp(a.LACP)
	p.channel(a)
	p.bridge(a)
	for i, m := range a.Members {
		switch m.Role {
		case "":
			p.lines("", rule("-", 61), "")
		case BackupAdapter:
			p.lines("", string(m.Role)+" - "+m.Name+":", rule("=", 61))
		default:
			if i > 0 {
				p.lines("")
			}
			p.lines(rule("-", 62), string(m.Role)+": "+m.Name, "")
		}
		p.adapter(m)
	}
}
