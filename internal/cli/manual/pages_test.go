package manual

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/spf13/cobra"
)

func program() *cobra.Command {
	root := &cobra.Command{Use: "sail", Short: "Sail a boat"}
	set := &cobra.Command{
		Use: "set SAIL", Short: "Set a sail", Run: func(*cobra.Command, []string) {},
		Long:    "Set hoists a sail.\n.hidden controls and \\back\\slashes stay text:\n  indented as it is\n\nExit status 2 without wind.",
		Example: "  sail set jib --reef 2",
	}
	set.Flags().IntP("reef", "r", 1, "tie in this `number` of reefs")
	root.AddCommand(set, &cobra.Command{Use: "away", DisableFlagParsing: true, Run: func(*cobra.Command, []string) {}})
	return root
}

func TestPages(t *testing.T) {
	dir := t.TempDir()
	err := Write(program(), dir, Edition{Version: "1.2.0", Date: "2026-01-02"})
	if err != nil {
		t.Fatal(err)
	}
	names, _ := filepath.Glob(filepath.Join(dir, "*"))
	if len(names) != 2 {
		t.Errorf("got %q, want sail.1 and sail-set.1: another program has the pages of away", names)
	}
	text, err := os.ReadFile(filepath.Join(dir, "sail-set.1"))
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		`.TH "SAIL\-SET" "1" "2026\-01\-02" "sail 1.2.0" "User Commands"`, `sail\-set \- Set a sail`,
		"\n\\&.hidden controls and \\eback\\eslashes stay text:\n.EX\n  indented as it is\n.EE\n.PP\nExit status 2",
		"\\fB\\-r, \\-\\-reef number\\fR\ntie in this number of reefs (default 1)", ".SH \"EXAMPLES\"\n.EX\n  sail set jib \\-\\-reef 2\n.EE",
		".SH \"EXIT STATUS\"\n.TP\n\\fB0\\fR\n", `.SH "ENVIRONMENT"`, `.SH "FILES"`, "sail(1), ssh_config(5)",
	} {
		if !strings.Contains(string(text), want) {
			t.Errorf("sail-set.1 lacks %q:\n%s", want, text)
		}
	}
}

// What formats manual pages has nothing to say against them.
func TestPagesFormat(t *testing.T) {
	groff, err := exec.LookPath("groff")
	if err != nil {
		t.Skip("no groff")
	}
	dir := t.TempDir()
	err = Write(program(), dir, Edition{})
	if err != nil {
		t.Fatal(err)
	}
	out, err := exec.CommandContext(t.Context(), groff, "-man", "-ww", "-z", filepath.Join(dir, "sail-set.1")).CombinedOutput()
	if err != nil || len(out) > 0 {
		t.Errorf("groff: %v\n%s", err, out)
	}
}
