package commands

import (
	"cmp"
	"context"
	"fmt"

	"seaworthy/internal/inventory/model"
	"seaworthy/lab/node"
	"seaworthy/lab/odm"
)

func rmdevCommand() command {
	return command{
		run: runRmdev,
		aix: &form{
			ordinary: permissionDenied("rmdev"),
			flags:    "l:dSRqp:f:h",
			help:     true,
			usage:    `rmdev -l Name [-d | -S] [-R] [-q]`,
		},
		vios: &form{
			flags:    "-recursive -ucfg -dev:",
			operands: anyNumber,
			usage:    `rmdev -dev Name [-recursive] [-ucfg]`,
		},
	}
}

// runRmdev takes a device to Defined, or with -d out of the database.
func runRmdev(ctx context.Context, c *call) error {
	name := cmp.Or(c.Value("l"), c.Value("dev"))
	if name == "" {
		return errNoName
	}
	remove, becomes := c.Has("d") || c.VIOS && !c.Has("ucfg"), "Defined"
	if remove {
		becomes = "deleted"
	}
	var err error
	if d, _ := c.db.Device(name); remove && d.Kind == model.VLANDevice {
		err = c.sim.VLANDevices().Remove(ctx, c.Node, name)
	} else {
		err = c.sim.Change(ctx, c.Node, node.UnconfigureMethod, func(s *odm.Store) error { return s.Unconfigure(name, remove) })
	}
	if err == nil && !c.Has("q") {
		fmt.Fprintf(c.Stdout, "%s %s\n", name, becomes)
	}
	return err
}
