package console

import (
	"context"
	"io"
	"slices"
	"strconv"
	"strings"

	"seaworthy/lab/topology"
)

// viosvrcmd runs a command of ioscli on a VIOS, for a login that may do more than look.
func (c *Console) viosvrcmd(ctx context.Context, argv []string, out, errs io.Writer) int {
	f := flags("viosvrcmd")
	system := f.StringP("system", "m", "", "")
	name := f.StringP("partition", "p", "", "")
	id := f.String("id", "", "")
	line := f.StringP("command", "c", "", "")
	f.StringP("timeout", "t", "", "")
	f.Bool("admin", false, "")
	err := f.Parse(argv)
	on := c.systems(*system)
	switch {
	case c.user != Logins[1]:
		return refuse(out, "HSCL350B The user does not have the appropriate authority.")
	case err != nil || f.NArg() > 0:
		return wrong(out, strings.Join(argv, " "))
	case *line == "" || strings.ContainsAny(*line, ";>|"):
		return wrong(out, "-c")
	case *system == "" || len(on) == 0:
		return refuse(out, noSystem, *system)
	}
	i := slices.IndexFunc(on[0].Nodes, func(n topology.Node) bool {
		return n.Role == topology.VIOS && (n.Name == *name || strconv.Itoa(n.Number) == *id)
	})
	if i < 0 {
		return wrong(out, "-p")
	}
	n := on[0].Nodes[i].Name
	if c.Down(n) != nil {
		return refuse(out, "HSCL2957 Either there is currently no RMC connection between the management console and the partition %s "+
			"or the partition does not support dynamic partitioning operations.", n)
	}
	return c.VIOS(ctx, n, "ioscli "+*line, out, errs)
}
