package command

import (
	"fmt"

	"github.com/spf13/cobra"

	"seaworthy/internal/base/fileio"
	"seaworthy/internal/cli/manual"
)

// Man writes the manual pages of a program to a folder.
func (a *App) Man() *cobra.Command {
	return &cobra.Command{
		Use: "man DIR", Short: "Write the manual pages to a folder", Args: Args(cobra.ExactArgs(1)),
		RunE: func(c *cobra.Command, argv []string) error {
			made, err := fileio.MkdirAll(argv[0])
			if err != nil {
				return fmt.Errorf("man: %w", err)
			}
			defer made.Undo() // if nothing could be written
			build := Built()
			err = manual.Write(c.Root(), argv[0], manual.Edition{Version: build.Version, Date: build.Date()})
			if err != nil {
				return fmt.Errorf("man: %w", err)
			}
			return nil
		},
	}
}
