package node

import (
	"context"
	"fmt"

	"seaworthy/catalog"
	"seaworthy/lab/odm"
)

// inetdPID is inetd's process number after a boot. No such process runs on a node: it
// stands in for the one that tuning commands restart.
const inetdPID = 5177778

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
	pid := inetdPID
	if p := w.inetd.get(c.Node); p != nil {
		pid = *p
	}
	fmt.Fprintln(c.Stdout, "Subsystem         Group            PID          Status ")
	fmt.Fprintf(c.Stdout, " %-16s %-16s %-12d %s\n", "inetd", "tcpip", pid, "active")
	return nil
}

// restartInetd is what no does after it changed the running value of a tunable of type Connect.
func (w *Simulator) restartInetd(node string, t odm.Attribute, mode odm.Mode) {
	if t.Class != catalog.O1 || mode == odm.NextBoot {
		return
	}
	pid := inetdPID
	if p := w.inetd.get(node); p != nil {
		pid = *p
	}
	pid += 262144
	w.inetd.set(node, &pid)
}
