package cli

import (
	"context"
	"errors"

	"github.com/spf13/cobra"

	"seaworthy/cli/command"
	"seaworthy/collect"
	"seaworthy/diagnose"
	"seaworthy/inventory"
	"seaworthy/report"
)

// collected is a host in the JSON of collect.
type collected struct {
	Host     string `json:"host"`
	Dir      string `json:"dir,omitempty"`
	Platform string `json:"platform,omitempty"`
	Commands int    `json:"commands"`
	Gaps     int    `json:"gaps"`
	Error    string `json:"error,omitempty"`

	NotRoot *notRoot `json:"not_root,omitempty"` // nil: read as root, or that makes no difference
}

func (a *app) collect() *cobra.Command {
	var out, redactKey string
	var noPing bool
	var list, replace bool
	c := &cobra.Command{
		Use:   "collect [HOST]... -o DIR",
		Short: "Save the network configuration of hosts, one folder per host",
		Long: `Collect runs read-only commands on each host and saves their raw output, one file
per command, with a manifest. It changes nothing and installs nothing. Every subcommand
that reads a host also reads this folder. With -i and no host it collects every host of
the inventory. Between the clients it sends a few pings (at most 10 paths of 32 hosts)
and keeps round trips and path MTUs in paths.json, for diagnose; --no-ping forbids that.

A host that fails does not stop the others; what it printed until then is kept in
HOST.partial. A snapshot that the folder has of a host stays, and the host fails, unless
--replace is given. --list prints every command that collect can run, on which platform,
and which of them take a VIOS login of padmin through oem_setup_env.

Exit status 3 if a host was not read completely; 1 if no host was read,
if the folder could not be written, or if collect was interrupted.`,
		Example: "  seaworthy collect lpar1 vios1 -o today\n  seaworthy collect -i hosts.yaml -o $(date +%F-%H%M)\n  seaworthy collect --list",
		RunE: func(c *cobra.Command, argv []string) error {
			switch {
			case list:
				return a.collectList()
			case out == "":
				return command.Usage("collect: -o DIR is required")
			case replace && redactKey != "":
				return command.Usage("collect: --replace and --redact exclude each other")
			}
			if len(argv) == 0 && a.inventory == "" {
				return command.Usage("collect: name hosts, or give an inventory with -i")
			}
			ctx := c.Context()
			hosts, err := a.open(ctx, argv)
			if err != nil {
				return err
			}
			defer hosts.close()
			outcomes, err := a.collectTo(ctx, hosts, redactKey, out, replace)
			if err != nil {
				return err
			}
			if !noPing && redactKey == "" {
				a.pingPaths(ctx, hosts, outcomes, out)
			}
			return a.collected(ctx, outcomes)
		},
	}
	c.Flags().StringVarP(&out, "output", "o", "", "`folder` to write to, created if missing")
	c.Flags().BoolVar(&list, "list", false, "list the commands that collect runs, by platform and login, and exit")
	c.Flags().BoolVar(&replace, "replace", false, "replace snapshots of the same hosts in the folder")
	c.Flags().StringVar(&redactKey, "redact", "", redactHelp)
	c.Flags().BoolVar(&noPing, "no-ping", false, "send no pings between the hosts")
	return c
}

// maxPinged is how many hosts may be collected for their paths to be pinged.
const maxPinged = 32

// pingPaths measures the paths between the hosts that were collected. What cannot be
// measured is no fault of the collection.
func (a *app) pingPaths(ctx context.Context, c *connected, outcomes []collect.Outcome, dir string) {
	if len(outcomes) < 2 || len(outcomes) > maxPinged || ctx.Err() != nil {
		return
	}
	fleet := &inventory.Fleet{}
	for _, o := range outcomes {
		if o.Err != nil || o.Dir == "" {
			continue
		}
		if one, err := collect.Inventories(ctx, o.Dir); err == nil {
			fleet.Hosts = append(fleet.Hosts, one.Hosts...)
		}
	}
	a.Transient("pinging between the hosts")
	err := diagnose.Prober{Fleet: fleet, Hosts: c.byName(), Few: true}.Save(ctx, dir)
	a.Transient("")
	if err != nil {
		a.Notice("round trips were not kept: %v", err)
	}
}

// collectList prints what collect would run.
func (a *app) collectList() error {
	list := collect.List()
	return a.Answer(list, func(p *report.Printer) {
		t := report.Table{Head: []string{"login", "command", "of", ""}, Wrap: true}
		for _, x := range list {
			note := ""
			if x.Root {
				note = "padmin: oem_setup_env"
			}
			t.Add(x.Login, x.Command, x.Of, note)
		}
		t.Print(p)
	})
}

func (a *app) collected(ctx context.Context, outcomes []collect.Outcome) error {
	list := make([]collected, len(outcomes))
	lack, err := a.notRead(ctx, outcomes)
	if err != nil {
		return err
	}
	var failed error
	kept := 0
	for i, o := range outcomes {
		list[i] = collected{Host: o.Host, Dir: o.Dir, NotRoot: lack[o.Host]}
		if m := o.Manifest; m != nil {
			kept++
			list[i].Platform, list[i].Commands, list[i].Gaps = m.Platform, len(m.Commands), len(m.Gaps)
		}
		if o.Err != nil {
			list[i].Error = o.Err.Error()
			failed = errors.Join(failed, o.Err)
		}
	}
	if err := a.Answer(list, func(p *report.Printer) {
		t := report.Table{Head: []string{"host", "platform", " commands", " gaps", "folder"}}
		for _, x := range list {
			t.Add(x.Host, report.Dash(x.Platform), report.Count(x.Commands), report.Count(x.Gaps), report.Dash(x.Dir))
		}
		t.Print(p)
		for _, x := range list {
			x.NotRoot.print(p, x.Host)
		}
	}); err != nil {
		return err
	}
	switch {
	case failed == nil:
		return nil
	case kept == 0 || ctx.Err() != nil || errors.Is(failed, collect.ErrNotSaved):
		return failed
	}
	return command.Exit(command.ExitInconclusive, failed)
}
