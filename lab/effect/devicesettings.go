package effect

import (
	"seaworthy/lab/topology"
	"seaworthy/lab/wire"
)

// settings of one device, by its place.
func (v *view) settings(d wire.Device) wire.Settings {
	if a := v.adapters[[2]string{d.Node, d.Adapter}]; a != nil && a.Kind == topology.VLAN {
		return v.pseudo(d, a)
	}
	if n := v.linux[d.Node]; n != nil && d.Namespace == d.Node {
		return v.own(n, d)
	}
	switch d.Place {
	case wire.Virtual:
		return v.virtual(d)
	case wire.Physical:
		return v.physical(d)
	case wire.SEA:
		return v.sea(d)
	case wire.Channel:
		return v.channel(d)
	case wire.Hypervisor:
		return v.hypervisor(d)
	case wire.SwitchPort:
		return v.switchPort(d)
	case wire.SwitchBond:
		return v.switchBond(d)
	case wire.Line:
		return v.shared(d)
	case wire.Gateway, wire.GatewayPort:
		return wire.GatewayEnd(v.t.Switch, d)
	}
	// A switch's own bridge carries no traffic of its own.
	w := wire.Settings{Up: true, MTU: hypervisorMTU, TSO: true, TxChecksum: true, RxChecksum: true}
	if d.Place == wire.SwitchLAG {
		w.Delay = v.lagDelay(d.Port)
	}
	return w
}

// ofInterface are the settings of a device that carries IP itself.
func (v *view) ofInterface(node, adapter string) wire.Settings {
	en := iface(adapter)
	w := wire.Settings{
		Up:         v.up(node, adapter),
		MTU:        v.number(node, en, "mtu", ethernetMTU),
		TxChecksum: v.is(node, v.base(node, adapter), "chksum_offload", "yes"),
	}
	w.RxChecksum = w.TxChecksum
	w.TSO = largesend(v, node, en) && w.TxChecksum
	if v.Available(node, v.base(node, adapter)) && v.Available(node, adapter) && v.Available(node, en) {
		w.Addresses = v.Addresses(node, en)
	}
	return w
}

func largesend(v *view, node, en string) bool {
	return v.is(node, en, "mtu_bypass", "on") || v.is(node, en, "mtu_bypass", "plso")
}

func (v *view) virtual(d wire.Device) wire.Settings {
	sea := v.seas[[2]string{d.Node, d.Adapter}]
	if sea == "" {
		return v.ofInterface(d.Node, d.Adapter)
	}
	check := v.is(d.Node, d.Adapter, "chksum_offload", "yes")
	return wire.Settings{
		Up:  v.bridging(d.Node, sea, d.Adapter),
		MTU: v.trunkMTU(d.Node, sea),
		// What the port aggregated goes to the clients whole.
		TSO:        v.is(d.Node, sea, "large_receive", "yes") && check && !v.mtuMismatch,
		TxChecksum: check, RxChecksum: check,
	}
}

func (v *view) physical(d wire.Device) wire.Settings {
	sea, channel := v.seas[[2]string{d.Node, d.Adapter}], v.channels[[2]string{d.Node, d.Adapter}]
	check := v.is(d.Node, d.Adapter, "chksum_offload", "yes")
	w := wire.Settings{MTU: v.portMTU(d.Node, d.Adapter), TxChecksum: check, RxChecksum: check}
	w.TSO = v.is(d.Node, d.Adapter, "large_send", "yes") && check && !v.mtuMismatch
	w.GRO = v.is(d.Node, d.Adapter, "large_receive", "yes")
	switch {
	case channel != "":
		sea = v.seas[[2]string{d.Node, channel}]
		w.Up, w.NoARP = v.bridging(d.Node, channel, d.Adapter), true
		w.MTU = min(w.MTU, v.channelMTU(d.Node, channel))
	case sea == "":
		own := v.ofInterface(d.Node, d.Adapter)
		own.TSO, own.MTU, own.GRO = own.TSO && w.TSO, min(own.MTU, w.MTU), w.GRO
		w = own
	default:
		w.Up = v.bridging(d.Node, sea, d.Adapter)
	}
	if sea != "" {
		w.TSO = w.TSO && v.is(d.Node, sea, "largesend", "1")
		w.GRO = w.GRO && v.is(d.Node, sea, "large_receive", "yes")
	}
	v.line(d.Node, d.Adapter, &w)
	return w
}

// line is what the cable of a port does to a device.
func (v *view) line(node, port string, w *wire.Settings) {
	if a := v.adapters[[2]string{node, port}]; a != nil {
		w.RateBits = v.lineRate(a.LineRate, v.portMTU(node, port))
	}
	w.Up = w.Up && !v.Faults.Unplugged(node, port)
	if w.Loss, w.Damage = v.losses(node, port); w.Loss+w.Damage > 0 {
		w.TSO, w.GRO = false, false // frames are lost one by one, as they are on the wire
	}
	if w.RxQueues, w.TxQueues = v.queues(node, port); w.GRO {
		// Where received segments are joined the end is polled. Linux 6.17 and
		// later then stop the sender's queue when the ring is full, and wake
		// the first one only: traffic over any other would cease.
		w.RxQueues = 1
	}
}

