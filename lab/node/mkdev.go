package node

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"seaworthy/lab/odm"
)

const (
	mkdevUsage = `	mkdev -l Name [-h] [-q] [-S]
	mkdev -c adapter -s vlan -t eth -a base_adapter=entN -a vlan_tag_id=ID [-a vlan_priority=N] [-d] [-q]`
	rmdevUsage = `	rmdev -l Name [-d | -S] [-R] [-q]`
	rmdevVIOS  = `	rmdev -dev Name [-recursive] [-ucfg]`
)

// mkdev makes a defined device available, with the values of the database, or
// with -c, -s and -t a new VLAN pseudo device.
func (w *Simulator) mkdev(ctx context.Context, c *Call) int {
	o, err := Letters("c:s:t:l:a:dSRp:qw:f:h", c.Argv[1:])
	if err == nil && len(o.Rest) > 0 {
		err = &usageError{"not a flag: " + strings.Join(o.Rest, " ")}
	}
	if err != nil {
		return usage(c, err, mkdevUsage)
	}
	if o.Has("c") || o.Has("s") || o.Has("t") {
		return w.mkdevNew(ctx, c, o)
	}
	name, ok := o.Get("l")
	if !ok {
		return usage(c, errors.New("-l, or -c, -s and -t are required"), mkdevUsage)
	}
	if err := w.change(ctx, c.Node, func(s *odm.Store) error { return s.Configure(name) }); err != nil {
		return fail(c, "/usr/lib/methods/cfgif", err)
	}
	if !o.Has("q") {
		fmt.Fprintf(c.Stdout, "%s Available\n", name)
	}
	return 0
}

// mkdevNew defines a device that was not there. Besides VLAN pseudo devices a
// lab has those of its topology.
func (w *Simulator) mkdevNew(ctx context.Context, c *Call, o *Options) int {
	class, _ := o.Get("c")
	subclass, _ := o.Get("s")
	kind, _ := o.Get("t")
	switch {
	case class != "adapter" || subclass != "vlan" || kind != "eth":
		return fail(c, "", fmt.Errorf("class %q, subclass %q, type %q: a lab makes VLAN devices (-c adapter -s vlan -t "+
			"eth), all others are those of its topology", class, subclass, kind))
	case o.Has("l"):
		return usage(c, errors.New("a new VLAN device takes the next free name: leave -l out"), mkdevUsage)
	}
	var set []odm.Setting
	for _, a := range o.All("a") {
		for _, pair := range strings.Fields(a) {
			name, value, err := split(pair)
			if err != nil {
				return usage(c, err, mkdevUsage)
			}
			set = append(set, odm.Setting{Attr: name, Value: value})
		}
	}
	name, err := w.defineVLAN(ctx, c.Node, set, !o.Has("d"))
	if err != nil {
		return fail(c, cfgvlan, err)
	}
	if !o.Has("q") {
		fmt.Fprintf(c.Stdout, "%s %s\n", name, map[bool]odm.Status{false: odm.Available, true: odm.Defined}[o.Has("d")])
	}
	w.warn(c)
	return 0
}

// rmdev takes a device to Defined, or with -d out of the database.
func (w *Simulator) rmdev(ctx context.Context, c *Call) int {
	var name string
	var ok, remove, quiet bool
	if c.VIOS {
		o, err := words([]string{"recursive", "ucfg"}, []string{"dev"}, nil, c.Argv[1:])
		if err != nil {
			return usage(c, err, rmdevVIOS)
		}
		name, ok = o.Get("dev")
		remove = !o.Has("ucfg")
		if !ok {
			return usage(c, errors.New("-dev is required"), rmdevVIOS)
		}
	} else {
		o, err := Letters("l:dSRqp:f:h", c.Argv[1:])
		if err == nil && len(o.Rest) > 0 {
			err = &usageError{"not a flag: " + strings.Join(o.Rest, " ")}
		}
		if err != nil {
			return usage(c, err, rmdevUsage)
		}
		name, ok = o.Get("l")
		remove, quiet = o.Has("d"), o.Has("q")
		if !ok {
			return usage(c, errors.New("-l is required"), rmdevUsage)
		}
	}
	var err error
	if remove && w.isVLAN(c.Node, name) {
		err = w.removeVLAN(ctx, c.Node, name)
	} else {
		err = w.change(ctx, c.Node, func(s *odm.Store) error { return s.Unconfigure(name, remove) })
	}
	if err != nil {
		return fail(c, "/usr/lib/methods/ucfgdevice", err)
	}
	switch {
	case quiet:
	case remove:
		fmt.Fprintf(c.Stdout, "%s deleted\n", name)
	default:
		fmt.Fprintf(c.Stdout, "%s Defined\n", name)
	}
	return 0
}

// cfgmgr configures what is there. It prints nothing, as AIX's does.
func (w *Simulator) cfgmgr(ctx context.Context, c *Call) int {
	err := w.change(ctx, c.Node, func(s *odm.Store) error { s.Discover(); return nil })
	if err != nil {
		return fail(c, "/usr/lib/methods/defsys", err)
	}
	return 0
}
