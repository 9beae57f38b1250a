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
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	// A reader that goes away (| head -1) fails the write, no more: a change
	// under way is still verified, or undone.
	signal.Notify(make(chan os.Signal, 1), syscall.SIGPIPE)
	exit := cli.Main(ctx, os.Args[1:], os.Stdin, os.Stdout, os.Stderr)
	stop()
	os.Exit(exit)
}
