package commands

import "context"

func oemSetupEnvCommand() command {
	return command{
		run:  runOEMSetupEnv,
		vios: &form{},
	}
}

// runOEMSetupEnv is oem_setup_env: a root shell for padmin.
func runOEMSetupEnv(ctx context.Context, c *call) error {
	inner := *c.Call
	inner.User, inner.VIOS = "root", false
	return exit(c.sim.Shell(ctx, &inner))
}
