package node

import (
	"strconv"
	"strings"

	"seaworthy/dialect/aix/entstat"
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
func (w *World) fill(st wire.State) error {
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
func (w *World) pools(node, adapter string) (out [buffers.PoolCount]buffers.Size) {
	mode, _ := w.Stores[node].Running(adapter, "buf_mode")
	for i, name := range buffers.Names() {
		v, _ := w.Stores[node].Running(adapter, "max_buf_"+strings.ToLower(name))
		out[i].Max, _ = strconv.ParseUint(v, 10, 64)
		out[i].Min = out[i].Max
		if mode == "min" {
			v, _ = w.Stores[node].Running(adapter, "min_buf_"+strings.ToLower(name))
			out[i].Min, _ = strconv.ParseUint(v, 10, 64)
		}
	}
	return out
}

// buffered are the adapter's buffers now; nil if nobody counts them.
func (b *statBuilder) buffered() (*buffers.Counts, error) {
	if b.w.Buffers == nil || b.a.Kind != topology.Virtual {
		return nil, nil
	}
	c, err := b.w.Buffers.Read(b.node, b.a.Name)
	return &c, err
}

// failures are the hypervisor's words on frames that it could not deliver: sent
// by this adapter, and meant for it.
func (b *statBuilder) failures() {
	if b.buffers == nil {
		return
	}
	b.number(0, "Hypervisor Send Failures", b.buffers.ReceiverFailures+b.stats.TxErrors)
	b.number(1, "Receiver Failures", b.buffers.ReceiverFailures)
	b.number(1, "Send Errors", b.stats.TxErrors)
	b.number(0, "Hypervisor Receive Failures", b.buffers.Refused())
}

// receiveBuffers is the table of the pools. Without a meter it ends with what
// is set: how many are in use nobody knows then.
func (b *statBuilder) receiveBuffers(under string) {
	b.heading(under, "Receive Information", 0)
	info := b.section
	b.heading(info, "Receive Buffers", 1)
	table := b.section
	b.add(&entstat.Field{Kind: entstat.Columns, Level: 2, Label: "Buffer Type", Items: buffers.Names()})
	row := func(level int, label string, of func(pool int) uint64) {
		f := &entstat.Field{Kind: entstat.Row, Level: level, Label: label}
		for p := range buffers.PoolCount {
			v := of(p)
			f.Cells = append(f.Cells, &v)
		}
		b.add(f)
	}
	sizes := b.w.pools(b.node, b.a.Name)
	row(2, "Min Buffers", func(p int) uint64 { return sizes[p].Min })
	row(2, "Max Buffers", func(p int) uint64 { return sizes[p].Max })
	if c := b.buffers; c != nil {
		row(2, "Allocated", func(p int) uint64 { return c.Pools[p].Allocated })
		row(2, "Registered", func(p int) uint64 { return c.Pools[p].Registered })
		b.heading(table, "History", 2)
		row(3, "Max Allocated", func(p int) uint64 { return c.Pools[p].MaxAllocated })
		row(3, "Lowest Registered", func(p int) uint64 { return c.Pools[p].LowestRegistered })
	}
	b.section = info
	b.add(&entstat.Field{Level: 1, Label: "Buffer Mode", Text: modeName(b.running("buf_mode"))})
}

func modeName(mode string) string {
	switch mode {
	case "max_min":
		return "Max Min"
	case "max":
		return "Max"
	}
	return "Min"
}
