package node

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"seaworthy/dialect/aix/entstat"
	"seaworthy/lab/odm"
)

// entstat prints an adapter's counters as the kernel has them. -d (ioscli:
// -all) adds the driver's own part, and for an SEA the adapters in it.
func (w *Simulator) entstat(_ context.Context, c *Call, o *Options) error {
	if len(o.Rest) == 0 {
		return wrong("one device is required")
	}
	if o.Has("r") || o.Has("reset") {
		_, n := w.node(c.Node)
		a := adapterOf(n, o.Rest[0])
		if a == nil {
			return entstatError(c, o.Rest[0], errNoAdapter)
		}
		if err := w.reset(c.Node, a); err != nil {
			return err
		}
	}
	s, err := w.statistics(c.Node, o.Rest[0], o.Has("d") || o.Has("all"))
	if err != nil {
		return entstatError(c, o.Rest[0], err)
	}
	return c.Print(entstat.Format(s))
}

var errNoAdapter = errors.New("no such adapter")

func entstatError(c *Call, device string, err error) error {
	if errors.Is(err, errNoAdapter) {
		const noDevice = 19 // ENODEV on AIX
		fmt.Fprintf(c.Stderr, "\nentstat: 0909-003 no device %s to connect to, errno = %d\n", device, noDevice)
		return exit(1)
	}
	return err
}

// netstatAdapters is netstat -v: entstat -d of every adapter, or of those named.
func (w *Simulator) netstatAdapters(c *Call, only []string) error {
	names := slices.Clone(only)
	for _, d := range w.Stores[c.Node].Devices() {
		if d.Class == "adapter" && d.Status == odm.Available && len(only) == 0 {
			names = append(names, d.Name)
		}
	}
	var list []*entstat.Adapter
	for _, name := range names {
		s, err := w.statistics(c.Node, name, true)
		if err != nil {
			return entstatError(c, name, err)
		}
		list = append(list, s)
	}
	return c.Print(entstat.Format(list...))
}
