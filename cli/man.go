package cli

import (
	"fmt"
	"os"

	"github.com/spf13/cobra"
	"github.com/spf13/cobra/doc"

	"seaworthy/cli/command"
)

func (a *app) man() *cobra.Command {
	return &cobra.Command{
		Use:   "man DIR",
		Short: "Write the manual pages to a folder",
		Args:  command.Args(cobra.ExactArgs(1)),
		RunE: func(c *cobra.Command, argv []string) error {
			if err := os.MkdirAll(argv[0], 0o755); err != nil {
				return fmt.Errorf("man: %w", err)
			}
			head := &doc.GenManHeader{Title: "SEAWORTHY", Section: "1", Source: "seaworthy"}
			if err := doc.GenManTree(c.Root(), head, argv[0]); err != nil {
				return fmt.Errorf("man: %s: %w", argv[0], err)
			}
			return nil
		},
	}
}
