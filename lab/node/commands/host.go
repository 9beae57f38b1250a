package commands

import (
	"context"
	"fmt"
	"net/netip"

	"seaworthy/lab/node/flags"
)

func hostCommand() command {
	return command{
		run: runHost,
		aix: &form{
			flags:    "n",
			operands: 1,
			usage:    `host {Name | Address}`,
		},
	}
}

// runHost looks a name or an address up among the nodes, as /etc/hosts has them.
func runHost(_ context.Context, c *call) error {
	if len(c.Rest) == 0 {
		return flags.Usagef("one name or address is required")
	}
	what := c.Rest[0]
	asked, _ := netip.ParseAddr(what)
	for _, n := range c.sim.Plan().Hosts() {
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
