package node

import (
	"context"
	"fmt"
	"strings"

	"seaworthy/lab/effect"
	"seaworthy/lab/odm"
)

// chdev changes attributes. -P (-perm) writes the database only, -T the
// device only.
func (w *Simulator) chdev(ctx context.Context, c *Call, o *Options) error {
	if o.Has("P") && (o.Has("T") || o.Has("U")) {
		return wrong("-P, -T and -U exclude each other")
	}
	mode := odm.Both
	switch {
	case o.Has("P"), o.Has("perm"):
		mode = odm.NextBoot
	case o.Has("T"):
		mode = odm.RunningOnly
	}
	dev, _ := o.Get("l")
	if c.VIOS {
		dev, _ = o.Get("dev")
	}
	if dev == "" {
		return wrong("the name of the device is missing")
	}
	set, err := settings(o)
	if err != nil {
		return err
	}
	d, ok := w.Stores[c.Node].Device(dev)
	if !ok {
		return odm.NotFound(dev)
	}
	for _, s := range set {
		if why := effect.Refuses(string(d.Kind), s.Attr); why != "" {
			if v, _ := w.Stores[c.Node].Running(dev, s.Attr); v != s.Value {
				return fmt.Errorf("%s %s: cannot change in this lab, because %s", dev, s.Attr, why)
			}
		}
	}
	change := func(s *odm.Store) error { return s.Change(dev, set, mode) }
	if mode == odm.NextBoot {
		err = change(w.Stores[c.Node]) // nothing for the kernel to follow
	} else {
		err = w.change(ctx, c.Node, change)
	}
	if err != nil {
		return by(chdevMethod(d), err)
	}
	w.warn(c)
	if !o.Has("q") {
		fmt.Fprintf(c.Stdout, "%s changed\n", dev)
	}
	return nil
}

// settings are the values of -a and -attr.
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

func chdevMethod(d odm.Device) string {
	if d.Class == "if" {
		return "/usr/lib/methods/chgif"
	}
	return "/usr/lib/methods/chgent"
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
