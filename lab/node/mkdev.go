package node

import (
	"cmp"
	"context"
	"fmt"

	"seaworthy/inventory"
	"seaworthy/lab/odm"
)

// mkdev makes a defined device available, with the values of the database, or
// with -c, -s and -t a new VLAN pseudo device.
func (w *Simulator) mkdev(ctx context.Context, c *call) error {
	name, ok := c.Get("l")
	switch {
	case c.Has("c"), c.Has("s"), c.Has("t"):
		return w.mkdevNew(ctx, c)
	case !ok:
		return wrong("-l, or -c, -s and -t are required")
	}
	err := w.change(ctx, c.Node, "/usr/lib/methods/cfgif", func(s *odm.Store) error { return s.Configure(name) })
	if err == nil && name == "inet0" {
		err = w.nameAgain(c.Node)
	}
	if err == nil && !c.Has("q") {
		fmt.Fprintf(c.Stdout, "%s Available\n", name)
	}
	return err
}

// mkdevNew defines a device that was not there. Apart from VLAN pseudo devices a
// lab has those of its topology.
func (w *Simulator) mkdevNew(ctx context.Context, c *call) error {
	class, subclass, kind := c.Value("c"), c.Value("s"), c.Value("t")
	switch {
	case class != "adapter" || subclass != "vlan" || kind != "eth":
		return fmt.Errorf("class %q, subclass %q, type %q: a lab makes VLAN devices (-c adapter -s vlan -t eth), "+
			"all others are those of its topology", class, subclass, kind)
	case c.Has("l"):
		return wrong("a new VLAN device takes the next free name: leave -l out")
	}
	set, err := settings(c.Options)
	if err != nil {
		return err
	}
	status := odm.Available
	if c.Has("d") {
		status = odm.Defined
	}
	name, err := w.defineVLAN(ctx, c.Node, set, status)
	return w.changed(c, err, "%s %s\n", name, status)
}

// rmdev takes a device to Defined, or with -d out of the database.
func (w *Simulator) rmdev(ctx context.Context, c *call) error {
	name := cmp.Or(c.Value("l"), c.Value("dev"))
	if name == "" {
		return errNoName
	}
	remove, becomes := c.Has("d") || c.VIOS && !c.Has("ucfg"), "Defined"
	if remove {
		becomes = "deleted"
	}
	var err error
	if d, _ := c.db.Device(name); remove && d.Kind == inventory.VLANDevice {
		err = w.removeVLAN(ctx, c.Node, name)
	} else {
		err = w.change(ctx, c.Node, ucfgdevice, func(s *odm.Store) error { return s.Unconfigure(name, remove) })
	}
	if err == nil && !c.Has("q") {
		fmt.Fprintf(c.Stdout, "%s %s\n", name, becomes)
	}
	return err
}

// cfgmgr configures what is there. It prints nothing, as AIX's does.
func (w *Simulator) cfgmgr(ctx context.Context, c *call) error {
	return w.change(ctx, c.Node, "/usr/lib/methods/defsys", func(s *odm.Store) error { s.Discover(); return nil })
}
