package node

import (
	"seaworthy/lab/buffers"
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

func (w *Simulator) vlanDev(n *topology.Node, adapter string, tag int) wire.End {
	for _, a := range n.Adapters {
		if a.Kind == topology.VLAN && a.Base == adapter && a.Tag == tag {
			return end(n.Name, a.Name)
		}
	}
	return wire.End{Namespace: n.Name, Device: wire.Tagged(wire.DeviceName(adapter), tag)}
}

func tagsOf(n *topology.Node, adapter string) []int { return wire.Tags(n)[adapter] }

// counters of an adapter, over all its devices.
func (w *Simulator) counters(node, adapter string) (wire.Stats, error) {
	return w.statsOf(w.vlanDevs(node, adapter))
}

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

// The kernel's counters of a device cannot be reset, those that entstat prints
// can: it prints what came since. netstat -i, topas and seastat have counters
// of their own on AIX too, which a reset of the adapter leaves alone.

// origin is where an adapter's counters stood when they were reset.
type origin struct {
	stats             wire.Stats
	refused, failures uint64
}

// reset lets the counters of an adapter, and of those in it, begin at zero.
func (w *Simulator) reset(n *topology.Node, a *topology.Adapter) error {
	for _, name := range a.Holds() {
		if name == a.Control {
			continue
		}
		if err := w.reset(n, n.Adapter(name)); err != nil {
			return err
		}
	}
	o, _, err := w.reading(n.Name, a)
	if err == nil {
		w.origins.set([2]string{n.Name, a.Name}, &o)
	}
	return err
}

// reading is where an adapter's counters stand, and its buffers; nil if nobody counts them.
func (w *Simulator) reading(node string, a *topology.Adapter) (o origin, c *buffers.Counts, err error) {
	if o.stats, err = w.counters(node, a.Name); err != nil {
		return o, nil, err
	}
	if c, err = w.buffered(node, a); err == nil && c != nil {
		o.refused, o.failures = c.Refused(), c.ReceiverFailures
	}
	return o, c, err
}

// since takes off what was counted before. A counter below its origin has begun
// anew since.
func (o origin) since(was *origin) origin {
	if was == nil {
		return o
	}
	o.stats = o.stats.Since(was.stats)
	if o.refused >= was.refused {
		o.refused -= was.refused
	}
	if o.failures >= was.failures {
		o.failures -= was.failures
	}
	return o
}
