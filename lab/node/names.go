package node

import (
	"context"
	"errors"
	"fmt"
	"net/netip"
	"slices"
)

const hostUsage = `	host {Name | Address}`

// host looks a name or an address up among the nodes, as /etc/hosts has them.
func (w *Simulator) host(_ context.Context, c *Call) int {
	o, err := Letters("n", c.Argv[1:])
	if err == nil && len(o.Rest) != 1 {
		err = errors.New("one name or address is required")
	}
	if err != nil {
		return usage(c, err, hostUsage)
	}
	what := o.Rest[0]
	asked, _ := netip.ParseAddr(what)
	for _, n := range w.Plan().Nodes() {
		for _, i := range n.Interfaces {
			if !i.Address.IsValid() || n.Name != what && i.Address.Addr() != asked {
				continue
			}
			fmt.Fprintf(c.Stdout, "%s is %s\n", n.Name, i.Address.Addr())
			return 0
		}
	}
	fmt.Fprintf(c.Stderr, "host: host name %s does not exist\n", what)
	return 1
}

// help lists the commands of ioscli.
func (w *Simulator) help(_ context.Context, c *Call) int {
	var names []string
	for name, e := range entries() {
		if _, no := unsupportedVIOS[name]; e.vios && !no && name != "ioscli" {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	for _, n := range names {
		fmt.Fprintln(c.Stdout, n)
	}
	return 0
}
