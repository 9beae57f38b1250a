package node

import (
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
func (b *statBuilder) highAvailability() *entstat.HA {
	f, primary, backup := b.w.failover(b.node, b.a.Name)
	if f.Mode == "disabled" || f.Mode == "" {
		return nil
	}
	h := &entstat.HA{State: f.State, BridgeMode: f.BridgeMode, Mode: strings.ToUpper(f.Mode[:1]) + f.Mode[1:],
		Priority: count(f.Priority), BecameBackup: &backup, BecamePrimary: &primary}
	if _, n := b.w.node(b.node); b.a.Control != "" {
		h.ControlPVID = count(n.Adapter(b.a.Control).PVID)
	}
	if strings.HasSuffix(f.State, "_SH") {
		h.Shared = b.shared(f)
	}
	return h
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
	v := &entstat.Channel{Primary: &primary, Backup: &standing, Active: "primary channel",
		OperatingMode: "Standard mode", HashMode: hashNames[b.running("hash_mode")]}
	if backup {
		v.Active = "backup channel"
	}
	switch b.running("mode") {
	case "round_robin":
		v.OperatingMode = "Round-robin mode"
	case "8023ad":
		v.OperatingMode, v.Aggregation = "Standard mode (IEEE 802.3ad)", lacp.Status
	}
	b.s.Channel = v
	for _, m := range b.a.Holds() {
		role := entstat.Role("")
		if m == b.a.Backup {
			role = entstat.BackupAdapter
		}
		s, err := b.member(role, m)
		if err != nil {
			return err
		}
		if p, member := lacp.Ports[m]; member && v.Aggregation != "" {
			s.LACP = b.lacp(m, p)
		}
	}
	return nil
}
