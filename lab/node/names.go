package node

import (
	"context"
	"fmt"
	"net/netip"
)

// host looks a name or an address up among the nodes, as /etc/hosts has them.
func (w *Simulator) host(_ context.Context, c *call) error {
	if len(c.Rest) == 0 {
		return wrong("one name or address is required")
	}
	what := c.Rest[0]
	asked, _ := netip.ParseAddr(what)
	for _, n := range w.Plan().Hosts() {
		for _, i := range n.Interfaces {
			if !i.Address.IsValid() || n.Name != what && i.Address.Addr() != asked {
				continue
			}
			fmt.Fprintf(c.Stdout, "%s is %s\n", n.Name, i.Address.Addr())
			return nil
		}
	}
	return fmt.Errorf("host name %s does not exist", what)
}

func (w *Simulator) help(_ context.Context, c *call) error {
	for _, name := range pick(func(e entry) bool { return e.VIOS != nil && e.VIOS.Unsupported == "" }) {
		if name != "ioscli" {
			fmt.Fprintln(c.Stdout, name)
		}
	}
	return nil
}

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
