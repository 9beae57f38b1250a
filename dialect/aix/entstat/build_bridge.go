package entstat

import (
	"fmt"
	"sort"
	"strings"
)

// The counters of an SEA by side, in printed order.
var (
	sideCounters = []string{"Packets received", "Packets bridged", "Packets consumed", "Packets fragmented",
		"Packets transmitted", "Packets dropped", "Packets dropped(VlanId)", "Packets dropped(Reserved address)"}
	otherCounters = []string{"Output packets generated", "Output packets dropped", "Device output failures",
		"Memory allocation failures", "ICMP error packets sent", "Non IP packets larger than MTU", "Thread queue overflow packets"}
)

// AddBridge adds the SEA's own block; its adapters follow with AddMember.
func (s *Statistics) AddBridge(v Bridge) {
	b := builder{s: s}
	b.major("Statistics for adapters in the Shared Ethernet Adapter").Text = s.Name
	b.number("Number of adapters", v.Adapters)
	if v.FlagWord != "" || v.Flags != nil {
		f := b.add(List, "SEA Flags")
		f.Text, f.Items = v.FlagWord, v.Flags
	}
	if v.VLANs != nil {
		b.minor(0, "VLAN Ids")
		for _, trunk := range v.VLANs {
			f := b.add(List, trunk.Adapter)
			for _, id := range trunk.IDs {
				n := uint64(id)
				f.Cells = append(f.Cells, &n)
			}
		}
	}
	b.counters("Real Side Statistics", sideCounters, v.Real)
	b.counters("Virtual Side Statistics", sideCounters, v.Virtual)
	b.counters("Other Statistics", otherCounters, v.Other)
	if v.HA != nil {
		b.failover(v.HA)
	}
}

// counters adds the counters that are given, the known ones in printed order.
func (b *builder) counters(heading string, order []string, values map[string]uint64) {
	if values == nil {
		return
	}
	b.minor(0, heading)
	known := map[string]bool{}
	for _, label := range order {
		known[label] = true
		if n, ok := values[label]; ok {
			b.number(label, &n)
		}
	}
	var more []string
	for label := range values {
		if !known[label] {
			more = append(more, label)
		}
	}
	sort.Strings(more)
	for _, label := range more {
		n := values[label]
		b.number(label, &n)
	}
}

func (b *builder) failover(h *HA) {
	b.minor(0, "High Availability Statistics")
	b.number("Control Channel PVID", h.ControlPVID)
	b.number("Control Packets in", h.ControlIn)
	b.number("Control Packets out", h.ControlOut)
	b.minor(0, "Type of Packets Received")
	b.number("Keep-Alive Packets", h.KeepAlive)
	b.number("Recovery Packets", h.Recovery)
	b.number("Notify Packets", h.Notify)
	b.number("Limbo Packets", h.Limbo)
	b.text("State", h.State)
	b.text("Bridge Mode", h.BridgeMode)
	if len(h.Shared) > 0 {
		b.text("VID shared", strings.Trim(fmt.Sprint(h.Shared), "[]"))
	}
	b.number("Number of Times Server became Backup", h.BecameBackup)
	b.number("Number of Times Server became Primary", h.BecamePrimary)
	b.number("Number of Times Server became Flipflop", h.BecameFlipflop)
	b.text("High Availability Mode", h.Mode)
	b.number("Priority", h.Priority)
}

// AddChannel adds the EtherChannel's own block; its adapters follow with
// AddMember, without a role. Name is EtherChannel or IEEE 802.3ad Link
// Aggregation.
func (s *Statistics) AddChannel(name string, v Channel) {
	b := builder{s: s}
	b.major("Statistics for every adapter in the " + name)
	b.number("Number of adapters", v.Adapters)
	b.number("Number of primary adapters", v.Primary)
	b.number("Number of backup adapters", v.Backup)
	b.text("Active channel", v.Active)
	b.text("Operating mode", v.OperatingMode)
	if v.Aggregation != "" {
		b.minor(0, "IEEE 802.3ad Link Aggregation Statistics")
		b.level = 0
		b.text("Primary Aggregation status", v.Aggregation)
		b.level = 1
		b.text("LACPDU Interval", v.Interval)
		b.level = 0
	}
	b.text("Hash mode", v.HashMode)
	b.text("MAC swap", v.MACSwap)
	if v.Primary != nil {
		b.minor(0, "PRIMARY ADAPTERS")
	}
}
