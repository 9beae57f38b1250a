package cli

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"seaworthy/internal/app/past"
	"seaworthy/internal/app/sweeps"
	"seaworthy/internal/cli/command"
	"seaworthy/internal/fleet/control"
	"seaworthy/internal/fleet/zone"
	"seaworthy/internal/history"
	"seaworthy/internal/knowledge"
	"seaworthy/internal/ui/report"
	"seaworthy/internal/ui/web"
	"seaworthy/internal/ui/web/guard"
)

func newFleet(a *commandLine) *cobra.Command {
	return command.Group("fleet", "Read hosts of many zones from one hub",
		newFleetServe(a), newFleetToken(a), newFleetJoin(a), newFleetSweep(a), newFleetStatus(a), newFleetCancel(a), newFleetZones(a),
		newFleetRemove(a),
		command.Group("schedule", "Sweeps that begin by themselves", newSchedulePut(a), newScheduleLs(a), newScheduleRm(a)))
}

// Defaults of a hub.
const (
	fleetListen = "127.0.0.1:4443"
	fleetPages  = "127.0.0.1:8766"
	fleetLease  = 10 * time.Minute
	fleetWithin = 24 * time.Hour
)

// fleetServeCommand runs a hub and its pages.
type fleetServeCommand struct {
	*commandLine
	hub       sweeps.Serving
	pages     string // HOST:PORT, unix:PATH or noPages
	tokenFile string
}

// noPages is what --pages is where there are to be none.
const noPages = "none"

// hubMemory is the soft limit of a hub's memory, in bytes: with what SQLite takes beside it, it
// stays below 1 GB with 50,000 hosts.
const hubMemory = 700 << 20

func newFleetServe(a *commandLine) *cobra.Command {
	x := &fleetServeCommand{commandLine: a, pages: fleetPages}
	x.hub = sweeps.Serving{Listen: fleetListen, Lease: fleetLease, Limits: zone.Defaults, Version: command.Built().ID()}
	q := &x.hub
	return a.command("fleet serve", command.Flags{
		"address": &q.Addresses, "at-once": &q.Limits.Hosts, "history": &q.History, "lease": &q.Lease, "listen": &q.Listen, "local": &q.Local,
		"pages": &x.pages, "state": &q.State, "tls-cert": &q.Cert, "tls-key": &q.Key, "token-file": &x.tokenFile,
	}, func(c *cobra.Command, _ []string) error { return x.run(c.Context()) })
}

func (x *fleetServeCommand) run(ctx context.Context) error {
	command.SetSoftMemory(hubMemory)
	if x.hub.Local && x.inventory == "" {
		return command.Usage("fleet serve --local: give the hosts with -i")
	}
	token, err := readToken(ctx, x.tokenFile)
	if err != nil {
		return err
	}
	if x.pages == noPages {
		if token != "" {
			return command.Usage("fleet serve: --token-file is for the pages, and --pages none has none")
		}
		return x.serve(ctx, "")
	}
	at := guard.Options{Address: x.pages, Token: token}
	if !guard.Local(x.pages) {
		at.Cert, at.Key = x.hub.Cert, x.hub.Key
	}
	l, err := guard.Listen(at)
	switch {
	case errors.Is(err, guard.ErrNeedsTLS), errors.Is(err, guard.ErrNeedsToken):
		return command.Usage("fleet serve --pages %w", err)
	case err != nil:
		return fmt.Errorf("fleet serve --pages %s: %w", x.pages, err)
	}
	defer l.Close()
	rules := knowledge.BuiltIn().Rules()
	x.hub.Beside = func(ctx context.Context, hub *sweeps.Asking) error {
		open := func(ctx context.Context) (*history.Store, error) { return past.Open(ctx, x.access(), x.hub.History) }
		return web.New(ctx, web.Options{Fleet: hub, History: open, Rules: rules, Version: command.Built().ID()}).Serve(l, token)
	}
	return x.serve(ctx, ", pages and metrics "+l.URL)
}

// serve runs the hub until the context ends.
func (x *fleetServeCommand) serve(ctx context.Context, pages string) error {
	return x.hub.Serve(ctx, x.access(), func(address, kept string) {
		x.Notice("hub: listening on %s, history %s%s", address, kept, pages)
	})
}

func newFleetJoin(a *commandLine) *cobra.Command {
	q := &sweeps.Joining{Limits: zone.Defaults, Version: command.Built().ID()}
	return a.command("fleet join", command.Flags{
		"at-once": &q.Limits.Hosts, "hub": &q.Hub, "no-root-shell": &q.NoRoot, "per-jump": &q.Limits.Jump,
		"per-system": &q.Limits.System, "redact": &q.Redact, "spool": &q.Spool, "token": &q.Token,
	}, func(c *cobra.Command, argv []string) error {
		q.Names = argv
		return q.Join(c.Context(), a.access(), func(name string) { a.Notice("zone %s: reading its hosts for the hub", name) })
	})
}

// operatorCommand is a subcommand that asks a hub.
type operatorCommand struct {
	*commandLine
	state string // --state
	token string // --token
}

// operatorRun is what a subcommand asks.
type operatorRun func(ctx context.Context, x *operatorCommand, hub *sweeps.Asking, argv []string) error

