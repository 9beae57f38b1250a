package commands

import (
	"context"
	"slices"

	"seaworthy/internal/parse/aix/lsmap"
	"seaworthy/lab/node/flags"
	"seaworthy/lab/odm"
	"seaworthy/lab/printing"
	"seaworthy/lab/topology"
)

func lsmapCommand() command {
	return command{
		run: runLsmap,
		vios: &form{
			flags: "-all -net -npiv -vadapter: -fmt: -type* -field*",
			usage: `lsmap {-all | -vadapter Name} -net [-fmt Delimiter]`,
		},
	}
}

// runLsmap shows which SEA bridges which virtual adapter. Without -net it would
// list storage; a lab has none.
func runLsmap(_ context.Context, c *call) error {
	one, named := c.Get("vadapter")
	if !c.Has("all") && !named {
		return flags.Usagef("one of -all and -vadapter is required")
	}
	if !c.Has("net") {
		return nil
	}
	var rows []lsmap.Adapter
	for _, a := range c.config.Adapters {
		d, ok := c.db.Device(a.Name)
		// Only server adapters: those that reach the outside.
		if !ok || a.Kind != topology.Virtual || !a.Trunk || named && a.Name != one {
			continue
		}
		rows = append(rows, mapping(c.db, d))
	}
	if named && len(rows) == 0 {
		return odm.NotFound(one)
	}
	sep := c.Value("fmt")
	return c.Print(printing.FormatLsmap(&lsmap.Map{Delimiter: sep, Adapters: rows}))
}

// mapping returns the SEA that bridges an adapter, and the device behind it.
func mapping(db *odm.Store, d odm.Device) lsmap.Adapter {
	m := lsmap.Adapter{Name: d.Name, PhysLoc: d.PhysLoc, NoSEA: true}
	for _, sea := range db.Devices() {
		if !slices.Contains(sea.Members, d.Name) || len(sea.Members) == 0 {
			continue
		}
		m.SEA, m.Status, m.NoSEA = sea.Name, string(sea.Status), false
		m.Backing = sea.Members[0]
		if b, ok := db.Device(m.Backing); ok {
			m.BackingLoc = b.PhysLoc
		}
	}
	return m
}
