package commands

import (
	"fmt"
	"slices"
	"strings"

	"seaworthy/internal/parse/aix/entstat"
	"seaworthy/lab/effect"
	"seaworthy/lab/printing"
)

var hashNames = map[string]string{
	"default": "Destination IP address", "src_port": "Source TCP/UDP port",
	"dst_port": "Destination TCP/UDP port", "src_dst_port": "Source and destination TCP/UDP ports",
}

// channel is the EtherChannel's own part and its ports.
func (b *adapterStatistics) channel() error {
	backup, lacp := b.sim.Redundancy().Channel(b.n.Name, b.a.Name)
	ports := uint64(len(b.a.Members))
	v := &entstat.Channel{Primary: &ports, Backup: new(uint64(len(b.a.Holds())) - ports), Active: "primary channel",
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

// switchSystem is the address by which the lab's Ethernet switch speaks LACP.
// Managed systems count from one in the same byte, so that none has it.
const switchSystem = "32-43-00-00-00-01"

// lacp is the 802.3ad block of a member. A partner that does not answer is all
// zeros, as on AIX.
func (b *adapterStatistics) lacp(member string, p effect.Port) *entstat.LACP {
	var id int
	fmt.Sscanf(member, "ent%d", &id)
	state := func(in bool) entstat.LACPState {
		s := entstat.LACPState{Activity: "Active", Timeout: "Long", Aggregation: "Aggregatable",
			Synchronization: "OUT_OF_SYNC", Collecting: "Disabled", Distributing: "Disabled", Defaulted: "False", Expired: "False"}
		if b.running("interval") == "short" {
			s.Timeout = "Short"
		}
		if in {
			s.Synchronization, s.Collecting, s.Distributing = "IN_SYNC", "Enabled", "Enabled"
		}
		return s
	}
	actor, partner := state(p.InStep), state(p.InStep)
	actor.SystemPriority, actor.System = "0x8000", strings.ToUpper(strings.ReplaceAll(b.a.MAC, ":", "-"))
	actor.Key, actor.PortPriority, actor.Port = "0xBEEF", "0x0080", fmt.Sprintf("0x%04X", id+1)
	partner.SystemPriority, partner.System = "0x0000", "00-00-00-00-00-00"
	partner.Key, partner.PortPriority, partner.Port = "0x0000", "0x0000", "0x0000"
	if p.Partner {
		partner.System, partner.Key, partner.Port = switchSystem, fmt.Sprintf("0x%04X", p.Key), fmt.Sprintf("0x%04X", p.Number)
	} else {
		actor.Defaulted, partner.Activity, partner.Aggregation = "True", "Passive", "Individual"
	}
	return &entstat.LACP{Actor: actor, Partner: partner}
}

// sea is the SEA's own part and the adapters in it, each with its own counters.
func (b *adapterStatistics) sea() error {
	v := &entstat.Bridge{Adapters: new(uint64(1 + len(b.a.Trunks))), Flags: []string{}, VLANs: []entstat.TrunkVLANs{}}
	for _, attr := range []string{"thread", "largesend", "jumbo_frames", "gvrp", "large_receive", "accounting"} {
		if slices.Contains([]string{"1", "yes", "enabled"}, b.running(attr)) {
			v.Flags = append(v.Flags, strings.ToUpper(attr))
		}
	}
	if len(v.Flags) == 0 {
		v.FlagWord = "00000000" // without it nobody knows that there are none
	}
	for _, t := range b.a.Trunks {
		v.VLANs = append(v.VLANs, entstat.TrunkVLANs{Adapter: t, IDs: b.n.Adapter(t).Carries()})
	}
	var err error
	if v.Real, err = b.side(b.a.Real); err != nil {
		return err
	}
	if v.Virtual, err = b.side(b.a.Trunks...); err != nil {
		return err
	}
	v.HA = b.highAvailability()
	b.s.Bridge = v
	for i, m := range append([]string{b.a.Real}, b.a.Trunks...) {
		role := entstat.VirtualAdapter
		if i == 0 {
			role = entstat.RealAdapter
		}
		if _, err := b.member(role, m); err != nil {
			return err
		}
	}
	return nil
}

// highAvailability is the SEA's part in its pair. Packets on the control
// channel are not printed: a lab's SEAs know of each other without them.
func (b *adapterStatistics) highAvailability() *entstat.HA {
	f, primary, backup := b.sim.Redundancy().SEA(b.n.Name, b.a.Name)
	if f.Mode == "disabled" || f.Mode == "" {
		return nil
	}
	h := &entstat.HA{State: f.State, BridgeMode: f.BridgeMode, Mode: strings.ToUpper(f.Mode[:1]) + f.Mode[1:],
		Priority: new(uint64(f.Priority)), BecameBackup: &backup, BecamePrimary: &primary}
	if b.a.Control != "" {
		h.ControlPVID = new(uint64(b.n.Adapter(b.a.Control).PVID))
	}
	if strings.HasSuffix(f.State, "_SH") {
		h.Shared = []int{} // the VLANs that it bridges of those it shares with its pair
		for _, t := range b.a.Trunks {
			if f.Active[t] {
				h.Shared = append(h.Shared, b.n.Adapter(t).Carries()...)
			}
		}
		slices.Sort(h.Shared)
	}
	return h
}

func (b *adapterStatistics) member(role entstat.Role, name string) (*printing.Adapter, error) {
	s, err := statisticsOf(b.call, name, true)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	s.Role = role
	b.s.Members = append(b.s.Members, s)
	return s, nil
}

func (b *adapterStatistics) side(adapters ...string) (map[string]uint64, error) {
	sum := map[string]uint64{}
	for _, a := range adapters {
		st, err := b.sim.Counters().Adapter(b.n.Name, a)
		if err != nil {
			return nil, err
		}
		sum["Packets received"] += st.RxPackets
		sum["Packets transmitted"] += st.TxPackets
		sum["Packets dropped"] += st.RxDropped + st.TxDropped
	}
	return sum, nil
}
