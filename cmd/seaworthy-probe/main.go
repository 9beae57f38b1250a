// Command seaworthy-probe makes load and reads meters on one endpoint, under
// the control of seaworthy over its stdin and stdout. See package probe.
package main

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"syscall"

	"seaworthy/internal/measure/probe"
)

// version is set by the linker: -X main.version=…
var version = "dev"

const usage = `usage: seaworthy-probe control [--remove-self]
       seaworthy-probe version

control        take requests on stdin, answer on stdout, end with stdin
--remove-self  first delete this program and its folder, if that
               folder was made for it (named .../seaworthy-probe.*)
`

func main() {
	os.Exit(run(os.Args[1:]))
}

func run(args []string) int {
	switch {
	case len(args) == 1 && args[0] == "version":
		fmt.Printf("seaworthy-probe %s protocol %d %s/%s\n", version, probe.Protocol, runtime.GOOS, runtime.GOARCH)
		return 0
	case len(args) == 1 && args[0] == "control":
	case len(args) == 2 && args[0] == "control" && args[1] == "--remove-self":
		// First of all, so that nothing stays behind whatever ends this process.
		if err := removeSelf(); err != nil {
			fmt.Fprintln(os.Stderr, "seaworthy-probe:", err)
			return 1
		}
	default:
		fmt.Fprint(os.Stderr, usage)
		return 64
	}
	// The loops allocate nothing; a collection would only stop them. The limit
	// still collects should a long life of trials add up.
	debug.SetGCPercent(-1)
	debug.SetMemoryLimit(256 << 20)
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	defer stop()
	if err := probe.Serve(ctx, os.Stdin, os.Stdout, version); err != nil {
		fmt.Fprintln(os.Stderr, "seaworthy-probe:", err)
		return 1
	}
	return 0
}

// removeSelf deletes the program and its folder. It refuses any folder but
// one made for an upload: an installed program is never deleted.
func removeSelf() error {
	path, err := os.Executable()
	if err != nil {
		return fmt.Errorf("--remove-self: %w", err)
	}
	dir := filepath.Dir(path)
	if ok, _ := filepath.Match("seaworthy-probe.*", filepath.Base(dir)); !ok {
		return fmt.Errorf("--remove-self: %s is not a folder made for an upload", dir)
	}
	if err := os.Remove(path); err != nil {
		return fmt.Errorf("--remove-self: %w", err)
	}
	if err := os.Remove(dir); err != nil { // empty now, or not ours
		return fmt.Errorf("--remove-self: %w", err)
	}
	return nil
}
