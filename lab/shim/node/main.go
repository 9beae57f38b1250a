//go:build linux

// What a container may use of the machine does not matter to a program that
// lives for one call, and finding that out takes as long as the call.
//
//go:debug containermaxprocs=0
//go:debug updatemaxprocs=0

// Command node is what the commands of a lab's nodes are but for the few that
// work in their own process: package shim and no more, so that it starts quickly.
package main

import (
	"fmt"
	"os"
	"path/filepath"

	"seaworthy/lab/rootfs"
	"seaworthy/lab/shim"
)

func main() {
	exe, ok := shim.OnNode(os.Args)
	if !ok {
		fmt.Fprintln(os.Stderr, "node: runs on the nodes of a lab only")
		os.Exit(64)
	}
	os.Exit(shim.Command(filepath.Base(os.Args[0]), os.Args[1:], exe == rootfs.IOSCLI))
}
