package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"
	"strings"
	"syscall"

	"github.com/spf13/cobra"

	"seaworthy/remote/terminal"
	"seaworthy/report"
)

// Exit statuses.
const (
	ExitDone         = 0
	ExitFailed       = 1
	ExitNo           = 2
	ExitInconclusive = 3
	ExitRolledBack   = 4
	ExitUsage        = 64
)

// status carries an exit status up to Main. A nil err prints nothing: the
// answer was printed already.
type status struct {
	code int
	err  error
}

func (s *status) Error() string {
	if s.err == nil {
		return fmt.Sprintf("exit status %d", s.code)
	}
	return s.err.Error()
}

func (s *status) Unwrap() error { return s.err }

func usage(format string, args ...any) error {
	return &status{ExitUsage, fmt.Errorf(format, args...)}
}

// app is what every verb needs.
type app struct {
	stdin          io.Reader
	stdout, stderr io.Writer
	format         string // table or json
	inventory      string // -i
	sshConfig      string // -F
	results        *report.Printer
}

// Main runs one command line and returns its exit status.
func Main(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	a := &app{stdin: stdin, stdout: stdout, stderr: stderr}
	root := a.root()
	root.SetArgs(backwards(args))
	help := &sink{w: stdout}
	root.SetOut(help)
	c, err := root.ExecuteContextC(ctx)
	if help.err != nil {
		err = unwritten(help.err)
	}
	if a.results != nil && a.results.Err != nil {
		err = unwritten(a.results.Err)
	}
	if err == nil {
		return ExitDone
	}
	var s *status
	if !errors.As(err, &s) {
		s = &status{ExitFailed, err}
	}
	if s.err != nil {
		for line := range strings.Lines(err.Error()) {
			fmt.Fprintf(stderr, "seaworthy: %s\n", report.Safe(because(ctx, strings.TrimSpace(line))))
		}
	}
	if s.code == ExitUsage {
		fmt.Fprintf(stderr, "seaworthy: try %s --help\n", c.CommandPath())
	}
	return s.code
}

// because says what ended the context, where an error only says that it ended.
func because(ctx context.Context, line string) string {
	cause := context.Cause(ctx)
	if cause == nil || !strings.HasSuffix(line, context.Canceled.Error()) {
		return line
	}
	return strings.TrimSuffix(line, context.Canceled.Error()) + "interrupted: " + cause.Error()
}

// unwritten is a result that could not be printed. A reader that had enough
// (| head) is told nothing.
func unwritten(err error) *status {
	if errors.Is(err, syscall.EPIPE) {
		return &status{ExitFailed, nil}
	}
	return &status{ExitFailed, fmt.Errorf("writing the result: %w", err)}
}

// sink remembers that what cobra prints could not be written.
type sink struct {
	w   io.Writer
	err error
}

func (s *sink) Write(b []byte) (int, error) {
	n, err := s.w.Write(b)
	if err != nil && s.err == nil {
		s.err = err
	}
	return n, err
}

func (a *app) root() *cobra.Command {
	root := &cobra.Command{
		Use:   "seaworthy",
		Short: "Why is a network path through a Power system slow, what must change, and did it help?",
		Long: `seaworthy finds out why a network path through an IBM Power system is slow, what
must change and in which order, makes the change reversibly, and measures whether
it helped. It works on AIX, VIOS and Linux over SSH and installs nothing there.

  seaworthy demo                        the whole loop on a lab, on this machine
  seaworthy audit lpar1 vios1           what is wrong on these hosts
  seaworthy collect lpar1 vios1 -o DIR  keep what they say; every verb reads DIR too
  seaworthy plan DIR -o plan.json       what to change, in which order, and how to undo it
  seaworthy apply plan.json             do it, verify it, undo it if a step fails

Exit status: 0 done, 1 failed, 2 the answer is no, 3 inconclusive, 4 rolled back, 64 usage.`,
		Args:          noSuch,
		RunE:          func(c *cobra.Command, _ []string) error { return c.Help() },
		Version:       built().String(),
		SilenceErrors: true,
		SilenceUsage:  true,
		PersistentPreRunE: func(c *cobra.Command, _ []string) error {
			own := c.Annotations[alsoFormat]
			switch {
			case a.format == "table", a.format == "json", own != "" && a.format == own:
				return nil
			case own != "":
				return usage("-f %s: the formats are table, json and %s", a.format, own)
			}
			return usage("-f %s: the formats are table and json", a.format)
		},
	}
	root.SetIn(a.stdin)
	root.SetErr(a.stderr)
	root.SetVersionTemplate("{{.Version}}\n")
	root.SetFlagErrorFunc(func(c *cobra.Command, err error) error { return usage("%s%w", verb(c), plainly(err)) })
	root.PersistentFlags().StringVarP(&a.format, "format", "f", "table", "output `format`: table or json")
	root.PersistentFlags().StringVarP(&a.inventory, "inventory", "i", "", "hosts `file` (hosts.yaml), or lab, or lab:NAME for a running lab")
	root.PersistentFlags().StringVarP(&a.sshConfig, "ssh-config", "F", "", "SSH configuration `file` instead of the user's and the system's")
	root.AddCommand(
		a.demo(), a.lab(), a.collect(), a.importing(), a.show(), a.audit(), a.rules(), a.attributes(),
		a.plan(), a.apply(), a.confirm(), a.rollback(), a.status(), a.probe(), a.bench(), a.report(), a.man(), a.version(),
	)
	a.complete(root)
	root.SetHelpCommand(help())
	root.InitDefaultCompletionCmd()
	if c, _, err := root.Find([]string{"completion"}); err == nil {
		c.Args, c.RunE = noSuch, func(c *cobra.Command, _ []string) error { return c.Help() }
	}
	return root
}

