package node

import (
	"fmt"
	"slices"
	"strings"

	"seaworthy/dialect/aix/entstat"
	"seaworthy/lab/effect"
	"seaworthy/lab/topology"
)

// deviceType is what drivers call themselves: an EtherChannel by its mode.
func (b *statBuilder) deviceType() string {
	switch {
	case b.a.Kind != topology.Channel:
		return b.d.Description
	case b.running("mode") == "8023ad":
		return "IEEE 802.3ad Link Aggregation"
	}
	return "EtherChannel"
}

// highAvailability is the SEA's part in its pair. Packets on the control
// channel are not printed: a lab's SEAs know of each other without them.
func (b *statBuilder) highAvailability(own string) {
	f, primary, backup := b.w.failover(b.node, b.a.Name)
	if f.Mode == "disabled" || f.Mode == "" {
		return
	}
	b.heading(own, "High Availability Statistics", 0)
	if _, n := b.w.node(b.node); b.a.Control != "" {
		b.number(1, "Control Channel PVID", uint64(n.Adapter(b.a.Control).PVID))
	}
	text := func(label, v string) { b.add(&entstat.Field{Level: 1, Label: label, Text: v}) }
	text("State", f.State)
	text("Bridge Mode", f.BridgeMode)
	if strings.HasSuffix(f.State, "_SH") {
		text("VID shared", strings.Trim(fmt.Sprint(b.shared(f)), "[]"))
	}
	b.number(1, "Number of Times Server became Backup", backup)
	b.number(1, "Number of Times Server became Primary", primary)
	text("High Availability Mode", strings.ToUpper(f.Mode[:1])+f.Mode[1:])
	b.number(1, "Priority", uint64(f.Priority))
	b.section = own
}

// shared are the VLANs that an SEA bridges of those it shares with its pair.
func (b *statBuilder) shared(f effect.Failover) []int {
	_, n := b.w.node(b.node)
	vlans := []int{}
	for _, t := range b.a.Trunks {
		if f.Active[t] {
			vlans = append(vlans, n.Adapter(t).Carries()...)
		}
	}
	slices.Sort(vlans)
	return vlans
}

var hashNames = map[string]string{
	"default": "Destination IP address", "src_port": "Source TCP/UDP port",
	"dst_port": "Destination TCP/UDP port", "src_dst_port": "Source and destination TCP/UDP ports",
}

// channel is the EtherChannel's own part and its ports.
func (b *statBuilder) channel() error {
	b.w.changing.Lock()
	_, backup := effect.Live(b.w.Plan(), b.w.look(), b.node, b.a.Name)
	lacp := effect.LACP(b.w.Plan(), b.w.look(), b.node, b.a.Name)
	b.w.changing.Unlock()
	primary, standing := uint64(len(b.a.Members)), uint64(0)
	if b.a.Backup != "" {
		standing = 1
	}
	v := entstat.Channel{Primary: &primary, Backup: &standing, Active: "primary channel", OperatingMode: "Standard mode", HashMode: hashNames[b.running("hash_mode")]}
	if backup {
		v.Active = "backup channel"
	}
	switch b.running("mode") {
	case "round_robin":
		v.OperatingMode = "Round-robin mode"
	case "8023ad":
		v.OperatingMode, v.Aggregation = "Standard mode (IEEE 802.3ad)", lacp.Status
	}
	b.s.AddChannel(b.deviceType(), v)
	for _, m := range b.a.Holds() {
		s, err := b.w.statistics(b.node, m, true)
		if err != nil {
			return fmt.Errorf("%s: %w", m, err)
		}
		if p, member := lacp.Ports[m]; member && v.Aggregation != "" {
			s.AddLACP(b.lacp(m, p))
		}
		role := entstat.Role("")
		if m == b.a.Backup {
			role = entstat.BackupAdapter
		}
		b.s.AddMember(role, s)
	}
	return nil
}
