package effect

import (
	"seaworthy/lab/topology"
	"seaworthy/lab/wire"
)

// base is the adapter whose attributes hold for another one: that below a VLAN
// pseudo device, or itself.
func (v *view) base(node, adapter string) string {
	if a := v.adapters[[2]string{node, adapter}]; a != nil && a.Kind == topology.VLAN {
		return a.Base
	}
	return adapter
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
		w.RateBits = a.LineRate
	}
	return w
}
