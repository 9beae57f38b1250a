package effect

import (
	"seaworthy/lab/topology"
	"seaworthy/lab/wire"
)

// own is how a device of a node with Linux begins: as a kernel makes it, with the
// topology's address. From then on it is the node's own.
func (v *view) own(n *topology.Node, d wire.Device) wire.Settings {
	w := wire.Settings{Own: true, Up: true, MTU: ethernetMTU, TSO: true, GRO: true, TxChecksum: true, RxChecksum: true}
	for _, i := range n.Interfaces {
		if i.Name == d.Device {
			w.Addresses, w.Gateway = append(w.Addresses, i.Address), i.Gateway
		}
	}
	if d.Place == wire.Physical {
		w.RateBits = v.lineRate(v.adapters[[2]string{n.Name, d.Adapter}].LineRate, ethernetMTU)
		w.RxQueues, w.TxQueues = 1, 1
		w.Loss, w.Damage = v.losses(n.Name, d.Adapter)
	}
	if v.mtuMismatch || w.Loss+w.Damage > 0 {
		w.Segments = 1 // so that each frame is as large as it says, and can be lost by itself
	}
	return w
}

// switchBond is the Ethernet switch's end of a bond: it passes what its ports do.
func (v *view) switchBond(d wire.Device) wire.Settings {
	w := wire.Settings{Up: true, MTU: hypervisorMTU, TSO: true, TxChecksum: true, RxChecksum: true, Delay: v.lagDelay(d.Port)}
	for _, p := range v.t.Switch.Ports {
		if p.LAG == d.Port {
			w.MTU = min(w.MTU, v.switchMTU(p.Name))
		}
	}
	return w
}

// plugged says whether the cable of a node with Linux has a link at its far end.
func (v *view) plugged(node, adapter string) bool {
	return v.Faults.Of(Crash, node) == 0 && !v.Faults.Unplugged(node, adapter)
}
