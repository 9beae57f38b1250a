package node

import (
	"context"
	"fmt"
)

// lssrc lists the subsystems of a node, which has none: its servers are started
// by hand.
func (w *Simulator) lssrc(_ context.Context, c *Call, o *Options) error {
	if name, ok := o.Get("s"); ok {
		fmt.Fprintf(c.Stderr, "0513-085 The %s Subsystem is not on file.\n", name)
		return exit(1)
	}
	if !o.Has("a") {
		return wrong("-a or -s is required")
	}
	fmt.Fprintln(c.Stdout, "Subsystem         Group            PID          Status ")
	return nil
}
