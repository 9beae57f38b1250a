package node

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"seaworthy/dialect/aix/instfix"
	"seaworthy/dialect/aix/lscfg"
	"seaworthy/lab/odm"
)

// lscfg prints where one device is; a lab's devices have no other vital
// product data.
func (w *Simulator) lscfg(_ context.Context, c *call) error {
	name, one := c.Get("l")
	if !one {
		return wrong("in this lab it shows one device at a time: -l")
	}
	d, ok := c.db.Device(name)
	if !ok {
		return odm.NotFound(name)
	}
	r := &lscfg.Resource{Name: d.Name, Location: d.PhysLoc, Description: d.Description}
	if c.Has("v") && d.PhysLoc != "" {
		r.VPD = []lscfg.Item{{Label: "Hardware Location Code", Value: d.PhysLoc}}
	}
	return c.Print(lscfg.Format(r))
}

// instfix says of fixes that it has no data: a lab's level is a name, nothing
// is installed by it.
func (w *Simulator) instfix(_ context.Context, c *call) error {
	if !c.Has("i") {
		return wrong("in this lab it only lists: -i")
	}
	keys := c.Value("k")
	list := &instfix.List{}
	for _, k := range strings.Fields(keys) {
		list.Fixes = append(list.Fixes, &instfix.Fix{Name: k, State: instfix.Unknown})
	}
	fmt.Fprintf(c.Stderr, "%s", instfix.Format(list))
	if len(list.Fixes) > 0 {
		return exit(1)
	}
	return nil
}

// rules would compare the VIOS with rules files; a lab has none.
func (w *Simulator) rules(_ context.Context, c *call) error {
	return errors.New("there are no rules files in this lab: nothing to compare")
}