// alsoFormat annotates a command that has one more output format.
const alsoFormat = "format"

// verb is what stands before a message about a command: "lab up: ".
func verb(c *cobra.Command) string {
	if !c.HasParent() {
		return ""
	}
	return strings.TrimPrefix(c.CommandPath(), c.Root().Name()+" ") + ": "
}

// plainly says what a flag takes instead of how it was read.
func plainly(err error) error {
	var n *strconv.NumError
	if !errors.As(err, &n) {
		return err
	}
	want := "expected a number"
	switch {
	case n.Func == "ParseBool":
		want = "expected true or false"
	case errors.Is(n, strconv.ErrRange):
		want = "too large or too small"
	case n.Func != "ParseFloat":
		want = "expected a whole number"
	}
	return errors.New(strings.TrimSuffix(err.Error(), n.Error()) + want)
}

// args makes a wrong number of arguments a usage error.
func args(check cobra.PositionalArgs) cobra.PositionalArgs {
	return func(c *cobra.Command, args []string) error {
		if check(c, args) == nil {
			return nil
		}
		given := "no argument given"
		if len(args) > 0 {
			given = fmt.Sprintf("these arguments do not fit: %s", strings.Join(args, " "))
		}
		return usage("%s%s (usage: %s)", verb(c), given, strings.TrimSuffix(c.UseLine(), " [flags]"))
	}
}

// noSuch refuses arguments of a command that only holds others.
func noSuch(c *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	c.SuggestionsMinimumDistance = 2
	hint := ""
	if near := c.SuggestionsFor(args[0]); len(near) > 0 {
		hint = ", did you mean " + strings.Join(near, " or ") + "?"
	}
	return usage("%sunknown command %q%s", verb(c), args[0], hint)
}

// help explains a command as its --help does.
func help() *cobra.Command {
	return &cobra.Command{
		Use: "help [COMMAND]...", Short: "Explain a command",
		RunE: func(c *cobra.Command, args []string) error {
			of, rest, err := c.Root().Find(args)
			if err != nil {
				return err
			}
			if err := noSuch(of, rest); err != nil {
				return err
			}
			return of.Help()
		},
	}
}

// group is a command that only holds others.
func group(use, short string, subs ...*cobra.Command) *cobra.Command {
	c := &cobra.Command{Use: use, Short: short, Args: noSuch, RunE: func(c *cobra.Command, _ []string) error { return c.Help() }}
	c.AddCommand(subs...)
	return c
}

// printer writes results.
func (a *app) printer() *report.Printer {
	if a.results == nil {
		a.results = printer(a.stdout)
	}
	return a.results
}

func printer(w io.Writer) *report.Printer {
	p := &report.Printer{W: w}
	if f, ok := w.(*os.File); ok && terminal.Is(f) {
		p.Color = os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb"
		if width, _, err := terminal.Size(f); err == nil {
			p.Width = min(width, 120)
		}
	}
	return p
}

// tell prints a line of progress or advice.
func (a *app) tell(format string, args ...any) {
	fmt.Fprintln(a.stderr, report.Safe(fmt.Sprintf(format, args...)))
}

// backwards puts a distance back in time, as lab break clock-jump takes it,
// where it is not taken for flags.
func backwards(args []string) []string {
	at := slices.Index(args, "clock-jump") + 1
	if at == 0 || at == len(args) || slices.Contains(args, "--") {
		return args
	}
	if v := args[at]; len(v) > 1 && v[0] == '-' && v[1] >= '0' && v[1] <= '9' {
		return slices.Concat(args[:at], args[at+1:], []string{"--", v})
	}
	return args
}
