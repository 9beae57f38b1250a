package node

import (
	"cmp"
	"context"
	"fmt"
	"strings"

	"seaworthy/internal/inventory/model"
	"seaworthy/lab/effect"
	"seaworthy/lab/odm"
)

// chdev changes attributes. -P (-perm) writes the database only, -T the
// device only.
func (w *Simulator) chdev(ctx context.Context, c *call) error {
	if c.Has("P") && (c.Has("T") || c.Has("U")) {
		return wrong("-P, -T and -U exclude each other")
	}
	mode := odm.Both
	switch {
	case c.Has("P"), c.Has("perm"):
		mode = odm.NextBoot
	case c.Has("T"):
		mode = odm.RunningOnly
	}
	dev := cmp.Or(c.Value("l"), c.Value("dev"))
	if dev == "" {
		return errNoName
	}
	set, err := settings(c.Options)
	if err != nil {
		return err
	}
	d, ok := c.db.Device(dev)
	if !ok {
		return odm.NotFound(dev)
	}
	for _, s := range set {
		why := effect.Refuses(string(d.Kind), s.Attr)
		if v, _ := c.db.Running(dev, s.Attr); why != "" && v != s.Value {
			return fmt.Errorf("%s %s: cannot change in this lab, because %s", dev, s.Attr, why)
		}
	}
	method := "/usr/lib/methods/chgent"
	if d.Class == "if" {
		method = "/usr/lib/methods/chgif"
	}
	err = w.write(ctx, c, method, mode, func(s *odm.Store) error { return s.Change(dev, set, mode) })
	return w.changed(c, err, "%s changed\n", dev)
}

var errNoName = wrong("the name of the device is missing")

// write lets f change a node's database. For the next boot alone there is nothing
// that the kernel could follow.
func (w *Simulator) write(ctx context.Context, c *call, method string, mode odm.Mode, f func(s *odm.Store) error) error {
	if mode == odm.NextBoot {
		return f(c.db)
	}
	return w.change(ctx, c.Node, method, f)
}

// changed ends a command that changes devices: it says so, unless -q forbids it.
func (w *Simulator) changed(c *call, err error, format string, args ...any) error {
	if err != nil {
		return err
	}
	w.warn(c.Call)
	if !c.Has("q") {
		fmt.Fprintf(c.Stdout, format, args...)
	}
	return nil
}

func settings(o *Options) (set []odm.Setting, err error) {
	pairs := o.All("attr")
	for _, a := range o.All("a") { // each may hold several: -a "mtu=9000 state=up"
		pairs = append(pairs, strings.Fields(a)...)
	}
	for _, p := range pairs {
		name, value, ok := strings.Cut(p, "=")
		if !ok || name == "" {
			return nil, wrong("%s is not of the form attribute=value", p)
		}
		set = append(set, odm.Setting{Attr: name, Value: value})
	}
	return set, nil
}

// warn prints what the guard against loops has to say since the last time.
func (w *Simulator) warn(c *Call) {
	w.changing.Lock()
	defer w.changing.Unlock()
	warn(c, w.report())
}

func warn(c *Call, news []string) {
	for _, x := range news {
		fmt.Fprintf(c.Stderr, "%s: %s\n", c.Argv[0], x)
	}
}

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
	if d, _ := c.db.Device(name); remove && d.Kind == model.VLANDevice {
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
