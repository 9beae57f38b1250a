package commands

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"seaworthy/lab/node"
	"seaworthy/lab/node/flags"
	"seaworthy/lab/rootfs"
	"seaworthy/lab/topology"
)

// form is a command line that a command takes, on AIX or on a VIOS.
type form struct {
	// flags are single letters as getopt reads them, or words where they begin with a
	// dash: "-perm -dev: -attr*". Without flags the command reads its words itself.
	flags    string
	operands int    // how many it takes at most; only with flags
	usage    string // what a wrong command line is answered with
	help     bool   // -h prints the usage
	// refused are letters that AIX has and a lab does not, with the reason.
	refused     map[string]string
	ordinary    *refusal // nil: ordinary users may run it
	unsupported string   // why a lab cannot answer the command
}

// anyNumber of operands.
const anyNumber = -1

// refusal is the answer to a user who is neither root nor padmin.
type refusal struct {
	says string // on stderr; {} is the last word of the call
	exit int
	when string // only if a word of the call matches this expression
}

// permissionDenied is the refusal of a command that only root may execute.
func permissionDenied(name string) *refusal {
	return &refusal{says: "ksh: " + name + ": 0403-006 Execute permission denied.", exit: 126}
}

// refuses says whether a call is one that an ordinary user may not make.
func (r *refusal) refuses(c *node.Call) bool {
	return r != nil && rootfs.IsOrdinary(c.User) &&
		(r.when == "" || slices.ContainsFunc(c.Argv[1:], regexp.MustCompile(r.when).MatchString))
}

func (f *form) parse(c *node.Call) (o *flags.Options, err error) {
	args := c.Argv[1:]
	switch {
	case f.flags == "":
		return &flags.Options{Rest: args}, nil
	case strings.HasPrefix(f.flags, "-"):
		o, err = flags.Words(f.flags, args)
	default:
		o, err = flags.Letters(f.flags, args)
	}
	if err == nil && f.operands >= 0 && len(o.Rest) > f.operands {
		err = flags.TooMany(o.Rest)
	}
	return o, err
}

// answer reads the command line and runs the command.
func (f *form) answer(ctx context.Context, sim *node.Simulator, c *node.Call, run runner) error {
	if f.unsupported != "" {
		return fmt.Errorf("not in this lab: %s", f.unsupported)
	}
	o, err := f.parse(c)
	if err != nil {
		return err
	}
	if f.help && o.Has("h") {
		fmt.Fprint(c.Stderr, f.indentedUsage())
		return nil
	}
	for _, x := range o.List {
		for letters, why := range f.refused {
			if strings.Contains(letters, x.Name) {
				return fmt.Errorf("-%s is not in this lab: %s", x.Name, why)
			}
		}
	}
	sys, config := sim.Node(c.Node)
	return run(ctx, &call{Call: c, Options: o, sim: sim, sys: sys, config: config, db: sim.Stores[c.Node]})
}

func (f *form) indentedUsage() string {
	return "\t" + strings.ReplaceAll(f.usage, "\n", "\n\t") + "\n"
}

// serve answers a call in the form that the caller has the command in, and returns the exit status.
func (cmd command) serve(ctx context.Context, sim *node.Simulator, name string, c *node.Call) int {
	_, n := sim.Node(c.Node)
	f, run := cmd.aix, cmd.run
	if c.VIOS {
		f = cmd.vios
	}
	if c.VIOS && cmd.runVIOS != nil {
		run = cmd.runVIOS
	}
	switch {
	case n == nil || sim.Stores[c.Node] == nil:
		return fail(c, fmt.Errorf("%s is not a node of this lab", c.Node))
	case c.VIOS && f == nil:
		return fail(c, errors.New("padmin is not allowed to run it"))
	case f == nil, n.Role != topology.VIOS && (c.VIOS || name == "ioscli"):
		fmt.Fprintf(c.Stderr, "%s: not found\n", c.Argv[0])
		return 127
	}
	if f.ordinary.refuses(c) {
		last := ""
		if len(c.Argv) > 1 {
			last = c.Argv[len(c.Argv)-1]
		}
		fmt.Fprintln(c.Stderr, strings.ReplaceAll(f.ordinary.says, "{}", last))
		return f.ordinary.exit
	}
	err := f.answer(ctx, sim, c, run)
	var wrongUsage *flags.UsageError
	if errors.As(err, &wrongUsage) {
		fmt.Fprintf(c.Stderr, "%s: %v\n\nUsage:\n%s", c.Argv[0], err, f.indentedUsage())
		return 2
	}
	return fail(c, err)
}
