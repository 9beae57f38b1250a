package node

import (
	"strconv"
	"strings"

	"seaworthy/lab/buffers"
	"seaworthy/lab/topology"
	"seaworthy/lab/wire"
)

// BufferMeter gives virtual adapters their receive buffers.
type BufferMeter interface {
	// Follow gives the adapters the buffers that are wanted.
	Follow(want []buffers.Wanted) error
	// Read returns the counts of entN on a node.
	Read(node, adapter string) (buffers.Counts, error)
}

// ReceiveBuffers are the receive buffers of virtual adapters.
type ReceiveBuffers struct{ sim *Simulator }

// follow lets the receive buffers follow the attributes and the kernel's state.
func (rb ReceiveBuffers) follow(st wire.State) error {
	if rb.sim.Buffers == nil {
		return nil
	}
	var want []buffers.Wanted
	for _, n := range rb.sim.Plan().Nodes() {
		for _, a := range n.Adapters {
			if a.Kind != topology.Virtual {
				continue
			}
			e := End(n.Name, a.Name)
			x := buffers.Wanted{Node: n.Name, Adapter: a.Name, Pools: rb.Pools(n.Name, a.Name), Open: st.Ends[e].Up}
			if far, ok := rb.sim.Far(e); ok {
				x.Cut = !st.Ends[far].TSO
			}
			want = append(want, x)
		}
	}
	return rb.sim.Buffers.Follow(want)
}

// Pools returns the sizes in force: in the modes max and max_min the driver takes
// all it may have from the start, whatever the minimum is set to.
func (rb ReceiveBuffers) Pools(node, adapter string) (out [buffers.PoolCount]buffers.Size) {
	value := func(attr, pool string) uint64 {
		v, _ := strconv.ParseUint(rb.sim.Running(node, adapter, attr+strings.ToLower(pool)), 10, 64)
		return v
	}
	for i, name := range buffers.Names() {
		out[i].Max = value("max_buf_", name)
		out[i].Min = out[i].Max
		if rb.sim.Running(node, adapter, "buf_mode") == "min" {
			out[i].Min = value("min_buf_", name)
		}
	}
	return out
}

// Read returns the adapter's buffers now; nil if nobody counts them.
func (rb ReceiveBuffers) Read(node string, a *topology.Adapter) (*buffers.Counts, error) {
	if rb.sim.Buffers == nil || a.Kind != topology.Virtual {
		return nil, nil
	}
	c, err := rb.sim.Buffers.Read(node, a.Name)
	return &c, err
}
