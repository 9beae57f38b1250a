package node

import (
	"context"
	"fmt"
	"net/netip"
	"slices"
)

// host looks a name or an address up among the nodes, as /etc/hosts has them.
func (w *Simulator) host(_ context.Context, c *Call, o *Options) error {
	if len(o.Rest) == 0 {
		return wrong("one name or address is required")
	}
	what := o.Rest[0]
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
func (w *Simulator) help(_ context.Context, c *Call, o *Options) error {
	var names []string
	for name, e := range entries() {
		if e.VIOS != nil && e.VIOS.Unsupported == "" && name != "ioscli" {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	for _, n := range names {
		fmt.Fprintln(c.Stdout, n)
	}
	return nil
}
