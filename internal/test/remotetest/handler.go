// Package remotetest is a fleet of SSH servers inside a test: real connections
// over loopback, commands answered by the test.
//
//	fleet := remotetest.Start(t, map[string]remotetest.Handler{
//		"lpar1": remotetest.Table{"uname -s": {Stdout: "AIX\n"}}.Serve,
//		"vios1": remotetest.Hang,
//	})
//	h := fleet.Host("lpar1")                       // a remote.Host
//	hosts, err := hosts.Open(ctx, []string{"lpar1"}, hosts.Options{SSHConfig: fleet.Config})
//	fleet.Server("lpar1").RefuseLogins(true)       // and other faults
//
// Everything ends with the test.
package remotetest

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	"seaworthy/internal/remote"
)

// Call is one command line that a client sent.
type Call struct {
	Host string
	User string
	Line string // as sent
	// Command is Line without what sets the environment: see Bare.
	Command        string
	Stdin          io.Reader
	Stdout, Stderr io.Writer
	// Cut breaks the client's connection, as a host does that dies.
	Cut func()
}

// Handler answers a call and returns its exit status. The context ends when
// the client closes the session or sends a signal.
type Handler func(ctx context.Context, c *Call) int

// Answer is a fixed answer.
type Answer struct {
	Stdout, Stderr string
	Exit           int
}

// Table answers from a map of command lines; it looks for the line as sent,
// then for the command without what sets the environment. What is not in it
// fails as a shell would: status 127.
//
// On a VIOS, a command that padmin gives to oem_setup_env, by a pipe from echo
// or on its stdin, is answered if the table has an entry "oem_setup_env": from
// the entry "oem_setup_env: COMMAND", else from "COMMAND". An entry
// "oem_setup_env" with an exit status refuses all of them; that of the command
// is printed where the line asks for it, and else lost.
type Table map[string]Answer

// Serve is the table's Handler.
func (t Table) Serve(_ context.Context, c *Call) int {
	a, ok := t.Find(c)
	if !ok {
		word, _, _ := strings.Cut(c.Command, " ")
		a = Answer{Stderr: fmt.Sprintf("sh: %s: not found\n", word), Exit: 127}
	}
	_, _ = io.WriteString(c.Stdout, a.Stdout) // a client that went away is its own business
	_, _ = io.WriteString(c.Stderr, a.Stderr)
	return a.Exit
}

var echoed = regexp.MustCompile(`(?s)^echo (.*) \| oem_setup_env$`)

// Find looks up the answer to a call; false if the table has none.
func (t Table) Find(c *Call) (Answer, bool) {
	root := ""
	switch m := echoed.FindStringSubmatch(c.Command); {
	case m != nil:
		root = strings.ReplaceAll(strings.TrimSuffix(strings.TrimPrefix(m[1], "'"), "'"), `'\''`, "'")
	case c.Command == "oem_setup_env":
		text, err := io.ReadAll(c.Stdin)
		if err != nil {
			return Answer{Stderr: err.Error(), Exit: 1}, true
		}
		root = strings.TrimSpace(string(text))
	default:
		if a, ok := t[c.Line]; ok {
			return a, true
		}
		a, ok := t[c.Command]
		return a, ok
	}
	gate, ok := t["oem_setup_env"]
	if !ok || gate.Exit != 0 {
		return gate, ok
	}
	root, carries := strings.CutSuffix(root, "; echo seaworthy-status $?")
	if !carries {
		root, carries = strings.CutSuffix(root, "\necho seaworthy-status $?")
	}
	root, printed := Unmarked(root)
	a, ok := t["oem_setup_env: "+Bare(root)]
	if !ok {
		a, ok = t[Bare(root)]
	}
	if carries && ok {
		a.Stdout, a.Exit = fmt.Sprintf("%s%sseaworthy-status %d\n", printed, a.Stdout, a.Exit), gate.Exit
	}
	return a, ok
}

var environment = regexp.MustCompile(`^(?:export [^;]*; *|(?:[A-Za-z_][A-Za-z0-9_]*=[^ ;]* +)+)`)

// Bare is a command line without the export or the NAME=value assignments in
// front of it, which is how collectors set the locale.
func Bare(line string) string { return environment.ReplaceAllString(line, "") }

// Snapshot answers with what a snapshot folder recorded.
func Snapshot(t testing.TB, dir string) Handler {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(dir, "manifest.json"))
	if err != nil {
		t.Fatal(err)
	}
	var m struct {
		Commands []struct {
			Line, Stdout, Stderr string
			Exit                 int
		}
	}
	if err := json.Unmarshal(text, &m); err != nil {
		t.Fatalf("%s: %v", dir, err)
	}
	read := func(name string) string {
		if name == "" {
			return ""
		}
		b, err := os.ReadFile(filepath.Join(dir, filepath.Base(name)))
		if err != nil {
			t.Fatal(err)
		}
		return string(b)
	}
	table := Table{}
	for _, c := range m.Commands {
		table[c.Line] = Answer{Stdout: read(c.Stdout), Stderr: read(c.Stderr), Exit: c.Exit}
	}
	return table.Serve
}

// Shell runs the lines on this machine with sh -c.
func Shell(ctx context.Context, c *Call) int {
	cmd := exec.CommandContext(ctx, "sh", "-c", c.Line)
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
	cmd.WaitDelay = time.Second
	cmd.Stdout, cmd.Stderr = c.Stdout, c.Stderr
	// Not cmd.Stdin: Run would wait for the client to close it.
	in, err := cmd.StdinPipe()
	if err != nil {
		return 126
	}
	go func() {
		_, _ = io.Copy(in, c.Stdin) // the command may end first
		in.Close()
	}()
	err = cmd.Run()
	var exit *exec.ExitError
	switch {
	case err == nil:
		return 0
	case errors.As(err, &exit) && exit.ExitCode() >= 0:
		return exit.ExitCode()
	}
	return 137
}

// Hang never answers.
func Hang(ctx context.Context, _ *Call) int {
	<-ctx.Done()
	return 143
}

// DieAfter prints a text and then cuts the connection.
func DieAfter(text string) Handler {
	return func(ctx context.Context, c *Call) int {
		_, _ = io.WriteString(c.Stdout, text)
		c.Cut()
		<-ctx.Done()
		return 0
	}
}

// Garbage prints n bytes of anything, the same every time.
func Garbage(n int64) Handler {
	return func(_ context.Context, c *Call) int {
		_, _ = io.CopyN(c.Stdout, rand.New(rand.NewSource(1)), n)
		return 0
	}
}

// On answers matching lines with one handler and all others with another.
func On(command *regexp.Regexp, matching, others Handler) Handler {
	return func(ctx context.Context, c *Call) int {
		if command.MatchString(c.Command) {
			return matching(ctx, c)
		}
		return others(ctx, c)
	}
}

// Unmarked takes what remote.Marked added from a line, and what a shell prints for it.
func Unmarked(line string) (plain, printed string) {
	mark := remote.Marked("")
	if plain, ok := strings.CutPrefix(line, mark); ok {
		return plain, strings.TrimSuffix(strings.TrimPrefix(mark, "echo "), "; ") + "\n"
	}
	return line, ""
}
