package main

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"seaworthy/internal/cli"
	labcli "seaworthy/lab/cli"
)

// commandFlag is a flag as help shows it.
type commandFlag struct{ Name, Usage string }

// command is a subcommand with those below it, at any depth.
type command struct {
	Name, Path  string
	Short, Long string
	Use         string // its usage line
	Example     string
	Flags       []commandFlag
	Deeper      string // the mark of headings below its own
	Subcommands []command
}

// Anchor is its place on the page.
func (c command) Anchor() string { return strings.ReplaceAll(c.Path, " ", "-") }

// commandTree is every subcommand of both programs, in alphabetical order.
func commandTree() []*cobra.Command {
	var all []*cobra.Command
	for _, c := range cli.Tree().Commands() {
		if !c.DisableFlagParsing { // those that the lab's program carries out have their flags there
			all = append(all, c)
		}
	}
	for _, c := range labcli.Tree().Commands() {
		if !slices.ContainsFunc(all, func(x *cobra.Command) bool { return x.Name() == c.Name() }) {
			all = append(all, c)
		}
	}
	slices.SortFunc(all, func(a, b *cobra.Command) int { return strings.Compare(a.Name(), b.Name()) })
	return all
}

func (g *generator) commands() {
	data := struct {
		All    []command
		Global []commandFlag
	}{Global: flagsOf(cli.Tree().PersistentFlags())}
	for _, c := range commandTree() {
		if !c.IsAvailableCommand() || c.Name() == "help" {
			continue
		}
		shown := described(c, "##")
		shown.Subcommands = below(c)
		data.All = append(data.All, shown)
		g.page("commands/"+shown.Name+".md", "command", shown)
	}
	g.page("commands/index.md", "commands", data)
}

func below(c *cobra.Command) []command {
	var out []command
	for _, sub := range c.Commands() {
		if sub.IsAvailableCommand() {
			out = append(out, described(sub, "###"))
			out = append(out, below(sub)...)
		}
	}
	return out
}

func described(c *cobra.Command, deeper string) command {
	path := strings.TrimPrefix(c.CommandPath(), c.Root().Name()+" ")
	example := strings.ReplaceAll(strings.TrimPrefix(c.Example, "  "), "\n  ", "\n")
	return command{Name: c.Name(), Path: path, Short: c.Short, Long: paragraphs(c.Long), Use: c.UseLine(), Example: example,
		Flags: flagsOf(c.LocalNonPersistentFlags()), Deeper: deeper}
}

func flagsOf(set *pflag.FlagSet) []commandFlag {
	var out []commandFlag
	set.VisitAll(func(f *pflag.Flag) {
		if f.Hidden || f.Name == "help" {
			return
		}
		value, usage := pflag.UnquoteUsage(f)
		name := "--" + f.Name
		if f.Shorthand != "" {
			name = "-" + f.Shorthand + ", " + name
		}
		if value != "" {
			name += " " + value
		}
		out = append(out, commandFlag{name, usage})
	})
	return out
}

// paragraphs is a text of help as Markdown: what is indented there is in the letters of a terminal.
func paragraphs(s string) string {
	var out []string
	for part := range strings.SplitSeq(s, "\n\n") {
		if strings.HasPrefix(part, "  ") || strings.Contains(part, "\n  ") {
			out = append(out, block(part))
			continue
		}
		out = append(out, plain(strings.TrimSpace(part)))
	}
	return strings.Join(out, "\n\n")
}
