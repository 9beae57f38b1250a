package node

import (
	"context"
	"fmt"
)

// hostname prints the running name of a node, or sets it: not inet0's, which
// mkdev -l inet0 and a restart give it again.
func (w *Simulator) hostname(_ context.Context, c *call) error {
	if len(c.Rest) == 1 {
		return w.SetHostname(c.Node, c.Rest[0])
	}
	name, err := w.Hostname(c.Node)
	if err == nil {
		fmt.Fprintln(c.Stdout, name)
	}
	return err
}

// nameAgain gives a node the name that inet0 has.
func (w *Simulator) nameAgain(node string) error {
	name, ok := w.Stores[node].Running("inet0", "hostname")
	if !ok || name == "" {
		return nil
	}
	return w.SetHostname(node, name)
}