// sea is the bridge: it passes frames whether or not its interface carries IP.
func (v *view) sea(d wire.Device) wire.Settings {
	en, sea := iface(d.Adapter), v.base(d.Node, d.Adapter)
	w := wire.Settings{
		Up: v.Available(d.Node, sea), MTU: v.trunkMTU(d.Node, sea),
		TSO:        v.is(d.Node, sea, "largesend", "1") && largesend(v, d.Node, en) && !v.mtuMismatch,
		TxChecksum: true, RxChecksum: true,
	}
	if d.Adapter == sea && d.VLAN > 0 {
		return w // a VLAN that the SEA bridges and no interface of the VIOS is on
	}
	if v.up(d.Node, d.Adapter) {
		w.Addresses = v.Addresses(d.Node, en)
	}
	if len(w.Addresses) > 0 {
		w.MTU = v.number(d.Node, en, "mtu", ethernetMTU)
	}
	return w
}

// hypervisor is the switch's end towards an adapter. It hands large frames on
// whole, but a trunk whose SEA does not take them gets wire-sized ones.
func (v *view) hypervisor(d wire.Device) wire.Settings {
	w := wire.Settings{Up: true, MTU: hypervisorMTU, TSO: true, TxChecksum: true, RxChecksum: true}
	if v.linux[d.Node] != nil {
		w.Up = v.plugged(d.Node, d.Adapter)
	}
	if rate := v.Faults.Of(FullBuffers, d.Node, d.Adapter); rate > 0 {
		w.RateBits, w.QueueBytes = uint64(rate), slowQueue
	}
	if sea := v.seas[[2]string{d.Node, d.Adapter}]; sea != "" {
		w.TSO = v.is(d.Node, sea, "largesend", "1") && !v.mtuMismatch
		// A trunk that does not bridge gets nothing, and what the switch has
		// learned there is forgotten.
		w.Unplugged = !v.pairs[[2]string{d.Node, sea}].Active[d.Adapter]
	}
	return w
}

// queues of a port: one each way where its driver has no such attributes.
func (v *view) queues(node, adapter string) (rx, tx int) {
	within := func(attr string) int { return max(1, min(v.number(node, adapter, attr, 1), wire.PortQueues)) }
	return within("queues_rx"), within("queues_tx")
}

func (v *view) switchPort(d wire.Device) wire.Settings {
	w := wire.Settings{Up: true, MTU: ethernetMTU, TxChecksum: true, RxChecksum: true}
	for _, p := range v.t.Switch.Ports {
		if p.Name == d.Port {
			w.MTU = v.switchMTU(p.Name)
			w.RateBits = v.lineRate(p.LineRate, w.MTU)
			if p.LAG == "" {
				w.Delay = v.delay(p.Name)
			}
		}
	}
	w.Loss, w.Damage = v.losses(d.Node, d.Adapter)
	if v.linux[d.Node] != nil {
		w.Up = v.plugged(d.Node, d.Adapter)
		w.TxQueues, w.RxQueues = 1, 1 // as its port: what another queue hands over is not polled there
		if d.Bond != "" {
			w.MTU = 0 // the bond's
		}
		return w
	}
	// The port's receive queues are filled by as many of the switch's.
	port := v.physical(wire.Device{Node: d.Node, Adapter: d.Adapter, VLAN: d.VLAN})
	w.TxQueues, w.RxQueues = port.RxQueues, port.TxQueues
	return w
}

// pseudo is the device of a VLAN pseudo device: an interface that has its
// adapter's abilities.
func (v *view) pseudo(d wire.Device, a *topology.Adapter) wire.Settings {
	w := v.ofInterface(d.Node, a.Name)
	switch d.Place {
	case wire.SEA:
		return v.sea(d)
	case wire.Physical:
		w.TSO = w.TSO && v.is(d.Node, a.Base, "large_send", "yes") && !v.mtuMismatch
		w.MTU = min(w.MTU, v.portMTU(d.Node, a.Base))
		w.GRO = v.is(d.Node, a.Base, "large_receive", "yes")
		v.line(d.Node, a.Base, &w)
	case wire.Channel:
		w.TxChecksum, w.RxChecksum = true, true
		w.TSO = largesend(v, d.Node, iface(a.Name)) && !v.mtuMismatch
		w.MTU = min(w.MTU, v.channelMTU(d.Node, a.Base))
	}
	return w
}

// shared is the line of a port that carries tagged VLANs: all of them together
// send at its rate.
func (v *view) shared(d wire.Device) wire.Settings {
	w := wire.Settings{Up: true, MTU: hypervisorMTU, TSO: true, TxChecksum: true, RxChecksum: true}
	if a := v.adapters[[2]string{d.Node, d.Adapter}]; a != nil {
		w.RateBits = v.lineRate(a.LineRate, v.portMTU(d.Node, d.Adapter))
	}
	return w
}

// channel is the end of an EtherChannel that the stack or an SEA has. Frames
// are cut, if at all, by the ports behind it.
func (v *view) channel(d wire.Device) wire.Settings {
	sea := v.seas[[2]string{d.Node, d.Adapter}]
	if sea == "" {
		w := v.ofInterface(d.Node, d.Adapter)
		w.TxChecksum, w.RxChecksum = true, true
		w.TSO = largesend(v, d.Node, iface(d.Adapter)) && !v.mtuMismatch
		w.MTU = min(w.MTU, v.channelMTU(d.Node, d.Adapter))
		return w
	}
	return wire.Settings{
		Up: v.bridging(d.Node, sea, d.Adapter), MTU: v.channelMTU(d.Node, d.Adapter),
		TSO: v.is(d.Node, sea, "largesend", "1") && !v.mtuMismatch, TxChecksum: true, RxChecksum: true,
	}
}

// slowQueue holds more than all receive buffers of an adapter can: what does
// not fit is lost for want of a buffer, not of room in the queue.
const slowQueue = 64 << 20
