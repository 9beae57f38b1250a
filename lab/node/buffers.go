package node

import (
	"strconv"
	"strings"

	"seaworthy/internal/parse/aix/entstat"
	"seaworthy/lab/buffers"
	"seaworthy/lab/topology"
	"seaworthy/lab/wire"
)

// BufferMeter gives virtual adapters their receive buffers.
type BufferMeter interface {
	// Follow makes them what is wanted.
	Follow(want []buffers.Wanted) error
	// Read gives those of entN on a node.
	Read(node, adapter string) (buffers.Counts, error)
}

// fill lets the receive buffers follow the attributes and the kernel's state.
func (w *Simulator) fill(st wire.State) error {
	if w.Buffers == nil {
		return nil
	}
	var want []buffers.Wanted
	for _, n := range w.Plan().Nodes() {
		for _, a := range n.Adapters {
			if a.Kind != topology.Virtual {
				continue
			}
			e := end(n.Name, a.Name)
			x := buffers.Wanted{Node: n.Name, Adapter: a.Name, Pools: w.pools(n.Name, a.Name), Open: st.Ends[e].Up}
			if far, ok := w.Far(e); ok {
				x.Cut = !st.Ends[far].TSO
			}
			want = append(want, x)
		}
	}
	return w.Buffers.Follow(want)
}

// pools are the sizes in force: in the modes max and max_min the driver takes
// all it may have from the start, whatever the minimum is set to.
func (w *Simulator) pools(node, adapter string) (out [buffers.PoolCount]buffers.Size) {
	value := func(attr, pool string) uint64 {
		v, _ := strconv.ParseUint(w.running(node, adapter, attr+strings.ToLower(pool)), 10, 64)
		return v
	}
	for i, name := range buffers.Names() {
		out[i].Max = value("max_buf_", name)
		out[i].Min = out[i].Max
		if w.running(node, adapter, "buf_mode") == "min" {
			out[i].Min = value("min_buf_", name)
		}
	}
	return out
}

// buffered are the adapter's buffers now; nil if nobody counts them.
func (w *Simulator) buffered(node string, a *topology.Adapter) (*buffers.Counts, error) {
	if w.Buffers == nil || a.Kind != topology.Virtual {
		return nil, nil
	}
	c, err := w.Buffers.Read(node, a.Name)
	return &c, err
}

// receiveBuffers are the hypervisor's counters of frames that it could not
// deliver, and the table of the pools. Without a meter it ends with what is set:
// how many are in use nobody knows then.
func (b *statBuilder) receiveBuffers(v *entstat.Virtual) {
	c := b.buffers
	if c != nil {
		v.SendFailures, v.ReceiverFailures = new(b.failures+b.stats.TxErrors), &b.failures
		v.SendErrors, v.ReceiveFailures = &b.stats.TxErrors, &b.refused
	}
	sizes := b.w.pools(b.n.Name, b.a.Name)
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

// modeNames are the driver's names of the values of buf_mode.
var modeNames = map[string]string{"min": "Min", "max": "Max", "max_min": "Max Min"}
