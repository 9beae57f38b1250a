package commands

import (
	"context"

	"seaworthy/lab/odm"
)

func cfgmgrCommand() command {
	return command{
		run: runCfgmgr,
		aix: &form{
			ordinary: permissionDenied("cfgmgr"),
		},
	}
}

func cfgdevCommand() command {
	return command{
		run:  runCfgmgr,
		vios: &form{},
	}
}

// runCfgmgr configures what is there. It prints nothing, as AIX's does.
func runCfgmgr(ctx context.Context, c *call) error {
	return c.sim.Change(ctx, c.Node, "/usr/lib/methods/defsys", func(s *odm.Store) error { s.Discover(); return nil })
}
