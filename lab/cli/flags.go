package cli

import (
	"github.com/spf13/cobra"

	"seaworthy/cli/command"
	"seaworthy/lab"
)

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

// inLab runs a command with the running lab of that name; empty: with the only one.
func inLab(name *string, run func(*cobra.Command, *lab.Lab, []string) error) func(*cobra.Command, []string) error {
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
