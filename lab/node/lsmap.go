package node

import (
	"context"
	"errors"
	"slices"
	"strings"

	"seaworthy/dialect/aix/lsmap"
	"seaworthy/lab/odm"
	"seaworthy/lab/topology"
)

const lsmapUsage = `	lsmap {-all | -vadapter Name} -net [-fmt Delimiter]`

// lsmap shows which SEA bridges which virtual adapter. Without -net it would
// list storage, of which a lab has none.
func (w *Simulator) lsmap(_ context.Context, c *Call) int {
	o, err := words([]string{"all", "net", "npiv"}, []string{"vadapter", "fmt"}, []string{"type", "field"}, c.Argv[1:])
	if err == nil && len(o.Rest) > 0 {
		err = &usageError{"not a flag: " + strings.Join(o.Rest, " ")}
	}
	if err != nil {
		return usage(c, err, lsmapUsage)
	}
	one, named := o.Get("vadapter")
	if !o.Has("all") && !named {
		return usage(c, errors.New("one of -all and -vadapter is required"), lsmapUsage)
	}
	if !o.Has("net") {
		return 0
	}
	_, n := w.node(c.Node)
	var rows []lsmap.Adapter
	for _, a := range n.Adapters {
		d, ok := w.Stores[c.Node].Device(a.Name)
		// Only server adapters: those that reach the outside.
		if !ok || a.Kind != topology.Virtual || !a.Trunk || named && a.Name != one {
			continue
		}
		rows = append(rows, w.mapping(c.Node, d))
	}
	if named && len(rows) == 0 {
		return fail(c, "", odm.NotFound(one))
	}
	sep, _ := o.Get("fmt")
	c.Stdout.Write(lsmap.Format(&lsmap.Map{Delimiter: sep, Adapters: rows}))
	return 0
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
