package manual

import (
	"embed"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"seaworthy/internal/base/fileio"
)

//go:embed common
var common embed.FS

// Edition says which release pages are of.
type Edition struct {
	Version string
	Date    string // of the source, as 2026-11-27; empty: not known
}

// Write writes a page for a command and for all below it to a folder: NAME.1, with hyphens for the spaces of NAME.
// A command that another program carries out has its pages from there.
func Write(c *cobra.Command, dir string, e Edition) error {
	if c.DisableFlagParsing {
		return nil
	}
	text, err := Page(c, e)
	if err != nil {
		return err
	}
	err = fileio.WritePublic(filepath.Join(dir, pageName(c)+".1"), []byte(text))
	if err != nil {
		return err
	}
	for _, sub := range listed(c) {
		err := Write(sub, dir, e)
		if err != nil {
			return err
		}
	}
	return nil
}

// Page is the manual page of one command, in the macros of man(7).
func Page(c *cobra.Command, e Edition) (string, error) {
	var p page
	c.InitDefaultHelpFlag()
	p.title(pageName(c), e.Date, strings.TrimSpace(c.Root().Name()+" "+e.Version))
	p.section("NAME")
	p.line(`%s \- %s`, escape(pageName(c)), escape(c.Short))
	p.section("SYNOPSIS")
	p.line(`\fB%s\fR`, escape(c.UseLine()))
	if c.Long != "" {
		p.section("DESCRIPTION")
		p.prose(c.Long)
	}
	if len(listed(c)) > 0 {
		p.section("COMMANDS")
		for _, sub := range listed(c) {
			p.term(sub.CommandPath(), sub.Short)
		}
	}
	p.flags("OPTIONS", c.NonInheritedFlags())
	p.flags("OPTIONS OF EVERY COMMAND", c.InheritedFlags())
	if c.Example != "" {
		p.section("EXAMPLES")
		p.examples(c.Example)
	}
	for _, s := range []struct{ name, file string }{
		{"EXIT STATUS", "exit-status"}, {"ENVIRONMENT", "environment"}, {"FILES", "files"},
	} {
		err := p.shared(s.name, s.file)
		if err != nil {
			return "", err
		}
	}
	p.seeAlso(c)
	return p.text.String(), nil
}

// pageName is what man is asked for: seaworthy-bench-run.
func pageName(c *cobra.Command) string { return strings.ReplaceAll(c.CommandPath(), " ", "-") }

// listed are the subcommands that help lists.
func listed(c *cobra.Command) []*cobra.Command {
	var all []*cobra.Command
	for _, sub := range c.Commands() {
		if sub.IsAvailableCommand() && !sub.IsAdditionalHelpTopicCommand() {
			all = append(all, sub)
		}
	}
	return all
}

// flags prints those that help shows, with what they take and their default.
func (p *page) flags(title string, set *pflag.FlagSet) {
	if !set.HasAvailableFlags() {
		return
	}
	p.section(title)
	set.VisitAll(func(f *pflag.Flag) {
		if f.Hidden {
			return
		}
		value, usage := pflag.UnquoteUsage(f)
		name := strings.TrimSpace("--" + f.Name + " " + value)
		if f.Shorthand != "" {
			name = "-" + f.Shorthand + ", " + name
		}
		if !isZero(f.DefValue) && !strings.Contains(usage, "default") {
			usage += " (default " + f.DefValue + ")"
		}
		p.term(name, usage)
	})
}

// isZero recognises the default of a flag that has none.
func isZero(value string) bool {
	switch value {
	case "", "0", "0s", "false", "[]":
		return true
	}
	return false
}

// shared prints a section that all commands have alike, from common/FILE.txt: a name, two blanks and its meaning a line.
func (p *page) shared(title, file string) error {
	text, err := common.ReadFile("common/" + file + ".txt")
	if err != nil {
		return err
	}
	p.section(title)
	for line := range strings.Lines(string(text)) {
		name, meaning, found := strings.Cut(strings.TrimSpace(line), "  ")
		if !found {
			return fmt.Errorf("common/%s.txt: %q: two blanks must stand between a name and its meaning", file, line)
		}
		p.term(name, meaning)
	}
	return nil
}

// seeAlso names the pages above, beside and below a command.
func (p *page) seeAlso(c *cobra.Command) {
	var names []string
	for up := c.Parent(); up != nil; up = up.Parent() {
		names = append(names, pageName(up)+"(1)")
	}
	if c.HasParent() && c.Parent().HasParent() {
		for _, beside := range listed(c.Parent()) {
			if beside != c {
				names = append(names, pageName(beside)+"(1)")
			}
		}
	}
	for _, sub := range listed(c) {
		names = append(names, pageName(sub)+"(1)")
	}
	p.section("SEE ALSO")
	p.line("%s", escape(strings.Join(append(names, "ssh_config(5)"), ", ")))
}
