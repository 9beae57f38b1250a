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

// help lists the commands of ioscli.
func (w *Simulator) help(_ context.Context, c *call) error {
	for _, name := range pick(func(e entry) bool { return e.VIOS != nil && e.VIOS.Unsupported == "" }) {
		if name != "ioscli" {
			fmt.Fprintln(c.Stdout, name)
		}
	}
	return nil
}
