package cli_test

import (
	"bytes"
	"context"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/spf13/cobra"

	"seaworthy/internal/cli"
)

// pageWidth is that of help which is not shown on a terminal.
const pageWidth = 80

// The paragraphs and the flags of each command's help fit a page: examples and tables are as they are written.
func TestHelpFitsAPage(t *testing.T) {
	var each func(c *cobra.Command)
	each = func(c *cobra.Command) {
		if c.DisableFlagParsing { // it is of another program
			return
		}
		t.Run(strings.ReplaceAll(c.CommandPath(), " ", "_"), func(t *testing.T) { checkHelp(t, strings.Fields(c.CommandPath())[1:]) })
		for _, sub := range c.Commands() {
			each(sub)
		}
	}
	each(cli.Tree())
}

func checkHelp(t *testing.T, path []string) {
	var out, errs bytes.Buffer
	status := cli.Main(context.Background(), append(path, "--help"), strings.NewReader(""), &out, &errs)
	if status != 0 || out.Len() == 0 {
		t.Fatalf("help ends with %d: %s", status, errs.String())
	}
	flags := false
	for line := range strings.Lines(out.String()) {
		line = strings.TrimSuffix(line, "\n")
		indented := strings.HasPrefix(line, " ")
		if !indented {
			flags = line == "Flags:" || line == "Global Flags:"
		}
		if indented != flags || strings.HasPrefix(line, "Use \"") {
			continue
		}
		if len(strings.Fields(line)) > 2 && utf8.RuneCountInString(line) > pageWidth {
			t.Errorf("longer than %d columns: %s", pageWidth, line)
		}
	}
}
