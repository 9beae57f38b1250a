package entstat

import (
	"fmt"
	"strings"
)

// The counters of an SEA by side, in printed order.
var (
	sideCounters = []string{"Packets received", "Packets bridged", "Packets consumed", "Packets fragmented",
		"Packets transmitted", "Packets dropped", "Packets dropped(VlanId)", "Packets dropped(Reserved address)"}
	otherCounters = []string{"Output packets generated", "Output packets dropped", "Device output failures",
		"Memory allocation failures", "ICMP error packets sent", "Non IP packets larger than MTU", "Thread queue overflow packets"}
)

// bridge prints the SEA's own block.
func (p *printer) bridge(a *Adapter) {
	v := a.Bridge
	if v == nil {
		return
	}
	p.lines("", rule("-", 62), sharedHeading+" Shared Ethernet Adapter "+a.Name, rule("-", 62))
	p.number("", "Number of adapters", v.Adapters)
	if v.FlagWord != "" || v.Flags != nil {
		p.lines("SEA Flags: " + v.FlagWord)
		for _, f := range v.Flags {
			p.lines("    < " + f + " >")
		}
	}
	if v.VLANs != nil {
		p.lines("VLAN Ids :")
		for _, trunk := range v.VLANs {
			p.text("    ", trunk.Adapter, words(trunk.IDs))
		}
	}
	p.counters("Real Side Statistics", sideCounters, v.Real)
	p.counters("Virtual Side Statistics", sideCounters, v.Virtual)
	p.counters("Other Statistics", otherCounters, v.Other)
	if v.HA != nil {
		p.failover(v.HA)
	}
}

// words are numbers with blanks between them.
func words(n []int) string { return strings.Trim(fmt.Sprint(n), "[]") }

// counters prints the counters that are given.
func (p *printer) counters(heading string, order []string, values map[string]uint64) {
	if values == nil {
		return
	}
	p.lines(heading + ":")
	for _, label := range order {
		if n, ok := values[label]; ok {
			p.number("    ", label, &n)
		}
	}
}

func (p *printer) failover(h *HA) {
	const indent = "    "
	p.lines("High Availability Statistics:")
	p.number(indent, "Control Channel PVID", h.ControlPVID)
	p.number(indent, "Control Packets in", h.ControlIn)
	p.number(indent, "Control Packets out", h.ControlOut)
	p.lines("Type of Packets Received:")
	p.number(indent, "Keep-Alive Packets", h.KeepAlive)
	p.number(indent, "Recovery Packets", h.Recovery)
	p.number(indent, "Notify Packets", h.Notify)
	p.number(indent, "Limbo Packets", h.Limbo)
	p.text(indent, "State", h.State)
	p.text(indent, "Bridge Mode", h.BridgeMode)
	p.text(indent, "VID shared", words(h.Shared))
	p.number(indent, "Number of Times Server became Backup", h.BecameBackup)
	p.number(indent, "Number of Times Server became Primary", h.BecamePrimary)
	p.number(indent, "Number of Times Server became Flipflop", h.BecameFlipflop)
	p.text(indent, "High Availability Mode", h.Mode)
	p.number(indent, "Priority", h.Priority)
}
