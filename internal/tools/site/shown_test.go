package main

import (
	"fmt"
	"maps"
	"path"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"seaworthy/internal/cli"
	"seaworthy/internal/test/draw"
	"seaworthy/internal/test/shown"
	labcli "seaworthy/lab/cli"
)

var entry = regexp.MustCompile(`^(rules/R|attributes/)`)

// Every command line that the documentation, the site and the programs' own help show is one that the
// programs take: subcommand, flags, their values and the number of arguments.
func TestShownCommandLines(t *testing.T) {
	lines, err := shown.Repository("../../..")
	if err != nil {
		t.Fatal(err)
	}
	made, err := generated()
	if err != nil {
		t.Fatal(err)
	}
	names := slices.DeleteFunc(slices.Sorted(maps.Keys(made)), func(name string) bool { return path.Ext(name) != ".md" })
	alike := func(name string) bool { return entry.MatchString(name) } // a page a rule and an attribute
	some := draw.OneIn(t, 25, slices.DeleteFunc(slices.Clone(names), func(name string) bool { return !alike(name) }))
	for _, name := range append(slices.DeleteFunc(names, alike), some...) {
		lines = append(lines, shown.Text(name, string(made[name]))...)
	}
	if len(lines) < 400 {
		t.Errorf("got %d command lines, want those of README, docs, the help and some rules", len(lines))
	}
	checked := map[string]bool{}
	for _, l := range lines {
		key := strings.Join(l.Args, "\x00")
		if checked[key] || printed(l) {
			continue
		}
		checked[key] = true
		if err := takes(l.Args, l.Inline); err != nil {
			t.Errorf("%s:%d: seaworthy %q: %v", l.File, l.Number, l.Args, err)
		}
	}
}

// printed recognises what is not typed: what seaworthy prints, and lines that leave words out.
func printed(l shown.Line) bool {
	return strings.HasPrefix(l.Shell, "seaworthy  ") || strings.HasPrefix(l.Shell, "seaworthy top  ") ||
		slices.ContainsFunc(l.Args, func(a string) bool { return strings.ContainsAny(a, "…─") || a == "[flags]" })
}

var toolTree, labTree = sync.OnceValue(cli.Tree), sync.OnceValue(labcli.Tree)

// takes says whether a program takes a command line, or part of one that has no arguments yet. It is not run.
func takes(args []string, part bool) error {
	root := toolTree()
	if len(args) > 0 && slices.Contains([]string{"lab", "demo", "rehearse"}, args[0]) {
		root = labTree()
	}
	c, rest, err := root.Find(args)
	if err != nil {
		return err
	}
	defer c.Flags().VisitAll(func(f *pflag.Flag) { f.Changed = false }) // the tree serves the next line, too
	err = c.ParseFlags(rest)
	if err != nil {
		return err
	}
	if slices.ContainsFunc([]string{"help", "schema", "version"}, func(flag string) bool { return given(c, flag) }) {
		return nil
	}
	if part && c.Flags().NArg() == 0 {
		return nil
	}
	if !c.Runnable() {
		return fmt.Errorf("%s wants a subcommand", c.CommandPath())
	}
	err = c.ValidateRequiredFlags()
	if err != nil {
		return err
	}
	return c.ValidateArgs(c.Flags().Args())
}

func given(c *cobra.Command, flag string) bool {
	f := c.Flags().Lookup(flag)
	return f != nil && f.Changed
}

// The test above can fail.
func TestTakes(t *testing.T) {
	for line, want := range map[string]bool{
		"audit today":                        true,
		"audit today --no-such-flag":         false,
		"no-such-command":                    false,
		"rules show":                         false,
		"rules show R001 R002":               false,
		"bench run --from a --to b -n three": false,
		"lab up two-systems --strict":        true,
		"lab up two-systems --stricter":      false,
		"lab no-such-command":                false,
		"audit --schema":                     true,
		"apply plan.json --confirm-within 2": false,
	} {
		if err := takes(strings.Fields(line), false); (err == nil) != want {
			t.Errorf("%s: %v, want it to be taken: %t", line, err, want)
		}
	}
}
