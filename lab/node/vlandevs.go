package node

import (
	"seaworthy/lab/topology"
	"seaworthy/lab/wire"
)

// An adapter that carries tagged VLANs is one device of the kernel for what has
// no tag and one for every tag (see package wire). Its counters are their sum.

// vlanDevs are the devices of an adapter: the untagged one first.
func (w *Simulator) vlanDevs(node, adapter string) []wire.End {
	ends := []wire.End{end(node, adapter)}
	_, n := w.node(node)
	for _, tag := range tagsOf(n, adapter) {
		ends = append(ends, w.vlanDev(n, adapter, tag))
	}
	return ends
}

// vlanDev is the device of an adapter for one tag.
func (w *Simulator) vlanDev(n *topology.Node, adapter string, tag int) wire.End {
	for _, a := range n.Adapters {
		if a.Kind == topology.VLAN && a.Base == adapter && a.Tag == tag {
			return end(n.Name, a.Name)
		}
	}
	return wire.End{Namespace: n.Name, Device: wire.Tagged(wire.DeviceName(adapter), tag)}
}

// tagsOf are the tags that an adapter has devices for.
func tagsOf(n *topology.Node, adapter string) []int { return wire.Tags(n)[adapter] }

// counters of an adapter, over all its devices.
func (w *Simulator) counters(node, adapter string) (wire.Stats, error) {
	return w.statsOf(w.vlanDevs(node, adapter))
}

// statsOf adds up the counters of ends.
func (w *Simulator) statsOf(ends []wire.End) (wire.Stats, error) {
	var sum wire.Stats
	for _, e := range ends {
		s, err := w.stats(e)
		if err != nil {
			return sum, err
		}
		sum.Add(s)
	}
	return sum, nil
}
