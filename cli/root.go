package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/spf13/cobra"
	"golang.org/x/term"

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
	root.SetArgs(args)
	err := root.ExecuteContext(ctx)
	if a.results != nil && a.results.Err != nil {
		err = &status{ExitFailed, fmt.Errorf("writing the result: %w", a.results.Err)}
	}
	if err == nil {
		return ExitDone
	}
	var s *status
	if !errors.As(err, &s) {
		s = &status{ExitFailed, err}
		if strings.HasPrefix(err.Error(), "unknown command") {
			s.code = ExitUsage
		}
	}
	if s.err != nil {
		fmt.Fprintf(stderr, "seaworthy: %s\n", report.Safe(strings.ReplaceAll(err.Error(), "\n", "; ")))
	}
	if s.code == ExitUsage {
		fmt.Fprintf(stderr, "seaworthy: try --help\n")
	}
	return s.code
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
		SilenceErrors: true,
		SilenceUsage:  true,
		PersistentPreRunE: func(*cobra.Command, []string) error {
			if a.format != "table" && a.format != "json" {
				return usage("-f %s: the formats are table and json", a.format)
			}
			return nil
		},
	}
	root.SetIn(a.stdin)
	root.SetOut(a.stdout)
	root.SetErr(a.stderr)
	root.SetFlagErrorFunc(func(_ *cobra.Command, err error) error { return &status{ExitUsage, err} })
	root.PersistentFlags().StringVarP(&a.format, "format", "f", "table", "output `format`: table or json")
	root.PersistentFlags().StringVarP(&a.inventory, "inventory", "i", "", "hosts `file` (hosts.yaml), or lab, or lab:NAME for a running lab")
	root.PersistentFlags().StringVarP(&a.sshConfig, "ssh-config", "F", "", "SSH configuration `file` instead of the user's and the system's")
	root.AddCommand(
		a.demo(), a.lab(), a.collect(), a.show(), a.audit(), a.rules(), a.attributes(),
		a.plan(), a.apply(), a.rollback(), a.status(), a.bench(), a.man(),
	)
	return root
}

// args makes a wrong number of arguments a usage error.
func args(check cobra.PositionalArgs) cobra.PositionalArgs {
	return func(c *cobra.Command, args []string) error {
		if err := check(c, args); err != nil {
			return usage("%s: %w", c.CommandPath(), err)
		}
		return nil
	}
}

// group is a command that only holds others.
func group(use, short string, subs ...*cobra.Command) *cobra.Command {
	c := &cobra.Command{Use: use, Short: short, Args: func(c *cobra.Command, args []string) error {
		if len(args) > 0 {
			return usage("%s: unknown command %q", c.CommandPath(), args[0])
		}
		return nil
	}, RunE: func(c *cobra.Command, _ []string) error { return c.Help() }}
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
	if f, ok := w.(*os.File); ok && term.IsTerminal(int(f.Fd())) {
		p.Color = os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb"
		if width, _, err := term.GetSize(int(f.Fd())); err == nil {
			p.Width = min(width, 120)
		}
	}
	return p
}

// tell prints a line of progress or advice.
func (a *app) tell(format string, args ...any) {
	fmt.Fprintln(a.stderr, report.Safe(fmt.Sprintf(format, args...)))
}
