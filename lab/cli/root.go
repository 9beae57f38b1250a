// Package cli holds the subcommands of seaworthy-lab: the lab's, one file each,
// and the demo. What they share with the tool's is in package command.
package cli

import (
	"context"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"seaworthy/internal/cli/command"
	"seaworthy/lab"
	"seaworthy/lab/topology"
)

// app is shared by the subcommands.
type app struct{ *command.App }

// longest is how long one trial may be asked to take, in s.
const longest = 24 * 3600

// Main runs one command line and returns its exit status.
func Main(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	a := &app{command.New("seaworthy", stdin, stdout, stderr)}
	caller := os.Getenv(command.CallerEnv)
	// The two share formats and the folders of labs.
	if own := command.Built().ID(); caller != "" && caller != own {
		fmt.Fprintf(stderr, "seaworthy: seaworthy is version %s and seaworthy-lab is version %s: install both from one release\n", caller, own)
		return command.ExitFailed
	}
	return a.Run(ctx, a.root(caller != ""), args)
}

// Tree holds the subcommands as seaworthy shows them, with their flags, to be documented or checked.
func Tree() *cobra.Command {
	a := &app{command.New("seaworthy", strings.NewReader(""), io.Discard, io.Discard)}
	return a.Tree(a.root(true))
}

// root is named after the tool if the tool called: help shows what was typed.
func (a *app) root(called bool) *cobra.Command {
	root := &cobra.Command{
		Use:   "seaworthy-lab",
		Short: "A PowerVM network on this machine, and the demo on it",
	}
	if called {
		root.Use = "seaworthy"
	}
	root.AddCommand(a.lab(), a.demo(), newRehearse(a), a.Man(), a.Version())
	a.complete(root)
	return root
}

func (a *app) lab() *cobra.Command {
	return command.Group("lab", "A PowerVM network on this machine: LPARs, VIOSes, SEAs, switches",
		a.up(), a.down(), a.list(), a.exec(), a.shell(), a.sshConfig(), a.topologies(), a.effects(),
		a.breakFault(), a.mend(), a.prove(), a.replay(), a.cpu(), a.guest(), a.doctor(), newConfirm(a))
}

// complete offers running labs, their nodes and the built-in topologies.
func (a *app) complete(root *cobra.Command) {
	names := cobra.ShellCompDirectiveNoFileComp
	labs := command.From(running(func(l *lab.Lab) []string { return []string{l.Name} }), names)
	nodes := command.From(running(logins), names)
	a.Complete(root, map[string]command.Completer{
		"lab up": command.From(topology.Builtins, cobra.ShellCompDirectiveDefault), "lab topologies": command.From(topology.Builtins, names),
		"lab down": labs, "lab cpu": labs, "lab ssh-config": labs, "lab exec": nodes, "lab shell": nodes,
	}, map[string]command.Completer{"lab": labs})
}

func running(names func(*lab.Lab) []string) func() []string {
	return func() []string {
		list, err := lab.List("")
		if err != nil {
			return nil
		}
		var out []string
		for _, l := range list {
			out = append(out, names(l)...)
		}
		return out
	}
}

// labFlag chooses among running labs.
func labFlag(c *cobra.Command, name *string) {
	c.Flags().StringVar(name, "lab", *name, "`name` of the lab, if several are running")
	alias(c, "name", name)
}

// alias accepts the flag that other commands have for the same thing.
func alias(c *cobra.Command, flag string, value *string) {
	c.Flags().StringVar(value, flag, *value, "")
	_ = c.Flags().MarkHidden(flag) // fails only if the flag is not there
}

// named takes the lab's name as the only argument, too.
func named(name *string) cobra.PositionalArgs {
	return func(c *cobra.Command, argv []string) error {
		if err := command.Args(cobra.MaximumNArgs(1))(c, argv); err != nil || len(argv) == 0 {
			return err
		}
		if *name != "" && *name != argv[0] {
			return command.Usage("lab %s: two labs named, %s and %s", c.Name(), argv[0], *name)
		}
		*name = argv[0]
		return nil
	}
}

// inLab makes a command that is run with the running lab that --lab names.
func inLab(c *cobra.Command, run func(*cobra.Command, *lab.Lab, []string) error) *cobra.Command {
	var name string
	c.RunE = withLab(&name, run)
	labFlag(c, &name)
	return c
}

// withLab runs a command with the running lab of that name; empty: with the only one.
func withLab(name *string, run func(*cobra.Command, *lab.Lab, []string) error) func(*cobra.Command, []string) error {
	return func(c *cobra.Command, argv []string) error {
		l, err := lab.Open("", *name)
		if err != nil {
			return err
		}
		return run(c, l, argv)
	}
}

// labFlags choose a lab and a login on one of its nodes.
type labFlags struct{ lab, user string }

func (f *labFlags) add(c *cobra.Command) {
	labFlag(c, &f.lab)
	c.Flags().StringVarP(&f.user, "user", "u", f.user, "login `user`: root, or padmin on a VIOS (where it is the default)")
}
