package effect

import (
	"seaworthy/lab/topology"
	"seaworthy/lab/wire"
	"strconv"
)

// passing are the settings of an end that hands on whatever comes, whole.
func passing() wire.Settings {
	return wire.Settings{Up: true, MTU: hypervisorMTU, TSO: true, TxChecksum: true, RxChecksum: true}
}

// deviceSettings derives the settings of the kernel's devices.
type deviceSettings struct{ *view }

// settings returns those of one device, by its place.
func (v deviceSettings) settings(d wire.Device) wire.Settings {
	if n := v.linux[d.Node]; n != nil && d.Namespace == d.Node {
		return v.own(n, d)
	}
	w := passing()
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
	case wire.Gateway, wire.GatewayPort:
		return wire.GatewayEnd(v.t.Switch, d)
	case wire.Line:
		// All VLANs of a port together send at its rate.
		w.RateBits = v.lineRate(v.linkRate(d.Node, d.Adapter), v.portMTU(d.Node, d.Adapter))
	case wire.SwitchLAG, wire.SwitchBond:
		// It is the switch's end of all ports that holds packets up, as the slowest does.
		for _, p := range v.t.Switch.Ports {
			if p.LAG != d.Port {
				continue
			}
			w.Delay = max(w.Delay, v.delay(p.Name))
			if d.Place == wire.SwitchBond {
				w.MTU = min(w.MTU, v.switchMTU(p.Name))
			}
		}
	}
	return w
}

// ofInterface are the settings of a device that carries IP itself.
func (v deviceSettings) ofInterface(node, adapter string) wire.Settings {
	en, base := iface(adapter), v.base(node, adapter)
	check := v.is(node, base, "chksum_offload", "yes")
	w := wire.Settings{Up: v.up(node, adapter), MTU: v.number(node, en, "mtu", ethernetMTU),
		TxChecksum: check, RxChecksum: check, TSO: v.largesend(node, en) && check}
	if v.configured(node, adapter) {
		w.Addresses = v.of(node).Addresses(en)
	}
	return w
}

func (v deviceSettings) largesend(node, en string) bool {
	return v.is(node, en, "mtu_bypass", "on") || v.is(node, en, "mtu_bypass", "plso")
}

