package main

import (
	"seaworthy/lab"
	"seaworthy/lab/machinery"
)

// labMain serves the lab's own uses of this program.
func labMain(args []string) (handled bool, exit int) {
	return lab.Main(args, machinery.Standard())
}
