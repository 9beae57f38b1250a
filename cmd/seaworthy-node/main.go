//go:build linux

// What a container may use of the machine does not matter to a program that
// lives for one call, and finding that out takes as long as the call.
//
//go:debug containermaxprocs=0
//go:debug updatemaxprocs=0

// Command seaworthy-node stands for the commands of a lab's nodes, and carries
// SSH connections to them. A lab does without it, but is slower: see package
// shim.
package main

import (
	"fmt"
	"os"

	"seaworthy/lab/shim"
)

func main() {
	handled, exit := shim.Main(os.Args)
	if !handled {
		fmt.Fprintln(os.Stderr, "seaworthy-node is for labs: `seaworthy lab up` puts it on their nodes")
		exit = 64
	}
	os.Exit(exit)
}
