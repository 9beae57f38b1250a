package node

import (
	"context"
	"errors"
	"fmt"

	"seaworthy/dialect/aix/entstat"
	"seaworthy/lab/odm"
)

// entstat prints an adapter's counters as the kernel has them. -d (ioscli:
// -all) adds the driver's own part, and for an SEA the adapters in it.
func (w *Simulator) entstat(_ context.Context, c *call) error {
	if len(c.Rest) == 0 {
		return wrong("one device is required")
	}
	if c.Has("r") || c.Has("reset") {
		if a := adapterOf(c.n, c.Rest[0]); a != nil {
			if err := w.reset(c.n, a); err != nil {
				return err
			}
		}
	}
	return w.printStatistics(c, c.Rest, c.Has("d") || c.Has("all"))
}

// netstatAdapters is netstat -v: entstat -d of every adapter, or of those named.
func (w *Simulator) netstatAdapters(c *call) error {
	names := c.Rest
	for _, d := range c.db.Devices() {
		if d.Class == "adapter" && d.Status == odm.Available && len(c.Rest) == 0 {
			names = append(names, d.Name)
		}
	}
	return w.printStatistics(c, names, true)
}

func (w *Simulator) printStatistics(c *call, names []string, detail bool) error {
	var list []*entstat.Adapter
	for _, name := range names {
		s, err := w.statistics(c.n, name, detail)
		if errors.Is(err, errNoAdapter) {
			const noDevice = 19 // ENODEV on AIX
			fmt.Fprintf(c.Stderr, "\nentstat: 0909-003 no device %s to connect to, errno = %d\n", name, noDevice)
			return exit(1)
		}
		if err != nil {
			return err
		}
		list = append(list, s)
	}
	return c.Print(entstat.Format(list...))
}

var errNoAdapter = errors.New("no such adapter")
