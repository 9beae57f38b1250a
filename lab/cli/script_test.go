package cli_test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	tool "seaworthy/internal/cli"
	"seaworthy/internal/test/draw"
	"seaworthy/internal/test/needs"
	"seaworthy/internal/test/postgrestest"
	"seaworthy/internal/test/script"
	"seaworthy/lab"
	"seaworthy/lab/assemble"
	"seaworthy/lab/cli"
)

// TestMain is both programs when a script starts one of them by its name, and
// all that a lab starts its program for.
func TestMain(m *testing.M) {
	if handled, exit := lab.Main(os.Args, assemble.Default()); handled {
		os.Exit(exit)
	}
	testscript.Main(m, map[string]func(){"seaworthy": program(tool.Main), "seaworthy-lab": program(cli.Main)})
}

func program(main func(context.Context, []string, io.Reader, io.Writer, io.Writer) int) func() {
	return func() {
		ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
		defer stop()
		os.Exit(main(ctx, os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
	}
}

// TestLab runs scripts of testdata/script, some of them at a time, which start labs:
// each in a state folder of its own, in which nothing may be left.
func TestLab(t *testing.T) {
	needLab(t)
	program, err := exec.LookPath("seaworthy-lab")
	if err != nil {
		t.Fatal(err)
	}
	if err := needs.Programs(filepath.Dir(program), "seaworthy-probe"); err != nil {
		t.Fatal(err)
	}
	all, err := filepath.Glob("testdata/script/*.txtar")
	if err != nil || len(all) == 0 {
		t.Fatalf("got scripts %v, %v", all, err)
	}
	testscript.Run(t, testscript.Params{
		Files: draw.Costly(t, 24, 3, all), RequireUniqueNames: true, RequireExplicitExec: true, Setup: setup, Condition: condition,
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"exits": script.Exits, "json": script.JSON, "narrow": script.Narrow, "before": before, "within": within, "carries": carries,
			"earlier": script.Earlier, "postgres": postgres, "serving": script.Serving, "page": script.Page, "ended": script.Ended,
		},
	})
}

// postgres sets a variable to the URL of an empty database: postgres NAME.
func postgres(ts *testscript.TestScript, _ bool, args []string) {
	tb, ok := ts.Value(tbKey{}).(testing.TB)
	if !ok {
		ts.Fatalf("there is no test to start PostgreSQL for")
	}
	ts.Setenv(args[0], postgrestest.Start(tb)())
}

// tbKey has the test of a script among its values.
type tbKey struct{}

// condition returns what scripts ask for in brackets: drivers of the kernel.
func condition(name string) (bool, error) {
	drivers, err := lab.Drivers()
	if err != nil {
		return false, err
	}
	for _, d := range drivers {
		if d.Name == name {
			return d.Here, nil
		}
	}
	return false, fmt.Errorf("unknown condition %s", name)
}

func setup(e *testscript.Env) error {
	e.Values[script.ServerKey] = &script.Server{}
	for _, v := range []string{"HOME", "XDG_STATE_HOME"} {
		dir := filepath.Join(e.WorkDir, strings.ToLower(v))
		if err := os.MkdirAll(dir, 0o700); err != nil {
			return err
		}
		e.Setenv(v, dir)
	}
	// Short, for the sockets' paths.
	dir, err := os.MkdirTemp("", "sw")
	if err != nil {
		return err
	}
	e.Setenv("XDG_RUNTIME_DIR", dir)
	tb := e.T().(testing.TB)
	e.Values[tbKey{}] = tb
	e.Defer(func() {
		nothingLeft(tb, filepath.Join(dir, "seaworthy"))
		if err := os.RemoveAll(dir); err != nil {
			tb.Errorf("the state folder stays: %v", err)
		}
	})
	return nil
}

// needLab skips where the kernel does not let us make namespaces; in CI that is
// a failure.
func needLab(t *testing.T) {
	t.Helper()
	dir, err := os.MkdirTemp("", "sw")
	if err != nil {
		t.Fatal(err)
	}
	defer os.RemoveAll(dir)
	l, err := lab.Up(t.Context(), lab.Options{Topology: "dedicated", StateDir: filepath.Join(dir, "s")})
	if err != nil {
		if strings.Contains(err.Error(), "namespaces") && os.Getenv("CI") != "true" {
			t.Skipf("no lab on this machine: %v", err)
		}
		t.Fatal(err)
	}
	if err := l.Down(t.Context()); err != nil {
		t.Fatal(err)
	}
}

// nothingLeft fails if a script left a lab, and takes it down.
func nothingLeft(t testing.TB, dir string) {
	t.Helper()
	if _, err := os.Stat(dir); os.IsNotExist(err) {
		return
	}
	labs, err := lab.List(dir)
	if err != nil {
		t.Error(err)
	}
	for _, l := range labs {
		t.Errorf("lab %s is still up", l.Name)
		ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
		if err := l.Down(ctx); err != nil {
			t.Error(err)
		}
		cancel()
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Error(err)
	}
	for _, e := range entries {
		t.Errorf("%s is left in the state folder", e.Name())
	}
	for _, p := range mentioning(dir) {
		t.Errorf("process %s is left", p)
	}
}

// mentioning gives the processes with a path below a folder in their command line.
func mentioning(dir string) []string {
	lines, _ := filepath.Glob("/proc/[0-9]*/cmdline") // the pattern is well formed
	var out []string
	for _, f := range lines {
		text, err := os.ReadFile(f)
		if err == nil && bytes.Contains(text, []byte(dir)) {
			out = append(out, strings.ReplaceAll(string(text), "\x00", " "))
		}
	}
	return out
}
