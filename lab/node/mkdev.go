package node

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"seaworthy/lab/odm"
)

const (
	mkdevUsage = `	mkdev -l Name [-h] [-q] [-S]`
	rmdevUsage = `	rmdev -l Name [-d | -S] [-R] [-q]`
	rmdevVIOS  = `	rmdev -dev Name [-recursive] [-ucfg]`
)

// mkdev makes a defined device available, with the values of the database.
func (w *World) mkdev(ctx context.Context, c *Call) int {
	o, err := letters("c:s:t:l:a:dSRp:qw:f:h", c.Argv[1:])
	if err == nil && len(o.rest) > 0 {
		err = &usageError{"not a flag: " + strings.Join(o.rest, " ")}
	}
	if err != nil {
		return usage(c, err, mkdevUsage)
	}
	name, ok := o.get("l")
	if !ok {
		return usage(c, errors.New("-l is required: a lab configures devices that it has, it does not define new ones"), mkdevUsage)
	}
	if err := w.change(ctx, c.Node, func(s *odm.Store) error { return s.Configure(name) }); err != nil {
		return fail(c, "/usr/lib/methods/cfgif", err)
	}
	if !o.has("q") {
		fmt.Fprintf(c.Stdout, "%s Available\n", name)
	}
	return 0
}

// rmdev takes a device to Defined, or with -d out of the database.
func (w *World) rmdev(ctx context.Context, c *Call) int {
	var name string
	var ok, remove, quiet bool
	if c.VIOS {
		o, err := words([]string{"recursive", "ucfg"}, []string{"dev"}, nil, c.Argv[1:])
		if err != nil {
			return usage(c, err, rmdevVIOS)
		}
		name, ok = o.get("dev")
		remove = !o.has("ucfg")
		if !ok {
			return usage(c, errors.New("-dev is required"), rmdevVIOS)
		}
	} else {
		o, err := letters("l:dSRqp:f:h", c.Argv[1:])
		if err == nil && len(o.rest) > 0 {
			err = &usageError{"not a flag: " + strings.Join(o.rest, " ")}
		}
		if err != nil {
			return usage(c, err, rmdevUsage)
		}
		name, ok = o.get("l")
		remove, quiet = o.has("d"), o.has("q")
		if !ok {
			return usage(c, errors.New("-l is required"), rmdevUsage)
		}
	}
	err := w.change(ctx, c.Node, func(s *odm.Store) error { return s.Unconfigure(name, remove) })
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
func (w *World) cfgmgr(ctx context.Context, c *Call) int {
	err := w.change(ctx, c.Node, func(s *odm.Store) error { s.Discover(); return nil })
	if err != nil {
		return fail(c, "/usr/lib/methods/defsys", err)
	}
	return 0
}
