package cli

import (
	"bytes"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/cobra/doc"

	"seaworthy/internal/base/fileio"
)

func newMan(a *commandLine) *cobra.Command {
	return a.command("man", nil, func(c *cobra.Command, argv []string) error {
		made, err := fileio.MkdirAll(argv[0])
		if err != nil {
			return fmt.Errorf("man: %w", err)
		}
		defer made.Undo() // if nothing could be written
		return manPages(c.Root(), argv[0])
	})
}

// manPages writes the page of a command and of all below it.
func manPages(c *cobra.Command, dir string) error {
	var page bytes.Buffer
	err := doc.GenMan(c, &doc.GenManHeader{Title: "SEAWORTHY", Section: "1", Source: "seaworthy"}, &page)
	if err != nil {
		return fmt.Errorf("man: %s: %w", c.CommandPath(), err)
	}
	name := strings.ReplaceAll(c.CommandPath(), " ", "-") + ".1"
	err = fileio.WritePublic(filepath.Join(dir, name), page.Bytes())
	if err != nil {
		return fmt.Errorf("man: %w", err)
	}
	for _, sub := range c.Commands() {
		if !sub.IsAvailableCommand() || sub.IsAdditionalHelpTopicCommand() {
			continue
		}
		err := manPages(sub, dir)
		if err != nil {
			return err
		}
	}
	return nil
}
