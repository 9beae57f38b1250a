package console

import (
	"context"
	"fmt"
	"io"
	"slices"
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

// changing are the commands that change systems and partitions.
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
