package node

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"seaworthy/lab/effect"
	"seaworthy/lab/odm"
)

const (
	chdevUsage = `	chdev -l Name [-a Attribute=Value]... [-P | -T] [-U] [-q]`
	chdevVIOS  = `	chdev -dev Name [-perm] -attr Attribute=Value [Attribute=Value...]`
)

// chdev changes attributes. -P (-perm) writes the database only, -T the
// device only.
func (w *Simulator) chdev(ctx context.Context, c *Call) int {
	if c.VIOS {
		o, err := words([]string{"perm", "restoreroute", "force"}, []string{"dev"}, []string{"attr"}, c.Argv[1:])
		if err == nil && len(o.Rest) > 0 {
			err = &usageError{"not a flag: " + strings.Join(o.Rest, " ")}
		}
		if err != nil {
			return usage(c, err, chdevVIOS)
		}
		dev, _ := o.Get("dev")
		mode := odm.Both
		if o.Has("perm") {
			mode = odm.NextBoot
		}
		return w.chdevTo(ctx, c, dev, o.All("attr"), mode, false, chdevVIOS)
	}
	o, err := Letters("l:a:f:hp:PTUqw:g", c.Argv[1:])
	if err == nil && len(o.Rest) > 0 {
		err = &usageError{"not a flag: " + strings.Join(o.Rest, " ")}
	}
	if err != nil {
		return usage(c, err, chdevUsage)
	}
	if o.Has("h") {
		fmt.Fprintln(c.Stderr, chdevUsage)
		return 0
	}
	if o.Has("P") && (o.Has("T") || o.Has("U")) {
		return usage(c, errors.New("-P, -T and -U exclude each other"), chdevUsage)
	}
	mode := odm.Both
	switch {
	case o.Has("P"):
		mode = odm.NextBoot
	case o.Has("T"):
		mode = odm.RunningOnly
	}
	dev, _ := o.Get("l")
	// One -a may hold several pairs: -a "mtu=9000 state=up".
	var pairs []string
	for _, a := range o.All("a") {
		pairs = append(pairs, strings.Fields(a)...)
	}
	return w.chdevTo(ctx, c, dev, pairs, mode, o.Has("q"), chdevUsage)
}

func (w *Simulator) chdevTo(ctx context.Context, c *Call, dev string, pairs []string, mode odm.Mode, quiet bool, how string) int {
	if dev == "" {
		return usage(c, errors.New("the name of the device is missing"), how)
	}
	var set []odm.Setting
	for _, p := range pairs {
		name, value, err := split(p)
		if err != nil {
			return usage(c, err, how)
		}
		set = append(set, odm.Setting{Attr: name, Value: value})
	}
	d, ok := w.Stores[c.Node].Device(dev)
	if !ok {
		return fail(c, "", odm.NotFound(dev))
	}
	for _, s := range set {
		if why := effect.Refuses(string(d.Kind), s.Attr); why != "" {
			if v, _ := w.Stores[c.Node].Running(dev, s.Attr); v != s.Value {
				return fail(c, "", fmt.Errorf("%s %s: cannot change in this lab, because %s", dev, s.Attr, why))
			}
		}
	}
	change := func(s *odm.Store) error { return s.Change(dev, set, mode) }
	var err error
	if mode == odm.NextBoot {
		err = change(w.Stores[c.Node]) // nothing for the kernel to follow
	} else {
		err = w.change(ctx, c.Node, change)
	}
	if err != nil {
		return fail(c, chdevMethod(d), err)
	}
	w.warn(c)
	if !quiet {
		fmt.Fprintf(c.Stdout, "%s changed\n", dev)
	}
	return 0
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
	news := w.report()
	w.changing.Unlock()
	for _, x := range news {
		fmt.Fprintf(c.Stderr, "%s: %s\n", c.Argv[0], x)
	}
}
