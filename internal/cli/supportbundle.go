package cli

import (
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"seaworthy/internal/app/support"
	"seaworthy/internal/cli/command"
)

func newSupportBundle(a *commandLine) *cobra.Command {
	var out string
	return a.command("support-bundle", command.Flags{
		"output": &out,
	}, func(c *cobra.Command, _ []string) error {
		if out == "" {
			out = time.Now().Format("seaworthy-support-20060102-150405.tar.gz")
		}
		b, err := support.Pack(c.Context(), a.access(), out, command.Built())
		if err != nil {
			return fmt.Errorf("support-bundle: %w", err)
		}
		return a.lay("packed", b)
	})
}
