package console

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"seaworthy/lab/topology"
)

// Logins of an HMC: who may look, and who could do everything there.
var Logins = []string{"hmcviewer", "hscroot"}

// Console is an HMC.
type Console struct {
	Name string
	Plan func() *topology.Topology // as it is now
	Down func(node string) error   // why a partition does not run; nil if it does
	// VIOS runs a line on one as padmin, and gives its exit status.
	VIOS func(ctx context.Context, node, line string, out, errs io.Writer) int

	user string // of a login
}

// status of a command, as an HMC ends with it.
const (
	done     = 0
	refused  = 1
	notFound = 127
)

// command runs one command. What an HMC has to say, it says on standard output, errors too.
func (c *Console) command(ctx context.Context, argv []string, out, errs io.Writer) int {
	switch name := argv[0]; {
	case name == "lshmc":
		return c.lshmc(argv[1:], out)
	case name == "lssyscfg", name == "lshwres", name == "lslparutil":
		return c.list(name, argv[1:], out)
	case name == "viosvrcmd":
		return c.viosvrcmd(ctx, argv[1:], out, errs)
	case slices.Contains(changing, name):
		return refuse(out, "%s: the HMC of a lab shows its systems, and changes none: a partition is as the topology says", name)
	default:
		fmt.Fprintf(errs, "rbash: %s: command not found\n", name)
		return notFound
	}
}

var changing = []string{"chhwres", "chsyscfg", "chsysstate", "mksyscfg", "rmsyscfg", "chlparutil", "chhmc", "hmcshutdown", "lpar_netboot",
	"migrlpar", "mkvterm", "rmvterm"}

func (c *Console) lshmc(argv []string, out io.Writer) int {
	switch strings.Join(argv, " ") {
	case "-V":
		fmt.Fprint(out, "\"version= Version: 10\n Release: 2\n Service Pack: 1030\nHMC Build level 2211110153\n\",\"base_version=V10R2\n\"\n")
	case "-n":
		fmt.Fprintf(out, "hostname=%s,domain=lab\n", c.Name)
	default:
		return wrong(out, strings.Join(argv, " "))
	}
	return done
}

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
