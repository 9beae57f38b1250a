package commands

import (
	"context"

	"seaworthy/internal/parse/aix/lscfg"
	"seaworthy/lab/node/flags"
	"seaworthy/lab/odm"
	"seaworthy/lab/printing"
)

func lscfgCommand() command {
	return command{
		run: runLscfg,
		aix: &form{
			flags: "vpsl:",
			usage: `lscfg [-v] [-p] -l Name`,
		},
	}
}

// runLscfg prints where one device is; a lab's devices have no other vital
// product data.
func runLscfg(_ context.Context, c *call) error {
	name, one := c.Get("l")
	if !one {
		return flags.Usagef("in this lab it shows one device at a time: -l")
	}
	d, ok := c.db.Device(name)
	if !ok {
		return odm.NotFound(name)
	}
	r := &lscfg.Resource{Name: d.Name, Location: d.PhysLoc, Description: d.Description}
	if c.Has("v") && d.PhysLoc != "" {
		r.VPD = []lscfg.Item{{Label: "Hardware Location Code", Value: d.PhysLoc}}
	}
	return c.Print(printing.FormatLscfg(r))
}
