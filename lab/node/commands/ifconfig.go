package commands

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"seaworthy/internal/parse/aix/ifconfig"
	"seaworthy/lab/node/flags"
	"seaworthy/lab/odm"
	"seaworthy/lab/printing"
)

func ifconfigCommand() command {
	return command{
		run: runIfconfig,
		aix: &form{
			ordinary: &refusal{says: "ifconfig: only root may change an interface", exit: 1,
				when: "^(up|down|detach|delete|alias|mtu|-?[a-z]*(largesend|monitor).*|[0-9].*)$"},
			usage: `ifconfig Interface [inet] [Address [Parameters...]]
ifconfig Interface [Parameters...]
ifconfig {-a | -l} [-d | -u] [inet]`,
		},
	}
}

// runIfconfig shows and changes what runs. What it changes is gone at the next
// boot; the database keeps what chdev wrote.
func runIfconfig(ctx context.Context, c *call) error {
	args := c.Rest
	if len(args) == 0 {
		return flags.Usagef("an interface, -a or -l is required")
	}
	if strings.HasPrefix(args[0], "-") {
		return ifconfigAll(c)
	}
	name := args[0]
	if len(args) == 1 || len(args) == 2 && args[1] == "inet" {
		if name != "lo0" && !c.db.Attached(name) {
			return noInterface(name)
		}
		return ifconfigShow(c, []string{name})
	}
	d, ok := c.db.Device(name)
	if !ok || d.On == "" || d.Status != odm.Available {
		return noInterface(name)
	}
	x, err := changesOf(args[1:])
	if err != nil {
		return err
	}
	return ioctl(name, c.sim.Change(ctx, c.Node, "", func(s *odm.Store) error { return x.apply(s, d) }))
}

func noInterface(name string) error { return fmt.Errorf("%s: No such device", name) }

// ioctl is an error in the words of an ioctl.
func ioctl(name string, err error) error {
	var e *odm.Error
	switch {
	case err == nil:
		return nil
	case errors.As(err, &e) && e.Code == "0514-018":
		return fmt.Errorf("%s: %s", name, strings.TrimSuffix("Invalid argument: "+e.Reason, ": "))
	}
	return fmt.Errorf("%s: %v", name, err)
}

// ifconfigAll is ifconfig -a, or -l for the names alone; -u and -d choose those
// that are up or down.
func ifconfigAll(c *call) error {
	o, err := flags.Letters("aldu", c.Argv[1:])
	switch {
	case err != nil:
		return err
	case !o.Has("a") && !o.Has("l"):
		return flags.Usagef("-d and -u choose of -a or -l")
	case len(o.Rest) > 1 || len(o.Rest) == 1 && o.Rest[0] != "inet":
		return flags.TooMany(o.Rest)
	}
	all, err := c.interfaces().all()
	if err != nil {
		return err
	}
	var names []string
	for _, i := range all {
		if i.up && !o.Has("d") || !i.up && !o.Has("u") {
			names = append(names, i.name)
		}
	}
	if o.Has("l") {
		return c.Print(printing.FormatIfconfig(&ifconfig.Config{Names: names}))
	}
	return ifconfigShow(c, names)
}

func ifconfigShow(c *call, names []string) error {
	out := &ifconfig.Config{}
	for _, name := range names {
		i, err := c.interfaces().show(name)
		if err != nil {
			return err
		}
		out.Interfaces = append(out.Interfaces, i)
	}
	return c.Print(printing.FormatIfconfig(out))
}
