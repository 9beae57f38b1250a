package command

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"runtime/debug"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"seaworthy/internal/base/progress"
	"seaworthy/internal/ui/report"
)

// App is the surroundings of a subcommand: its streams and the flags that
// every command has.
type App struct {
	Name           string // of the program, in front of its messages
	Stdin          io.Reader
	Stdout, Stderr io.Writer
	Format         string // -f

	debug   bool
	quiet   bool
	meter   *progress.Meter // everything on stderr goes through it
	results *report.Output
	output  *output
	ctx     context.Context        // of the command line
	samples map[*cobra.Command]any // see Prints
	given   formatFlag
	files   map[*cobra.Command]*string // see ReadsFile
}

// New returns the surroundings of one command line.
func New(name string, stdin io.Reader, stdout, stderr io.Writer) *App {
	return &App{
		Name: name, Stdin: stdin, Stdout: stdout, Stderr: stderr, meter: meter(stderr),
		samples: map[*cobra.Command]any{}, files: map[*cobra.Command]*string{},
	}
}

// softMemory is how much memory a command takes before the garbage collector
// works harder, in bytes: an audit of 10,000 hosts then needs no more than that.
// GOMEMLIMIT overrides it.
const softMemory = 480 << 20

// SetSoftMemory lets a command take more memory, in bytes, before the garbage collector works harder.
func SetSoftMemory(bytes int64) {
	if os.Getenv("GOMEMLIMIT") == "" {
		debug.SetMemoryLimit(bytes)
	}
}

// Run executes one command line and returns its exit status.
func (a *App) Run(ctx context.Context, root *cobra.Command, args []string) int {
	if os.Getenv("GOMEMLIMIT") == "" {
		debug.SetMemoryLimit(softMemory)
		if os.Getenv("GOGC") == "" { // below that memory is cheaper than collecting it: a third of a short command's time
			debug.SetGCPercent(400)
		}
	}
	if m := progress.Of(ctx); m != nil { // that of Signals
		a.meter = m
	}
	ctx = progress.With(ctx, a.meter)
	a.ctx = ctx
	defer a.meter.Close()
	a.prepare(root)
	root.SetArgs(args)
	out := &sink{w: a.Stdout}
	root.SetOut(out)
	c, err := root.ExecuteContextC(ctx)
	if out.err != nil {
		err = written(out.err)
	}
	if a.results != nil && a.output.err != nil {
		err = written(a.output.err)
	}
	if err == nil {
		return ExitDone
	}
	var s *status
	if !errors.As(err, &s) || s.err != nil {
		for line := range strings.Lines(err.Error()) {
			fmt.Fprintf(a.meter, "%s: %s\n", a.Name, report.Safe(withCause(ctx, strings.TrimSpace(line))))
		}
	}
	code := Status(err)
	if code == ExitUsage {
		fmt.Fprintf(a.meter, "%s: try %s --help\n", a.Name, c.CommandPath())
	}
	return code
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

// Tree is a root command as Run has it, with what all commands share: for programs that document or check the
// subcommands without running them.
func (a *App) Tree(root *cobra.Command) *cobra.Command {
	a.prepare(root)
	return root
}

// prepare gives the root command what all commands share.
func (a *App) prepare(root *cobra.Command) {
	root.Args = rejectArgs
	root.RunE = func(c *cobra.Command, _ []string) error { return c.Help() }
	root.SilenceErrors, root.SilenceUsage = true, true
	root.Version = Built().String()
	root.SetVersionTemplate("{{.Version}}\n")
	root.SetIn(a.Stdin)
	root.SetErr(a.Stderr)
	root.SetFlagErrorFunc(flagError)
	root.PersistentPreRunE = func(c *cobra.Command, _ []string) error {
		if a.quiet {
			a.meter.Close()
		}
		if a.debug {
			slog.SetDefault(slog.New(slog.NewTextHandler(a.meter, &slog.HandlerOptions{Level: slog.LevelDebug})))
		}
		formats := a.formats(c)
		if file := a.files[c]; file != nil {
			a.given.divide(formats, &a.Format, file)
		}
		if !slices.Contains(formats, a.Format) {
			return Usage("%s-f %s: expected %s", path(c), a.Format, list(formats))
		}
		return nil
	}
	a.Format = "table"
	a.given.last = &a.Format
	root.PersistentFlags().VarP(&a.given, "format", "f", formatHelp(report.Formats(nil)))
	root.PersistentFlags().BoolVar(&a.debug, "debug", false, "log each command sent to a host and each change on stderr")
	root.PersistentFlags().BoolVar(&a.quiet, "quiet", false, "show no progress on stderr")
	_ = root.RegisterFlagCompletionFunc("format", a.completeFormat) // fails only if the flag is not there
	a.wrapHelp(root)
	root.SetHelpCommand(help())
	root.InitDefaultCompletionCmd()
	if c, _, err := root.Find([]string{"completion"}); err == nil {
		c.Args, c.RunE = rejectArgs, func(c *cobra.Command, _ []string) error { return c.Help() }
	}
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
			if err := rejectArgs(of, rest); err != nil {
				return err
			}
			return of.Help()
		},
	}
}

