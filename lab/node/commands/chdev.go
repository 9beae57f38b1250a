package commands

import (
	"cmp"
	"context"
	"fmt"

	"seaworthy/lab/effect"
	"seaworthy/lab/node/flags"
	"seaworthy/lab/odm"
)

func chdevCommand() command {
	return command{
		run: runChdev,
		aix: &form{
			ordinary: permissionDenied("chdev"),
			flags:    "l:a:f:hp:PTUqw:g",
			help:     true,
			usage:    `chdev -l Name [-a Attribute=Value]... [-P | -T] [-U] [-q]`,
		},
		vios: &form{
			flags: "-perm -restoreroute -force -dev: -attr*",
			usage: `chdev -dev Name [-perm] -attr Attribute=Value [Attribute=Value...]`,
		},
	}
}

// runChdev changes attributes. -P (-perm) writes the database only, -T the
// device only.
func runChdev(ctx context.Context, c *call) error {
	if c.Has("P") && (c.Has("T") || c.Has("U")) {
		return flags.Usagef("-P, -T and -U exclude each other")
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
	err = c.sim.Faults().RefuseChange(c.Node, dev)
	if err != nil {
		return err
	}
	method := "/usr/lib/methods/chgent"
	if d.Class == "if" {
		method = "/usr/lib/methods/chgif"
	}
	err = c.write(ctx, method, mode, func(s *odm.Store) error { return s.Change(dev, set, mode) })
	return c.changed(err, "%s changed\n", dev)
}
