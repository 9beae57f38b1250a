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
	st, err := w.counters(n.Name, a.Name)
	if err != nil {
		return err
	}
	c, err := w.buffered(n.Name, a)
	if err != nil {
		return err
	}
	o := origin{stats: st}
	if c != nil {
		o.refused, o.failures = c.Refused(), c.ReceiverFailures
	}
	w.origins.set([2]string{n.Name, a.Name}, &o)
	return nil
}

// sinceReset takes off what was counted before the reset. A counter below its
// origin has begun anew since.
func (w *Simulator) sinceReset(node, adapter string, st wire.Stats, c *buffers.Counts) (wire.Stats, *buffers.Counts) {
	o := w.origins.get([2]string{node, adapter})
	if o == nil {
		return st, c
	}
	st = st.Since(o.stats)
	if c == nil {
		return st, nil
	}
	out := *c
	if out.ReceiverFailures >= o.failures {
		out.ReceiverFailures -= o.failures
	}
	left := o.refused
	if c.Refused() < left {
		left = 0
	}
	// Nobody prints them by pool: take them off wherever they are.
	for p := range out.Pools {
		off := min(left, out.Pools[p].Refused)
		out.Pools[p].Refused -= off
		left -= off
	}
	return st, &out
}