// Prints says what a command's results are like, for formats that not every
// result can be printed in.
func (a *App) Prints(c *cobra.Command, sample any) *cobra.Command {
	a.samples[c] = sample
	return c
}

func formatHelp(formats []string) string { return "output `format`: " + list(formats) }

// list is "a, b or c".
func list(words []string) string {
	last := len(words) - 1
	if last < 1 {
		return strings.Join(words, "")
	}
	return strings.Join(words[:last], ", ") + " or " + words[last]
}

// Answer prints a result in the format asked for: data is what programs read,
// text prints the same for people. Progress ends with it.
func (a *App) Answer(data any, text func(p *report.Document)) error {
	a.meter.Close()
	to := *a.Results()
	interrupted := a.interrupted() // asked before the printing begins: what comes after that ends it
	done := make(chan error, 1)
	go func() { done <- report.Print(to, a.Format, report.Result{Data: data, Text: text}) }()
	select {
	case err := <-done:
		return written(err)
	case <-interrupted:
	}
	select {
	case err := <-done:
		return written(err)
	case <-time.After(printWithin):
		a.output.closed.Store(true)
		a.results = nil
		return fmt.Errorf("the result was not printed to its end: %w", context.Cause(a.ctx))
	}
}

// printWithin is how long a result may still be printed after Ctrl-C.
const printWithin = 200 * time.Millisecond

// interrupted ends when the command line is interrupted. What was interrupted before
// has its result printed whole: it says what was left.
func (a *App) interrupted() <-chan struct{} {
	if a.ctx == nil || a.ctx.Err() != nil {
		return nil
	}
	return a.ctx.Done()
}

// Conclude is Answer for a command that ends with an outcome of its own, which
// may be nil.
func (a *App) Conclude(outcome error, data any, text func(p *report.Document)) error {
	err := a.Answer(data, text)
	var s *status
	if err == nil || errors.As(outcome, &s) && s.err == nil {
		return cmp.Or(err, outcome)
	}
	return errors.Join(err, outcome)
}

// Print writes a text to stdout as it is.
func (a *App) Print(text string) error {
	_, err := io.WriteString(a.Stdout, text)
	return written(err)
}

// Results is stdout, as results are printed to it.
func (a *App) Results() *report.Output {
	if a.results == nil {
		a.results = resultsTo(a.Stdout)
		a.output = &output{w: a.results.W}
		a.results.W = a.output
	}
	return a.results
}

func resultsTo(w io.Writer) *report.Output {
	to := &report.Output{W: w}
	if f, ok := Terminal(w); ok {
		to.Color = os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb"
		if width, _, err := term.GetSize(int(f.Fd())); err == nil {
			to.Width = min(width, 120)
		}
	}
	return to
}

// Terminal is the file of a stream that a person sees or types at.
func Terminal(stream any) (*os.File, bool) {
	f, ok := stream.(*os.File)
	return f, ok && term.IsTerminal(int(f.Fd()))
}

// Notice prints a line of progress or advice on stderr.
func (a *App) Notice(format string, args ...any) {
	fmt.Fprintln(a.meter, report.Safe(fmt.Sprintf(format, args...)))
}

// Errors is stderr, with room made between what is written and the progress.
func (a *App) Errors() io.Writer { return a.meter }

// meter shows progress on w: a line that is redrawn if it is a terminal.
func meter(w io.Writer) *progress.Meter {
	f, ok := Terminal(w)
	if !ok || os.Getenv("TERM") == "dumb" {
		return progress.New(w, nil)
	}
	return progress.New(w, func() int {
		if width, _, err := term.GetSize(int(f.Fd())); err == nil && width >= 20 {
			return width
		}
		return 80
	})
}

// Version is the subcommand that prints it.
func (a *App) Version() *cobra.Command {
	return &cobra.Command{
		Use: "version", Short: "Print version information", Args: Args(cobra.NoArgs),
		RunE: func(*cobra.Command, []string) error {
			return a.Answer(Built(), func(p *report.Document) { p.Line("%s", Built()) })
		},
	}
}
