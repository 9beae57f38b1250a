package node

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"seaworthy/internal/inventory/model"
	"seaworthy/internal/parse/aix/entstat"
	"seaworthy/lab/effect"
	"seaworthy/lab/odm"
	"seaworthy/lab/printing"
)

// virtual is the part of the l-lan driver.
func (b *statBuilder) virtual() {
	sys, _ := b.w.node(b.n.Name)
	v := &entstat.Virtual{Trunk: &b.a.Trunk, LANState: "Not operational", PVID: new(uint64(b.a.PVID)), VLANs: b.a.VLANs, VLANsKnown: true,
		SwitchID: sys.VSwitch, SwitchMode: "VEB", BufferMode: cmp.Or(modeNames[b.running("buf_mode")], "Min")}
	if b.a.Trunk {
		active := false
		if sea, held := b.w.holder(b.n.Name, b.a.Name); held && b.link.Up {
			f, _, _ := b.w.failover(b.n.Name, sea)
			active = f.Active[b.a.Name]
		}
		v.Priority, v.Active = new(uint64(b.a.Priority)), &active
	}
	if b.link.Carrier || b.controls() {
		v.LANState = "Operational"
	}
	b.receiveBuffers(v)
	b.s.Virtual = v
}

// controls: the control channel of an SEA, which has no interface to bring it up.
func (b *statBuilder) controls() bool {
	controlled := func(d odm.Device) bool { return b.w.running(b.n.Name, d.Name, "ctl_chan") == b.a.Name }
	return slices.ContainsFunc(b.w.Stores[b.n.Name].Devices(), controlled)
}

// physical is the part of a port's driver. Flow control is left out: the wire
// has no pause frames, so there is no state to print.
func (b *statBuilder) physical() {
	up, check := b.link.Carrier && b.link.Up, b.running("chksum_offload") == "yes"
	jumbo, send, receive := b.running("jumbo_frames") == "yes", check && b.running("large_send") == "yes", b.aggregates()
	v := &printing.Physical{LinkUp: &up, MediaSelected: b.running("media_speed"), JumboFrames: &jumbo,
		LargeSend: &send, LargeReceive: &receive, TransmitChecksum: &check, ReceiveChecksum: &check}
	if v.MediaSelected == "Auto_Negotiation" {
		v.MediaSelected = "Auto negotiation"
	}
	if up {
		speed := int64(b.a.LineRate / 1e6)
		v.SpeedMbit = &speed
	}
	b.s.Physical = v
}

// aggregates: an SEA with large_receive=no turns it off below.
func (b *statBuilder) aggregates() bool {
	if b.running("large_receive") != "yes" {
		return false
	}
	sea, held := b.w.holder(b.n.Name, b.a.Name)
	if d, _ := b.w.Stores[b.n.Name].Device(sea); held && d.Kind == model.EtherChannel {
		sea, held = b.w.holder(b.n.Name, sea)
	}
	if !held {
		return true
	}
	return b.w.running(b.n.Name, sea, "large_receive") == "yes"
}

// highAvailability is the SEA's part in its pair. Packets on the control
// channel are not printed: a lab's SEAs know of each other without them.
func (b *statBuilder) highAvailability() *entstat.HA {
	f, primary, backup := b.w.failover(b.n.Name, b.a.Name)
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

// switchSystem is the address by which the lab's Ethernet switch speaks LACP.
// Managed systems count from one in the same byte, so that none has it.
const switchSystem = "32-43-00-00-00-01"

// lacp is the 802.3ad block of a member. A partner that does not answer is all
// zeros, as on AIX.
func (b *statBuilder) lacp(member string, p effect.Port) *entstat.LACP {
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
