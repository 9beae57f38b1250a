package node

import (
	"context"
	"fmt"

	"seaworthy/lab/odm"
)

// mkdev makes a defined device available, with the values of the database, or
// with -c, -s and -t a new VLAN pseudo device.
func (w *Simulator) mkdev(ctx context.Context, c *Call, o *Options) error {
	if o.Has("c") || o.Has("s") || o.Has("t") {
		return w.mkdevNew(ctx, c, o)
	}
	name, ok := o.Get("l")
	if !ok {
		return wrong("-l, or -c, -s and -t are required")
	}
	if err := w.change(ctx, c.Node, func(s *odm.Store) error { return s.Configure(name) }); err != nil {
		return by("/usr/lib/methods/cfgif", err)
	}
	if name == "inet0" {
		if err := w.nameAgain(c.Node); err != nil {
			return err
		}
	}
	if !o.Has("q") {
		fmt.Fprintf(c.Stdout, "%s Available\n", name)
	}
	return nil
}

// mkdevNew defines a device that was not there. Apart from VLAN pseudo devices a
// lab has those of its topology.
func (w *Simulator) mkdevNew(ctx context.Context, c *Call, o *Options) error {
	class, _ := o.Get("c")
	subclass, _ := o.Get("s")
	kind, _ := o.Get("t")
	switch {
	case class != "adapter" || subclass != "vlan" || kind != "eth":
		return fmt.Errorf("class %q, subclass %q, type %q: a lab makes VLAN devices (-c adapter -s vlan -t eth), "+
			"all others are those of its topology", class, subclass, kind)
	case o.Has("l"):
		return wrong("a new VLAN device takes the next free name: leave -l out")
	}
	set, err := settings(o)
	if err != nil {
		return err
	}
	name, err := w.defineVLAN(ctx, c.Node, set, !o.Has("d"))
	if err != nil {
		return by(cfgvlan, err)
	}
	if !o.Has("q") {
		fmt.Fprintf(c.Stdout, "%s %s\n", name, map[bool]odm.Status{false: odm.Available, true: odm.Defined}[o.Has("d")])
	}
	w.warn(c)
	return nil
}

// rmdev takes a device to Defined, or with -d out of the database.
func (w *Simulator) rmdev(ctx context.Context, c *Call, o *Options) error {
	name, ok := o.Get("l")
	remove := o.Has("d")
	if c.VIOS {
		name, ok = o.Get("dev")
		remove = !o.Has("ucfg")
	}
	if !ok {
		return wrong("the name of the device is missing")
	}
	var err error
	if remove && w.isVLAN(c.Node, name) {
		err = w.removeVLAN(ctx, c.Node, name)
	} else {
		err = w.change(ctx, c.Node, func(s *odm.Store) error { return s.Unconfigure(name, remove) })
	}
	if err != nil {
		return by("/usr/lib/methods/ucfgdevice", err)
	}
	switch {
	case o.Has("q"):
	case remove:
		fmt.Fprintf(c.Stdout, "%s deleted\n", name)
	default:
		fmt.Fprintf(c.Stdout, "%s Defined\n", name)
	}
	return nil
}

// cfgmgr configures what is there. It prints nothing, as AIX's does.
func (w *Simulator) cfgmgr(ctx context.Context, c *Call, o *Options) error {
	return by("/usr/lib/methods/defsys", w.change(ctx, c.Node, func(s *odm.Store) error { s.Discover(); return nil }))
}
