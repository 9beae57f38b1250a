package command

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"syscall"

	"github.com/spf13/cobra"

	"seaworthy/internal/app"
	"seaworthy/internal/ui/report/doc"
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

// status carries an exit status up to Run.
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

// Exit ends the program with a status. A nil err prints nothing: the answer
// was printed already.
func Exit(code int, err error) error { return &status{code, err} }

// Status is the exit status of an error.
func Status(err error) int {
	var s *status
	var usage *app.UsageError
	var negative *app.NegativeError
	switch {
	case err == nil:
		return ExitDone
	case errors.As(err, &s):
		return s.code
	case errors.As(err, &usage):
		return ExitUsage
	case errors.As(err, &negative):
		return ExitNo
	}
	return ExitFailed
}

// Usage is a mistake on the command line.
func Usage(format string, args ...any) error { return app.Usage(format, args...) }

// withCause says what ended the context, where an error only says that it ended.
func withCause(ctx context.Context, line string) string {
	cause := context.Cause(ctx)
	if cause == nil || !strings.HasSuffix(line, context.Canceled.Error()) {
		return line
	}
	return strings.TrimSuffix(line, context.Canceled.Error()) + "interrupted: " + cause.Error()
}

// written returns what became of the printing of a result. A reader that closed the
// pipe (| head) needs no message.
func written(err error) error {
	switch {
	case err == nil:
		return nil
	case errors.Is(err, syscall.EPIPE):
		return Exit(ExitFailed, nil)
	case errors.Is(err, doc.ErrNoTable):
		return Usage("-f csv: %v", err)
	}
	return Exit(ExitFailed, fmt.Errorf("writing the result: %w", err))
}

// path begins messages about a command: "lab up: ".
func path(c *cobra.Command) string {
	if !c.HasParent() {
		return ""
	}
	return strings.TrimPrefix(c.CommandPath(), c.Root().Name()+" ") + ": "
}

// flagError says what a flag takes instead of how it was read.
func flagError(c *cobra.Command, err error) error {
	var n *strconv.NumError
	if !errors.As(err, &n) {
		return Usage("%s%w", path(c), err)
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
	return Usage("%s%s%s", path(c), strings.TrimSuffix(err.Error(), n.Error()), want)
}

// Given counts the flags that are set, for those that exclude each other.
func Given(set ...bool) int {
	n := 0
	for _, s := range set {
		if s {
			n++
		}
	}
	return n
}

// hosts are the words of usage lines that stand for a host.
var hosts = map[string]bool{"A": true, "B": true, "HOST": true, "FROM": true, "TO": true, "HOST1": true, "HOST2": true}

// requiredArgs are the arguments that a usage line does not put into brackets.
func requiredArgs(use string) []string {
	var out []string
	for _, word := range strings.Fields(use)[1:] {
		if strings.ContainsAny(word[:1], "-(|[") {
			break
		}
		out = append(out, strings.TrimSuffix(word, "..."))
	}
	return out
}

// Args makes a wrong number of arguments a usage error.
func Args(check cobra.PositionalArgs) cobra.PositionalArgs {
	return func(c *cobra.Command, args []string) error {
		err := check(c, args)
		if err == nil || Status(err) == ExitUsage {
			return err
		}
		given := "no argument given"
		required := requiredArgs(c.Use)
		switch {
		case len(args) < len(required) && len(required) == 2 && !slices.ContainsFunc(required, func(r string) bool { return !hosts[r] }):
			given = "two hosts are needed"
		case len(args) < len(required):
			given = strings.ReplaceAll(strings.Join(required[len(args):], " "), "|", " or ") + " is missing"
		case len(args) > 0:
			given = "unexpected arguments: " + strings.Join(args, " ")
		}
		return Usage("%s%s (usage: %s)", path(c), given, strings.TrimSuffix(c.UseLine(), " [flags]"))
	}
}

// rejectArgs refuses arguments of a command that only holds others.
func rejectArgs(c *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	c.SuggestionsMinimumDistance = 2
	hint := ""
	if near := c.SuggestionsFor(args[0]); len(near) > 0 {
		hint = ", did you mean " + strings.Join(near, " or ") + "?"
	}
	return Usage("%sunknown command %q%s", path(c), args[0], hint)
}

// Group is a command that only holds others.
func Group(use, short string, subs ...*cobra.Command) *cobra.Command {
	c := &cobra.Command{Use: use, Short: short, Args: rejectArgs, RunE: func(c *cobra.Command, _ []string) error { return c.Help() }}
	c.AddCommand(subs...)
	return c
}
