package tour

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"
)

// Tour is where a tour is given.
type Tour struct {
	Program string // seaworthy, which carries out the commands
	In      io.Reader
	Out     io.Writer
	Waits   bool // for Enter before each command: somebody sits there
}

// errLeft says that the visitor ended the tour.
var errLeft = errors.New("the tour was left")

// Give walks through all stops. However it ends, its lab and its files are removed. An error names the command that did
// not end as expected.
func (t *Tour) Give(ctx context.Context) (err error) {
	dir, err := os.MkdirTemp("", "seaworthy-tour-")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, t.tidy(ctx, dir)) }()
	keys := bufio.NewReader(t.In)
	began := time.Now()
	for n, s := range stops {
		argv := placed(s.command, dir)
		fmt.Fprintf(t.Out, "\n%d of %d  %s\n\n$ seaworthy %s\n", n+1, len(stops), s.say, strings.Join(argv, " "))
		run, err := t.asked(ctx, keys)
		if errors.Is(err, errLeft) {
			return nil
		}
		if err != nil {
			return err
		}
		if !run {
			continue
		}
		err = t.run(ctx, argv, s.ends)
		if err != nil {
			return err
		}
	}
	fmt.Fprintf(t.Out, "\n%s(%d s.)\n", farewell, int(time.Since(began).Seconds()))
	return nil
}

// placed puts the tour's files into a command.
func placed(argv []string, dir string) []string {
	argv = slices.Clone(argv)
	for i, word := range argv {
		switch word {
		case "PLAN":
			argv[i] = filepath.Join(dir, "plan.json")
		case "HOSTS":
			argv[i] = filepath.Join(dir, "today")
		}
	}
	return argv
}

// asked waits for the visitor: Enter runs the command, s skips it, q ends the tour.
func (t *Tour) asked(ctx context.Context, keys *bufio.Reader) (run bool, err error) {
	if !t.Waits {
		return true, ctx.Err()
	}
	fmt.Fprint(t.Out, "  Enter: run it   s: skip   q: leave > ")
	type answer struct {
		line string
		err  error
	}
	typed := make(chan answer, 1)
	go func() {
		line, err := keys.ReadString('\n')
		typed <- answer{line, err}
	}()
	select {
	case <-ctx.Done():
		return false, context.Cause(ctx)
	case a := <-typed:
		if a.err != nil { // the terminal is gone
			return false, errLeft
		}
		switch strings.TrimSpace(a.line) {
		case "q":
			return false, errLeft
		case "s":
			return false, nil
		}
		return true, nil
	}
}

// run runs a command on the visitor's terminal.
func (t *Tour) run(ctx context.Context, argv []string, ends []int) error {
	c := exec.CommandContext(ctx, t.Program, argv...)
	c.Stdout, c.Stderr = t.Out, t.Out
	c.Cancel = func() error { return c.Process.Signal(syscall.SIGINT) }
	c.WaitDelay = 30 * time.Second
	err := c.Run()
	var exit *exec.ExitError
	if errors.As(err, &exit) && ctx.Err() == nil && slices.Contains(ends, exit.ExitCode()) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("seaworthy %s: %w", strings.Join(argv, " "), err)
	}
	return nil
}

// tidy removes the lab, if it is there, and the files.
func (t *Tour) tidy(ctx context.Context, dir string) error {
	ctx, stop := context.WithTimeout(context.WithoutCancel(ctx), time.Minute)
	defer stop()
	_ = exec.CommandContext(ctx, t.Program, "lab", "down", Lab, "--quiet").Run() // fails if it never came up
	return os.RemoveAll(dir)
}
