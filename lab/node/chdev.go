package node

import (
	"cmp"
	"context"
	"fmt"
	"strings"

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
