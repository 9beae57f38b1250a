package commands

import (
	"context"
	"fmt"
	"strings"

	"seaworthy/lab/node/flags"
	"seaworthy/lab/odm"
)

var errNoName = flags.Usagef("the name of the device is missing")

// write lets f change the node's database. A change of the next boot alone does not
// concern the kernel.
func (c *call) write(ctx context.Context, method string, mode odm.Mode, f func(s *odm.Store) error) error {
	if mode == odm.NextBoot {
		return f(c.db)
	}
	return c.sim.Change(ctx, c.Node, method, f)
}

// changed ends a command that changes devices: it prints the result, unless -q was given.
func (c *call) changed(err error, format string, args ...any) error {
	if err != nil {
		return err
	}
	c.warn()
	if !c.Has("q") {
		fmt.Fprintf(c.Stdout, format, args...)
	}
	return nil
}

// settings reads attribute=value pairs from -a and -attr.
func settings(o *flags.Options) (set []odm.Setting, err error) {
	pairs := o.All("attr")
	for _, a := range o.All("a") { // each may hold several: -a "mtu=9000 state=up"
		pairs = append(pairs, strings.Fields(a)...)
	}
	for _, p := range pairs {
		name, value, ok := strings.Cut(p, "=")
		if !ok || name == "" {
			return nil, flags.Usagef("%s is not of the form attribute=value", p)
		}
		set = append(set, odm.Setting{Attr: name, Value: value})
	}
	return set, nil
}

// warn prints the new warnings of the guard against loops.
func (c *call) warn() { c.printWarnings(c.sim.NewWarnings()) }

func (c *call) printWarnings(news []string) {
	for _, x := range news {
		fmt.Fprintf(c.Stderr, "%s: %s\n", c.Argv[0], x)
	}
}

// deviceOf returns the device that the flags name: by -l, or the first of a type.
func deviceOf(c *call) (string, error) {
	name, ok := c.Get("l")
	if _, found := c.db.Device(name); ok && !found {
		return "", odm.NotFound(name)
	}
	if !ok && !c.Has("c") && !c.Has("s") && !c.Has("t") {
		return "", flags.Usagef("a device is required: -l, or -c, -s and -t")
	}
	for _, d := range c.db.Devices() {
		if matches(c, d) {
			return d.Name, nil
		}
	}
	return "", &odm.Error{Code: "0514-520", Text: "no device of this class, subclass and type:",
		Items: []string{strings.TrimSpace(c.Value("c") + " " + c.Value("s") + " " + c.Value("t"))}}
}

// matches reports whether a device is one that the flags ask for. -S is a state, or d,
// a, s for its first letter.
func matches(c *call, d odm.Device) bool {
	for flag, have := range map[string]string{"c": d.Class, "s": d.Subclass, "t": d.Type, "l": d.Name, "p": d.Parent} {
		if want, ok := c.Get(flag); ok && want != have {
			return false
		}
	}
	return strings.HasPrefix(strings.ToLower(string(d.Status)), strings.ToLower(c.Value("S")))
}
