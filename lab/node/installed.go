package node

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"seaworthy/internal/knowledge"
	"seaworthy/internal/parse/aix/instfix"
	"seaworthy/internal/parse/aix/lscfg"
	"seaworthy/lab/odm"
	"seaworthy/lab/printing"
)

// lscfg prints where one device is; a lab's devices have no other vital
// product data.
func (w *Simulator) lscfg(_ context.Context, c *call) error {
	name, one := c.Get("l")
	if !one {
		return wrong("in this lab it shows one device at a time: -l")
	}
	d, ok := c.db.Device(name)
	if !ok {
		return odm.NotFound(name)
	}
	r := &lscfg.Resource{Name: d.Name, Location: d.PhysLoc, Description: d.Description}
	if c.Has("v") && d.PhysLoc != "" {
		r.VPD = []lscfg.Item{{Label: "Hardware Location Code", Value: d.PhysLoc}}
	}
	return c.Print(printing.FormatLscfg(r))
}

// instfix says of fixes that it has no data: a lab's level is a name, nothing
// is installed by it.
func (w *Simulator) instfix(_ context.Context, c *call) error {
	if !c.Has("i") {
		return wrong("in this lab it only lists: -i")
	}
	keys := c.Value("k")
	list := &instfix.List{}
	for _, k := range strings.Fields(keys) {
		list.Fixes = append(list.Fixes, &instfix.Fix{Name: k, State: instfix.Unknown})
	}
	fmt.Fprintf(c.Stderr, "%s", printing.FormatInstfix(list))
	if len(list.Fixes) > 0 {
		return exit(1)
	}
	return nil
}

// rules would compare the VIOS with rules files; a lab has none.
func (w *Simulator) rules(_ context.Context, c *call) error {
	return errors.New("there are no rules files in this lab: nothing to compare")
}

// lssrc lists the subsystems of a node: inetd alone, since the servers of a lab are
// started by hand.
func (w *Simulator) lssrc(_ context.Context, c *call) error {
	name, ok := c.Get("s")
	switch {
	case ok && name != "inetd":
		fmt.Fprintf(c.Stderr, "0513-085 The %s Subsystem is not on file.\n", name)
		return exit(1)
	case !ok && !c.Has("a"):
		return wrong("-a or -s is required")
	}
	fmt.Fprintln(c.Stdout, "Subsystem         Group            PID          Status ")
	fmt.Fprintf(c.Stdout, " %-16s %-16s %-12d %s\n", "inetd", "tcpip", w.inetdPID(c.Node), "active")
	return nil
}

// restartInetd is what no does after it changed the running value of a tunable of type Connect.
func (w *Simulator) restartInetd(node string, t odm.Attribute, mode odm.Mode) {
	if t.Class != knowledge.O1 || mode == odm.NextBoot {
		return
	}
	w.inetd.set(node, new(w.inetdPID(node)+262144))
}

// inetdPID is inetd's process number: another one after each restart of it. No such process
// runs on a node: it stands in for the one that tuning commands restart.
func (w *Simulator) inetdPID(node string) int {
	if p := w.inetd.get(node); p != nil {
		return *p
	}
	return 5177778
}
