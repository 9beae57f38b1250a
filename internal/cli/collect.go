package cli

import (
	"context"
	"errors"

	"github.com/spf13/cobra"

	"seaworthy/internal/app/collection"
	"seaworthy/internal/cli/command"
	"seaworthy/internal/collect"
)

type collectCommand struct {
	*commandLine
	request collection.Request
	list    bool
}

func newCollect(a *commandLine) *cobra.Command {
	x := &collectCommand{commandLine: a}
	q := &x.request
	return a.command("collect", command.Flags{
		"output": &q.Dir, "list": &x.list, "replace": &q.Replace, "via-hmc": &q.HMC, "viosvrcmd": &q.ThroughHMC,
		"system": &q.System, "redact": &q.RedactKey, "no-ping": &q.NoPing,
	}, func(c *cobra.Command, argv []string) error {
		q.Names = argv
		return x.run(c.Context())
	})
}

func (x *collectCommand) run(ctx context.Context) error {
	q := &x.request
	switch {
	case x.list:
		return x.lay("commands", collect.List())
	case q.Dir == "":
		return command.Usage("collect: -o DIR is required")
	case q.ThroughHMC && q.HMC == "":
		return command.Usage("collect: --viosvrcmd needs --via-hmc HOST")
	case len(q.Names) == 0 && x.inventory == "" && q.HMC == "":
		return command.Usage("collect: name hosts, or give an inventory with -i")
	}
	r, err := q.Run(ctx, x.access())
	if err != nil {
		return err
	}
	err = x.lay("collected", r.Hosts)
	if err != nil {
		return err
	}
	switch {
	case r.Failed == nil:
		return nil
	case r.Kept == 0 || ctx.Err() != nil || errors.Is(r.Failed, collect.ErrNotSaved):
		return r.Failed
	}
	return command.Exit(command.ExitInconclusive, r.Failed)
}