// operator is a subcommand that asks a hub.
func (a *commandLine) operator(path string, more command.Flags, run operatorRun) *cobra.Command {
	x := &operatorCommand{commandLine: a}
	flags := command.Flags{"state": &x.state, "token": &x.token}.And(more)
	return a.command(path, flags, func(c *cobra.Command, argv []string) error {
		hub, err := sweeps.Operator(c.Context(), x.state, x.token)
		if err != nil {
			return err
		}
		defer hub.Close()
		return run(c.Context(), x, hub, argv)
	})
}

func newFleetToken(a *commandLine) *cobra.Command {
	var z control.NewZone
	var file string
	return a.operator("fleet token", command.Flags{"hosts": &z.Patterns, "replace": &z.Replace, "output": &file},
		func(ctx context.Context, x *operatorCommand, hub *sweeps.Asking, argv []string) error {
			if file == "" {
				return command.Usage("fleet token: -o FILE is required")
			}
			z.Name = argv[0]
			err := hub.Token(ctx, z, file)
			if err != nil {
				return err
			}
			a.Notice("zone %s: token written to %s: keep it secret", z.Name, file)
			return nil
		})
}

func newFleetSweep(a *commandLine) *cobra.Command {
	var wait bool
	within := fleetWithin
	return a.operator("fleet sweep", command.Flags{"wait": &wait, "within": &within},
		func(ctx context.Context, x *operatorCommand, hub *sweeps.Asking, argv []string) error {
			s, err := hub.Sweep(ctx, control.NewSweep{Words: argv, Within: control.Seconds(within)})
			if err != nil {
				return err
			}
			if wait {
				s, err = hub.Wait(ctx, s)
				if err != nil {
					a.Notice("sweep %s goes on: seaworthy fleet status %[1]s", s.ID)
					return err
				}
			}
			var status error
			if s.Partial+s.Failed > 0 {
				status = command.Exit(command.ExitInconclusive, nil)
			}
			return a.Conclude(status, s, func(p *report.Document) { report.FleetSweep(p, s) })
		})
}

func newFleetStatus(a *commandLine) *cobra.Command {
	return a.operator("fleet status", nil, func(ctx context.Context, x *operatorCommand, hub *sweeps.Asking, argv []string) error {
		if len(argv) == 0 {
			all, err := hub.Sweeps(ctx)
			if err != nil {
				return err
			}
			return a.Answer(all, func(p *report.Document) { report.FleetSweeps(p, all) })
		}
		s, err := hub.Status(ctx, argv[0])
		if err != nil {
			return err
		}
		return a.Answer(s, func(p *report.Document) { report.FleetSweep(p, s) })
	})
}

func newFleetCancel(a *commandLine) *cobra.Command {
	return a.operator("fleet cancel", nil, func(ctx context.Context, x *operatorCommand, hub *sweeps.Asking, argv []string) error {
		s, err := hub.Cancel(ctx, argv[0])
		if err != nil {
			return err
		}
		return a.Answer(s, func(p *report.Document) { report.FleetSweep(p, s) })
	})
}

func newFleetZones(a *commandLine) *cobra.Command {
	return a.operator("fleet zones", nil, func(ctx context.Context, x *operatorCommand, hub *sweeps.Asking, _ []string) error {
		all, err := hub.Zones(ctx)
		if err != nil {
			return err
		}
		return a.Answer(all, func(p *report.Document) { report.FleetZones(p, all) })
	})
}

func newFleetRemove(a *commandLine) *cobra.Command {
	return a.operator("fleet remove", nil, func(ctx context.Context, x *operatorCommand, hub *sweeps.Asking, argv []string) error {
		err := hub.RemoveZone(ctx, argv[0])
		if err == nil {
			a.Notice("zone %s: removed", argv[0])
		}
		return err
	})
}

func newSchedulePut(a *commandLine) *cobra.Command {
	var s control.Schedule
	var jitter time.Duration
	within := fleetWithin
	return a.operator("fleet schedule put", command.Flags{"jitter": &jitter, "not": &s.Not, "within": &within},
		func(ctx context.Context, x *operatorCommand, hub *sweeps.Asking, argv []string) error {
			s.Jitter, s.Within = control.Seconds(jitter), control.Seconds(within)
			s.Name, s.Cron, s.Words = argv[0], argv[1], argv[2:]
			kept, err := hub.PutSchedule(ctx, s)
			if err != nil {
				return err
			}
			all := []control.Schedule{kept}
			return a.Answer(all, func(p *report.Document) { report.FleetSchedules(p, all) })
		})
}

func newScheduleLs(a *commandLine) *cobra.Command {
	return a.operator("fleet schedule ls", nil, func(ctx context.Context, x *operatorCommand, hub *sweeps.Asking, _ []string) error {
		all, err := hub.Schedules(ctx)
		if err != nil {
			return err
		}
		return a.Answer(all, func(p *report.Document) { report.FleetSchedules(p, all) })
	})
}

func newScheduleRm(a *commandLine) *cobra.Command {
	return a.operator("fleet schedule rm", nil, func(ctx context.Context, x *operatorCommand, hub *sweeps.Asking, argv []string) error {
		err := hub.RemoveSchedule(ctx, argv[0])
		if err == nil {
			a.Notice("schedule %s: removed", argv[0])
		}
		return err
	})
}
