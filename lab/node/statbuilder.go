package node

import (
	"slices"

	"seaworthy/dialect/aix/entstat"
	"seaworthy/inventory"
	"seaworthy/lab/buffers"
	"seaworthy/lab/odm"
	"seaworthy/lab/topology"
	"seaworthy/lab/wire"
)

// statBuilder puts an adapter's statistics together. What nobody measures is
// left out.
type statBuilder struct {
	w       *Simulator
	node    string
	a       *topology.Adapter
	d       odm.Device
	s       *entstat.Adapter
	link    wire.Link
	stats   wire.Stats
	buffers *buffers.Counts // nil: nobody counts them
}

func (b *statBuilder) running(attr string) string {
	v, _ := b.w.Stores[b.node].Running(b.a.Name, attr)
	return v
}

func count(n int) *uint64 {
	v := uint64(n)
	return &v
}

// holder is the SEA or EtherChannel that has an adapter open.
func (w *Simulator) holder(node, adapter string) (string, bool) {
	for _, d := range w.Stores[node].Devices() {
		if slices.Contains(d.Members, adapter) && d.Kind != inventory.VLANDevice {
			return d.Name, true
		}
	}
	return "", false
}
