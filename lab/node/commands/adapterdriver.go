package commands

import (
	"cmp"
	"slices"

	"seaworthy/internal/inventory/model"
	"seaworthy/internal/parse/aix/entstat"
	"seaworthy/lab/buffers"
	"seaworthy/lab/odm"
	"seaworthy/lab/printing"
)

// virtual is the part of the l-lan driver.
func (b *adapterStatistics) virtual() {
	v := &entstat.Virtual{Trunk: &b.a.Trunk, LANState: "Not operational", PVID: new(uint64(b.a.PVID)), VLANs: b.a.VLANs, VLANsKnown: true,
		SwitchID: b.sys.VSwitch, SwitchMode: "VEB", BufferMode: cmp.Or(modeNames[b.running("buf_mode")], "Min")}
	if b.a.Trunk {
		active := false
		if sea, held := b.db.Holder(b.a.Name); held && b.link.Up {
			f, _, _ := b.sim.Redundancy().SEA(b.n.Name, sea)
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

// modeNames are the driver's names of the values of buf_mode.
var modeNames = map[string]string{"min": "Min", "max": "Max", "max_min": "Max Min"}

// receiveBuffers are the hypervisor's counters of frames that it could not
// deliver, and the table of the pools. Without a meter it ends with what is set:
// how many are in use nobody knows then.
func (b *adapterStatistics) receiveBuffers(v *entstat.Virtual) {
	c := b.buffers
	if c != nil {
		v.SendFailures, v.ReceiverFailures = new(b.counted.Failures+b.counted.Stats.TxErrors), &b.counted.Failures
		v.SendErrors, v.ReceiveFailures = &b.counted.Stats.TxErrors, &b.counted.Refused
	}
	sizes := b.sim.ReceiveBuffers().Pools(b.n.Name, b.a.Name)
	for i, name := range buffers.Names() {
		pool := entstat.Pool{Name: name, Min: &sizes[i].Min, Max: &sizes[i].Max}
		if c != nil {
			n := &c.Pools[i]
			pool.Allocated, pool.Registered = &n.Allocated, &n.Registered
			pool.MaxAllocated, pool.LowestRegistered = &n.MaxAllocated, &n.LowestRegistered
		}
		v.Pools = append(v.Pools, pool)
	}
}

// controls reports whether the adapter is the control channel of an SEA, which has no
// interface that brings it up.
func (b *adapterStatistics) controls() bool {
	controlled := func(d odm.Device) bool { return b.sim.Running(b.n.Name, d.Name, "ctl_chan") == b.a.Name }
	return slices.ContainsFunc(b.db.Devices(), controlled)
}

// physical is the part of a port's driver. Flow control is left out: the wire
// has no pause frames, so there is no state to print.
func (b *adapterStatistics) physical() {
	up, check := b.link.Carrier && b.link.Up, b.running("chksum_offload") == "yes"
	jumbo, send, receive := b.running("jumbo_frames") == "yes", check && b.running("large_send") == "yes", b.aggregates()
	v := &printing.Physical{LinkUp: &up, MediaSelected: b.running("media_speed"), JumboFrames: &jumbo,
		LargeSend: &send, LargeReceive: &receive, TransmitChecksum: &check, ReceiveChecksum: &check}
	if v.MediaSelected == "Auto_Negotiation" {
		v.MediaSelected = "Auto negotiation"
	}
	if up {
		speed := int64(b.sim.Faults().LinkRate(b.n.Name, b.a) / 1e6)
		v.SpeedMbit = &speed
	}
	b.s.Physical = v
}

// aggregates: an SEA with large_receive=no turns it off below.
func (b *adapterStatistics) aggregates() bool {
	if b.running("large_receive") != "yes" {
		return false
	}
	sea, held := b.db.Holder(b.a.Name)
	if d, _ := b.db.Device(sea); held && d.Kind == model.EtherChannel {
		sea, held = b.db.Holder(sea)
	}
	if !held {
		return true
	}
	return b.sim.Running(b.n.Name, sea, "large_receive") == "yes"
}
