package cli_test

import (
	"seaworthy/lab"
	"seaworthy/lab/machinery"
)

func labMain(args []string) (handled bool, exit int) {
	return lab.Main(args, machinery.Standard())
}
