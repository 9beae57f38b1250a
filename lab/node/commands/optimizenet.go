package commands

import (
	"context"

	"seaworthy/lab/node/flags"
)

func optimizenetCommand() command {
	return command{
		run: runOptimizenet,
		vios: &form{
			flags:    "-list -set* -reset* -perm -h",
			operands: anyNumber,
			usage:    `optimizenet -list [Tunable]`,
		},
	}
}

// runOptimizenet lists network options for padmin, as no -L does for root.
func runOptimizenet(_ context.Context, c *call) error {
	if !c.Has("list") {
		return flags.Usagef("a lab serves -list alone: oem_setup_env, then no -p -o NAME=VALUE sets one")
	}
	return tunableCall{c}.list()
}
