package console

import (
	"context"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/spf13/pflag"

	"seaworthy/lab/topology"
)

// viosvrcmd runs a command of ioscli on a VIOS, for a login that may do more than look.
func (c *Console) viosvrcmd(ctx context.Context, argv []string, out, errs io.Writer) int {
	f := pflag.NewFlagSet("viosvrcmd", pflag.ContinueOnError)
	f.SetOutput(io.Discard)
	system := f.StringP("system", "m", "", "")
	name := f.StringP("partition", "p", "", "")
	id := f.String("id", "", "")
	line := f.StringP("command", "c", "", "")
	f.StringP("timeout", "t", "", "")
	f.Bool("admin", false, "")
	err := f.Parse(argv)
	s := c.system(*system)
	switch {
	case c.user != Logins[1]:
		fmt.Fprintln(out, "HSCL350B The user does not have the appropriate authority.")
		return refused
	case err != nil || f.NArg() > 0:
		return wrong(out, strings.Join(argv, " "))
	case *line == "" || strings.ContainsAny(*line, ";>|"):
		return wrong(out, "-c")
	case s == nil:
		fmt.Fprintf(out, "HSCL8018 The managed system %s was not found.\n", *system)
		return refused
	}
	for i := range s.Nodes {
		n := &s.Nodes[i]
		if n.Role != topology.VIOS || n.Name != *name && strconv.Itoa(n.Number) != *id {
			continue
		}
		if c.Down(n.Name) != nil {
			fmt.Fprintf(out, "HSCL2957 Either there is currently no RMC connection between the management console and the partition %s "+
				"or the partition does not support dynamic partitioning operations.\n", n.Name)
			return refused
		}
		return c.VIOS(ctx, n.Name, "ioscli "+*line, out, errs)
	}
	return wrong(out, "-p")
}
