//go:build linux

// What a container may use of the machine does not matter to a program that
// mostly lives for one call, and finding that out takes as long as the call.
//
//go:debug containermaxprocs=0
//go:debug updatemaxprocs=0

// Command seaworthy-lab has the lab and the demo, is the supervisor of a lab,
// and answers for the commands of its nodes. See packages lab and lab/cli.
package main

import (
	"os"

	"seaworthy/internal/cli/command"
	"seaworthy/lab"
	"seaworthy/lab/assemble"
	"seaworthy/lab/cli"
)

func main() {
	if handled, exit := lab.Main(os.Args, assemble.Default()); handled {
		os.Exit(exit)
	}
	ctx, stop := command.Signals(os.Stderr, "seaworthy-lab")
	exit := cli.Main(ctx, os.Args[1:], os.Stdin, os.Stdout, os.Stderr)
	stop()
	os.Exit(exit)
}
