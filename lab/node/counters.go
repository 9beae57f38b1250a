package node

import (
	"seaworthy/lab/buffers"
	"seaworthy/lab/topology"
	"seaworthy/lab/wire"
)

// Counters reads the counters of the nodes. They begin at zero when a node boots,
// and those of an adapter when it is reset.
type Counters struct{ sim *Simulator }

// Devices returns the kernel's devices of an adapter: the one for untagged frames,
// then one for each tag (see package wire).
func (cs Counters) Devices(node, adapter string) []wire.End {
	ends := []wire.End{End(node, adapter)}
	_, n := cs.sim.Node(node)
	for _, tag := range tagsOf(n, adapter) {
		ends = append(ends, cs.Device(n, adapter, tag))
	}
	return ends
}

// Device returns the device of an adapter for a tag.
func (cs Counters) Device(n *topology.Node, adapter string, tag int) wire.End {
	for _, a := range n.Adapters {
		if a.Kind == topology.VLAN && a.Base == adapter && a.Tag == tag {
			return End(n.Name, a.Name)
		}
	}
	return wire.End{Namespace: n.Name, Device: wire.Tagged(wire.DeviceName(adapter), tag)}
}

func tagsOf(n *topology.Node, adapter string) []int { return wire.Tags(n)[adapter] }

// Adapter returns the counters of an adapter: the sum over its devices.
func (cs Counters) Adapter(node, adapter string) (wire.Stats, error) {
	return cs.Sum(cs.Devices(node, adapter))
}

// Sum adds up the counters of several devices.
func (cs Counters) Sum(ends []wire.End) (wire.Stats, error) {
	var sum wire.Stats
	for _, e := range ends {
		s, err := cs.Stats(e)
		if err != nil {
			return sum, err
		}
		sum.Add(s)
	}
	return sum, nil
}

// Stats reads an end's counters since its node has booted.
func (cs Counters) Stats(e wire.End) (wire.Stats, error) {
	st, err := cs.sim.Stats(e)
	if b := cs.sim.boots.get(e.Namespace); b != nil && err == nil {
		st = st.Since(b.ends[e])
	}
	return st, err
}

// AdapterReading holds the counters of an adapter as entstat prints them. A reset
// does not touch the kernel's counters: their values at that time are subtracted.
// netstat -i, topas and seastat have counters of their own, on AIX too.
type AdapterReading struct {
	Stats             wire.Stats
	Refused, Failures uint64 // frames: without a receive buffer; that the hypervisor could not deliver
}

// Reset lets the counters of an adapter, and of those in it, begin at zero.
func (cs Counters) Reset(n *topology.Node, a *topology.Adapter) error {
	for _, name := range a.Holds() {
		if name == a.Control {
			continue
		}
		if err := cs.Reset(n, n.Adapter(name)); err != nil {
			return err
		}
	}
	o, _, err := cs.read(n.Name, a)
	if err == nil {
		cs.sim.origins.set([2]string{n.Name, a.Name}, &o)
	}
	return err
}

// SinceReset returns the counters of an adapter since its last reset, and its
// receive buffers; nil if nobody counts them.
func (cs Counters) SinceReset(node string, a *topology.Adapter) (AdapterReading, *buffers.Counts, error) {
	o, c, err := cs.read(node, a)
	return o.since(cs.sim.origins.get([2]string{node, a.Name})), c, err
}

// read returns the counters of an adapter since its node has booted, and its buffers.
func (cs Counters) read(node string, a *topology.Adapter) (o AdapterReading, c *buffers.Counts, err error) {
	if o.Stats, err = cs.Adapter(node, a.Name); err != nil {
		return o, nil, err
	}
	c, err = cs.sim.ReceiveBuffers().Read(node, a)
	if err != nil || c == nil {
		return o, c, err
	}
	o.Refused = c.Refused()
	o.Failures = c.ReceiverFailures
	return o, c, nil
}

// since subtracts an earlier reading. A counter that is smaller now has restarted
// since then, and stays.
func (o AdapterReading) since(was *AdapterReading) AdapterReading {
	if was == nil {
		return o
	}
	o.Stats = o.Stats.Since(was.Stats)
	if o.Refused >= was.Refused {
		o.Refused -= was.Refused
	}
	if o.Failures >= was.Failures {
		o.Failures -= was.Failures
	}
	return o
}

// startAtZero lets the counters of a node begin at zero.
func (cs Counters) startAtZero(node string) error {
	_, n := cs.sim.Node(node)
	b := &boot{ends: map[wire.End]wire.Stats{}}
	ends := []wire.End{End(node, "lo0")}
	for _, a := range n.Adapters {
		ends = append(ends, cs.Devices(node, a.Name)...)
	}
	for _, e := range ends {
		st, err := cs.sim.Stats(e)
		if err != nil {
			return err
		}
		b.ends[e] = st
	}
	var err error
	if b.protocols, err = cs.kernelProtocols(node); err != nil {
		return err
	}
	if cs.sim.ResetLargeSend != nil {
		if err := cs.sim.ResetLargeSend(node); err != nil {
			return err
		}
	}
	cs.sim.boots.set(node, b)
	for i := range n.Adapters {
		if err := cs.Reset(n, &n.Adapters[i]); err != nil {
			return err
		}
	}
	cs.sim.changing.Lock()
	defer cs.sim.changing.Unlock()
	for _, a := range n.Adapters {
		if a.Kind != topology.SEA {
			continue
		}
		cs.sim.Redundancy().startAtOne(node, a.Name)
		cs.sim.Clients().startAtZero(node, a.Name)
	}
	return nil
}
