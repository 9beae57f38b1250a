package cli

import (
	"bytes"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/cobra/doc"

	"seaworthy/safefile"
)

func (a *app) man() *cobra.Command {
	return a.command("man", nil, func(c *cobra.Command, argv []string) error {
		made, err := safefile.MkdirAll(argv[0])
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
	if err := doc.GenMan(c, &doc.GenManHeader{Title: "SEAWORTHY", Section: "1", Source: "seaworthy"}, &page); err != nil {
		return fmt.Errorf("man: %s: %w", c.CommandPath(), err)
	}
	name := strings.ReplaceAll(c.CommandPath(), " ", "-") + ".1"
	if err := safefile.WritePublic(filepath.Join(dir, name), page.Bytes()); err != nil {
		return fmt.Errorf("man: %w", err)
	}
	for _, sub := range c.Commands() {
		if !sub.IsAvailableCommand() || sub.IsAdditionalHelpTopicCommand() {
			continue
		}
		if err := manPages(sub, dir); err != nil {
			return err
		}
	}
	return nil
}
