// Command seaworthy finds out why a network path through a Power system is
// slow, changes it reversibly and measures whether that helped. See package cli.
package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"

	"seaworthy/cli"
)

func main() {
	if handled, exit := labMain(os.Args); handled {
		os.Exit(exit)
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	exit := cli.Main(ctx, os.Args[1:], os.Stdin, os.Stdout, os.Stderr)
	stop()
	os.Exit(exit)
}
