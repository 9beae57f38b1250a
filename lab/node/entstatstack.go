package node

import (
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
