package cli

import (
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"seaworthy/internal/cli/command"
	"seaworthy/internal/cli/tour"
	"seaworthy/internal/remote/labs"
)

func newTour(a *commandLine) *cobra.Command {
	return a.command("tour", nil, func(c *cobra.Command, _ []string) error {
		_, err := findLab()
		if err != nil {
			return err
		}
		running, err := labs.Running(labs.Dir())
		if err != nil {
			return err
		}
		for _, name := range running {
			if name == tour.Lab {
				return fmt.Errorf("a lab with the name %s is running: another tour, or what is left of one; seaworthy lab down %[1]s removes it",
					tour.Lab)
			}
		}
		program, err := os.Executable()
		if err != nil {
			return err
		}
		_, typed := command.Terminal(a.Stdin)
		t := tour.Tour{Program: program, In: a.Stdin, Out: a.Stdout, Waits: typed}
		return t.Give(c.Context())
	})
}
