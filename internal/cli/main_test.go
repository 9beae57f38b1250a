package cli_test

import (
	"context"
	"flag"
	"os"
	"os/signal"
	"syscall"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"seaworthy/internal/cli"
)

var update = flag.Bool("update", false, "rewrite what scripts compare with")

// The test program is seaworthy itself when a script starts it under that name.
func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"seaworthy": seaworthy})
}

func seaworthy() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	os.Exit(cli.Main(ctx, os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}
