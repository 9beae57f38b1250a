package commands

import (
	"context"
	"fmt"

	"seaworthy/lab/node/flags"
	"seaworthy/lab/odm"
)

func mkdevCommand() command {
	return command{
		run: runMkdev,
		aix: &form{
			ordinary: permissionDenied("mkdev"),
			flags:    "c:s:t:l:a:dSRp:qw:f:h",
			help:     true,
			usage: `mkdev -l Name [-h] [-q] [-S]
mkdev -c adapter -s vlan -t eth -a base_adapter=entN -a vlan_tag_id=ID [-a vlan_priority=N] [-d] [-q]`,
		},
	}
}

// runMkdev makes a defined device available, with the values of the database, or
// with -c, -s and -t a new VLAN pseudo device.
func runMkdev(ctx context.Context, c *call) error {
	name, ok := c.Get("l")
	switch {
	case c.Has("c"), c.Has("s"), c.Has("t"):
		return mkdevNew(ctx, c)
	case !ok:
		return flags.Usagef("-l, or -c, -s and -t are required")
	}
	err := c.sim.Change(ctx, c.Node, "/usr/lib/methods/cfgif", func(s *odm.Store) error { return s.Configure(name) })
	if err == nil && name == "inet0" {
		err = c.sim.RestoreHostname(c.Node)
	}
	if err == nil && !c.Has("q") {
		fmt.Fprintf(c.Stdout, "%s Available\n", name)
	}
	return err
}

// mkdevNew defines a device that was not there. Apart from VLAN pseudo devices a
// lab has those of its topology.
func mkdevNew(ctx context.Context, c *call) error {
	class, subclass, kind := c.Value("c"), c.Value("s"), c.Value("t")
	switch {
	case class != "adapter" || subclass != "vlan" || kind != "eth":
		return fmt.Errorf("class %q, subclass %q, type %q: a lab makes VLAN devices (-c adapter -s vlan -t eth), "+
			"all others are those of its topology", class, subclass, kind)
	case c.Has("l"):
		return flags.Usagef("a new VLAN device takes the next free name: leave -l out")
	}
	set, err := settings(c.Options)
	if err != nil {
		return err
	}
	status := odm.Available
	if c.Has("d") {
		status = odm.Defined
	}
	name, err := c.sim.VLANDevices().Define(ctx, c.Node, set, status)
	return c.changed(err, "%s %s\n", name, status)
}
