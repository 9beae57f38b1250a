package cli

import (
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"seaworthy/internal/app/support"
	"seaworthy/internal/cli/command"
	"seaworthy/internal/ui/report"
	"seaworthy/internal/ui/report/doc"
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
		return a.Answer(b, func(p *report.Document) { addBundle(p, b) })
	})
}

// addBundle lists the files of a bundle.
func addBundle(d *report.Document, b *support.Bundle) {
	t := doc.NewTable("files", doc.Left("file"), doc.Right("bytes"))
	for _, f := range b.Files {
		t.Add(f.Name, f.Bytes)
	}
	d.Table(t)
	d.Line("written to %s", b.File)
}
