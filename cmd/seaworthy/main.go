// Command seaworthy finds out why a network path through a Power system is
// slow, changes it reversibly and measures whether that helped. See package cli.
package main

import (
	"os"

	"seaworthy/internal/cli"
	"seaworthy/internal/cli/command"
)

func main() {
	ctx, stop := command.Signals(os.Stderr, "seaworthy")
	exit := cli.Main(ctx, os.Args[1:], os.Stdin, os.Stdout, os.Stderr)
	stop()
	os.Exit(exit)
}
