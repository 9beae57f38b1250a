package command

import (
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"seaworthy/internal/ui/report/doc"
)

// Help is as wide as a terminal, within these; elsewhere it has the width of a page.
const (
	narrowestHelp = 60
	widestHelp    = 100
	pageWidth     = 80
)

// wrapHelp breaks the text of a command and its flags into lines, when help is shown.
func (a *App) wrapHelp(root *cobra.Command) {
	show := root.HelpFunc()
	usage := root.UsageTemplate()
	root.SetHelpFunc(func(c *cobra.Command, args []string) {
		root.PersistentFlags().Lookup("format").Usage = formatHelp(a.formats(c))
		width := a.helpWidth()
		root.SetUsageTemplate(wrappedUsage(usage, width))
		text := c.Long
		c.Long = wrapParagraphs(text, width)
		show(c, args)
		c.Long = text
	})
}

func (a *App) helpWidth() int {
	f, ok := Terminal(a.Stdout)
	if !ok {
		return pageWidth
	}
	width, _, err := term.GetSize(int(f.Fd()))
	if err != nil {
		return pageWidth
	}
	return min(max(width, narrowestHelp), widestHelp)
}

// wrappedUsage is a usage template whose flags have no longer lines than a width, where words allow it.
func wrappedUsage(template string, width int) string {
	return strings.ReplaceAll(template, "Flags.FlagUsages ", "Flags.FlagUsagesWrapped "+strconv.Itoa(width)+" ")
}

// wrapParagraphs fills the lines of paragraphs to a width; indented lines and items of a list stay as they are.
func wrapParagraphs(text string, width int) string {
	var out, paragraph []string
	end := func() {
		if len(paragraph) > 0 {
			out = append(out, doc.Wrap(strings.Join(paragraph, " "), width)...)
		}
		paragraph = nil
	}
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, " \n")
		if line == "" || strings.HasPrefix(line, " ") || strings.HasPrefix(line, "- ") {
			end()
			out = append(out, line)
			continue
		}
		paragraph = append(paragraph, line)
	}
	end()
	return strings.Join(out, "\n")
}