func (v deviceSettings) virtual(d wire.Device) wire.Settings {
	sea := v.at(d.Node, d.Adapter).sea
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

// physical is a port, or a VLAN pseudo device on one: an interface that has its abilities.
func (v deviceSettings) physical(d wire.Device) wire.Settings {
	a, port := v.at(d.Node, d.Adapter), v.base(d.Node, d.Adapter)
	sea := a.sea
	check := v.is(d.Node, port, "chksum_offload", "yes")
	w := wire.Settings{MTU: v.portMTU(d.Node, port), TxChecksum: check, RxChecksum: check}
	w.TSO = v.is(d.Node, port, "large_send", "yes") && check && !v.mtuMismatch
	w.GRO = v.is(d.Node, port, "large_receive", "yes")
	switch {
	case a.channel != "":
		sea = v.at(d.Node, a.channel).sea
		w.Up, w.NoARP = v.bridging(d.Node, a.channel, d.Adapter), true
		w.MTU = min(w.MTU, v.channelMTU(d.Node, a.channel))
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
	w.RateBits = v.lineRate(v.linkRate(d.Node, port), v.portMTU(d.Node, port))
	w.Up = w.Up && !v.Faults.Unplugged(d.Node, port)
	w.Loss, w.Damage = v.losses(d.Node, port)
	if w.Loss+w.Damage > 0 {
		w.TSO, w.GRO = false, false // frames are lost one by one, as they are on the wire
	}
	w.RxQueues, w.TxQueues = v.queues(d.Node, port, "queues_rx"), v.queues(d.Node, port, "queues_tx")
	if w.GRO {
		// Where received segments are joined the end is polled. Linux 6.17 and
		// later then stop the sender's queue when the ring is full, and wake
		// the first one only: traffic over any other would cease.
		w.RxQueues = 1
	}
	return w
}

// linkRate is the rate of a port's link now, in bit/s.
func (v deviceSettings) linkRate(node, port string) uint64 {
	return v.Faults.LinkRate(node, port, v.at(node, port).LineRate)
}

// queues of a port: one where its driver has no such attribute.
func (v deviceSettings) queues(node, adapter, attr string) int {
	return max(1, min(v.number(node, adapter, attr, 1), wire.PortQueues))
}

// sea is the bridge: it passes frames whether or not its interface carries IP.
func (v deviceSettings) sea(d wire.Device) wire.Settings {
	en, sea := iface(d.Adapter), v.base(d.Node, d.Adapter)
	w := wire.Settings{
		Up: v.Available(d.Node, sea), MTU: v.trunkMTU(d.Node, sea),
		TSO:        v.is(d.Node, sea, "largesend", "1") && v.largesend(d.Node, en) && !v.mtuMismatch,
		TxChecksum: true, RxChecksum: true,
	}
	if d.Adapter == sea && d.VLAN > 0 {
		return w // a VLAN that the SEA bridges and no interface of the VIOS is on
	}
	if v.up(d.Node, d.Adapter) {
		w.Addresses = v.of(d.Node).Addresses(en)
	}
	if len(w.Addresses) > 0 {
		w.MTU = v.number(d.Node, en, "mtu", ethernetMTU)
	}
	return w
}

// channel is the end of an EtherChannel that the stack or an SEA has. Frames
// are cut, if at all, by the ports behind it.
func (v deviceSettings) channel(d wire.Device) wire.Settings {
	var w wire.Settings
	mtu := v.channelMTU(d.Node, v.base(d.Node, d.Adapter))
	if sea := v.at(d.Node, d.Adapter).sea; sea != "" {
		w = wire.Settings{Up: v.bridging(d.Node, sea, d.Adapter), MTU: mtu, TSO: v.is(d.Node, sea, "largesend", "1")}
	} else {
		w = v.ofInterface(d.Node, d.Adapter)
		w.TSO = v.largesend(d.Node, iface(d.Adapter))
	}
	w.TSO, w.MTU = w.TSO && !v.mtuMismatch, min(w.MTU, mtu)
	w.TxChecksum, w.RxChecksum = true, true
	return w
}

// slowQueue holds more than all receive buffers of an adapter can: what does
// not fit is lost for lack of a buffer, not of room in the queue.
const slowQueue = 64 << 20

// hypervisor is the switch's end towards an adapter. It hands large frames on
// whole, but a trunk whose SEA does not take them gets wire-sized ones.
func (v deviceSettings) hypervisor(d wire.Device) wire.Settings {
	w := passing()
	w.Up = v.plugged(d)
	if rate := v.Faults.receiveRate(d.Node, d.Adapter); rate > 0 {
		w.RateBits, w.QueueBytes = rate, slowQueue
	}
	if sea := v.at(d.Node, d.Adapter).sea; sea != "" {
		w.TSO = v.is(d.Node, sea, "largesend", "1") && !v.mtuMismatch
		// A trunk that does not bridge gets nothing, and what the switch has
		// learned there is forgotten.
		w.Unplugged = !v.pairs[[2]string{d.Node, sea}].Active[d.Adapter]
	}
	return w
}

func (v deviceSettings) switchPort(d wire.Device) wire.Settings {
	p, mtu := v.ports[d.Port], v.switchMTU(d.Port)
	w := wire.Settings{Up: v.plugged(d), MTU: mtu, TxChecksum: true, RxChecksum: true}
	w.RateBits = v.lineRate(v.Faults.LinkRate(d.Node, d.Adapter, p.LineRate), mtu)
	if p.LAG == "" {
		w.Delay = v.delay(p.Name)
	}
	w.Loss, w.Damage = v.losses(d.Node, d.Adapter)
	if v.linux[d.Node] != nil {
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

// plugged says whether there is a link at an end outside a node: at one with Linux not if
// its cable is out, which the far end of a simulated adapter shows by itself.
func (v deviceSettings) plugged(d wire.Device) bool {
	return v.linux[d.Node] == nil || !v.Faults.crashed(d.Node) && !v.Faults.Unplugged(d.Node, d.Adapter)
}

// own is how a device of a node with Linux begins: as a kernel makes it, with the
// topology's address. From then on it is the node's own.
func (v deviceSettings) own(n *topology.Node, d wire.Device) wire.Settings {
	w := wire.Settings{Own: true, Up: true, MTU: ethernetMTU}
	begin := n.Set[d.Device]
	if mtu, err := strconv.Atoi(begin["mtu"]); err == nil {
		w.MTU = mtu
	}
	w.TSO, w.GSO, w.GRO = begin["tso"] != "off", begin["gso"] != "off", begin["gro"] != "off"
	w.TxChecksum, w.RxChecksum = begin["tx"] != "off", begin["rx"] != "off"
	for _, i := range n.Interfaces {
		if i.Name == d.Device {
			w.Addresses, w.Gateway = append(w.Addresses, i.Addresses()...), i.Gateway
		}
	}
	for _, r := range n.StaticRoutes() {
		if r.Interface == d.Device {
			w.Routes = append(w.Routes, wire.Route{To: r.To, Via: r.Via})
		}
	}
	if d.Place == wire.Physical {
		w.RateBits = v.lineRate(v.linkRate(n.Name, d.Adapter), ethernetMTU)
		w.RxQueues, w.TxQueues = 1, 1
		w.Loss, w.Damage = v.losses(n.Name, d.Adapter)
	}
	if v.mtuMismatch || w.Loss+w.Damage > 0 {
		w.Segments = 1 // so that each frame is as large as it says, and can be lost by itself
	}
	return w
}
