package node

import (
	"context"
	"slices"

	"seaworthy/dialect/aix/lsmap"
	"seaworthy/lab/odm"
	"seaworthy/lab/topology"
)

// lsmap shows which SEA bridges which virtual adapter. Without -net it would
// list storage; a lab has none.
func (w *Simulator) lsmap(_ context.Context, c *call) error {
	one, named := c.Get("vadapter")
	if !c.Has("all") && !named {
		return wrong("one of -all and -vadapter is required")
	}
	if !c.Has("net") {
		return nil
	}
	var rows []lsmap.Adapter
	for _, a := range c.n.Adapters {
		d, ok := c.db.Device(a.Name)
		// Only server adapters: those that reach the outside.
		if !ok || a.Kind != topology.Virtual || !a.Trunk || named && a.Name != one {
			continue
		}
		rows = append(rows, w.mapping(c.Node, d))
	}
	if named && len(rows) == 0 {
		return odm.NotFound(one)
	}
	sep := c.Value("fmt")
	return c.Print(lsmap.Format(&lsmap.Map{Delimiter: sep, Adapters: rows}))
}

func (w *Simulator) mapping(node string, d odm.Device) lsmap.Adapter {
	m := lsmap.Adapter{Name: d.Name, PhysLoc: d.PhysLoc, NoSEA: true}
	for _, sea := range w.Stores[node].Devices() {
		if !slices.Contains(sea.Members, d.Name) || len(sea.Members) == 0 {
			continue
		}
		m.SEA, m.NoSEA, m.Backing, m.Status = sea.Name, false, sea.Members[0], string(sea.Status)
		if b, ok := w.Stores[node].Device(m.Backing); ok {
			m.BackingLoc = b.PhysLoc
		}
	}
	return m
}
