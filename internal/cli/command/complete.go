package command

import (
	"slices"
	"strings"

	"seaworthy/internal/ui/report"

	"github.com/spf13/cobra"
)

// Completer offers what a word may become, with an explanation after a tab.
type Completer = func(c *cobra.Command, given []string, word string) ([]string, cobra.ShellCompDirective)

// From makes a Completer of a list. Words that were given already are left out.
func From(list func() []string, files cobra.ShellCompDirective) Completer {
	return func(_ *cobra.Command, given []string, word string) ([]string, cobra.ShellCompDirective) {
		var out []string
		for _, s := range list() {
			name, _, _ := strings.Cut(s, "\t")
			if strings.HasPrefix(name, word) && !slices.Contains(given, name) {
				out = append(out, s)
			}
		}
		return out, files
	}
}

// Words completes to a fixed list.
func Words(list ...string) Completer {
	return From(func() []string { return list }, cobra.ShellCompDirectiveNoFileComp)
}

// Complete gives commands, by path, and flags, by name, their completers. A nil
// completer of a flag completes folders.
func (a *App) Complete(root *cobra.Command, commands, flags map[string]Completer) {
	for path, f := range commands {
		if c, rest, err := root.Find(strings.Fields(path)); err == nil && len(rest) == 0 {
			c.ValidArgsFunction = f
		}
	}
	each(root, func(c *cobra.Command) {
		for name, f := range flags {
			if c.Flag(name) == nil || c.InheritedFlags().Lookup(name) != nil {
				continue
			}
			if f == nil {
				_ = c.MarkFlagDirname(name) // fails only if the flag is not there
				continue
			}
			_ = c.RegisterFlagCompletionFunc(name, f)
		}
	})
}

// completeFormat offers the formats of the command at hand.
func (a *App) completeFormat(c *cobra.Command, given []string, word string) ([]string, cobra.ShellCompDirective) {
	return Words(a.formats(c)...)(c, given, word)
}

// each visits a command and all below it.
func each(c *cobra.Command, visit func(*cobra.Command)) {
	visit(c)
	for _, sub := range c.Commands() {
		each(sub, visit)
	}
}

func (a *App) formats(c *cobra.Command) []string { return report.Formats(a.samples[c]) }
