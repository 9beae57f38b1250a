package remote

import (
	"strings"

	"seaworthy/internal/remote/shellword"
)

// Step is one command line of a host's shell.
type Step struct {
	Line string
	// Root: the login of a VIOS may not run it, but has a shell of root for it, oem_setup_env.
	Root bool
}

// String is the step as an administrator types it.
func (s Step) String() string {
	if !s.Root {
		return s.Line
	}
	return "echo " + shellword.Quote(s.Line) + " | oem_setup_env"
}

// Work is several steps, as values: who runs them decides how each becomes root.
type Work struct {
	Setup string // run before the first step, in the login's own shell; empty: nothing
	Steps []Step // each depends on the one before, unless All is set
	All   bool   // each runs whatever became of the one before; the work fails if one does
	// Ensure runs, all of it, if one of the steps fails.
	Ensure []Step
}

// Root reports whether a step of the work is root's.
func (w Work) Root() bool {
	for _, list := range [][]Step{w.Steps, w.Ensure} {
		for _, s := range list {
			if s.Root {
				return true
			}
		}
	}
	return false
}

// OneLine reports whether the work must reach the host as one line: the host carries it
// out whatever becomes of the connection.
func (w Work) OneLine() bool { return w.All && len(w.Steps) > 1 || len(w.Ensure) > 0 }

// String is the work as one command line that an administrator types.
func (w Work) String() string { return w.Text(Step.String) }

// Text is the work as one command line, with each step as written says.
func (w Work) Text(written func(Step) string) string {
	join := func(steps []Step, between string) string {
		var lines []string
		for _, s := range steps {
			lines = append(lines, written(s))
		}
		return strings.Join(lines, between)
	}
	line := join(w.Steps, " && ")
	switch {
	case w.All && len(w.Steps) > 1:
		line = "failed=0; " + join(w.Steps, " || failed=1; ") + " || failed=1; test $failed = 0"
	case len(w.Ensure) > 0:
		line = "if " + line + "; then true; else " + join(w.Ensure, "; ") + "; false; fi"
	}
	if w.Setup != "" {
		return w.Setup + "; " + line
	}
	return line
}

// Command is the work as a command. Its line is what a host runs that has no way to become
// root, and what messages name.
func (w Work) Command() Command { return Command{Line: w.String(), Work: w} }

// Command is the step as a command.
func (s Step) Command() Command { return Work{Steps: []Step{s}}.Command() }
