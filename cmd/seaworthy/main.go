// Command seaworthy finds out why a network path through a Power system is
// slow, changes it reversibly and measures whether that helped. See package cli.
package main

import (
	"os"
	"os/signal"
	"syscall"

	"seaworthy/cli"
	"seaworthy/cli/command"
)

func main() {
	ctx, stop := command.Signals(os.Stderr, "seaworthy")
	// A reader that goes away (| head -1) fails the write, no more: a change
	// under way is still verified, or undone.
	signal.Notify(make(chan os.Signal, 1), syscall.SIGPIPE)
	exit := cli.Main(ctx, os.Args[1:], os.Stdin, os.Stdout, os.Stderr)
	stop()
	os.Exit(exit)
}
