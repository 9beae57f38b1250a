package cli

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"seaworthy/internal/cli/command"
	"seaworthy/internal/collect"
	"seaworthy/internal/diagnose"
	"seaworthy/internal/inventory/model"
	"seaworthy/internal/ui/report"
	"seaworthy/internal/ui/report/doc"
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
	var list, replace, viosvrcmd bool
	var viaHMC, system string
	return a.command("collect", command.Flags{
		"output": &out, "list": &list, "replace": &replace, "via-hmc": &viaHMC, "viosvrcmd": &viosvrcmd,
		"system": &system, "redact": &redactKey, "no-ping": &noPing,
	}, func(c *cobra.Command, argv []string) error {
		switch {
		case list:
			return a.collectList()
		case out == "":
			return command.Usage("collect: -o DIR is required")
		case viosvrcmd && viaHMC == "":
			return command.Usage("collect: --viosvrcmd needs --via-hmc HOST")
		}
		if len(argv) == 0 && a.inventory == "" && viaHMC == "" {
			return command.Usage("collect: name hosts, or give an inventory with -i")
		}
		ctx := c.Context()
		var vioses []collect.Partition
		if viaHMC != "" {
			var err error
			if argv, vioses, err = a.viaHMC(ctx, viaHMC, system, viosvrcmd, argv); err != nil {
				return err
			}
		}
		open, err := a.open(ctx, argv)
		if err != nil {
			return err
		}
		defer open.close()
		for _, v := range vioses {
			open.hosts = append(open.hosts, collect.ThroughHMC(open.byName()[viaHMC], v))
		}
		open.roundTrips, open.system = !noPing, system
		outcomes, err := a.collectTo(ctx, open, redactKey, out, replace)
		if err != nil {
			return err
		}
		if !noPing && redactKey == "" {
			a.pingPaths(ctx, open, outcomes, out)
		}
		return a.collected(ctx, outcomes)
	})
}

// maxPinged is how many hosts may be collected for their paths to be pinged.
const maxPinged = 32

// pingPaths measures the paths between the hosts that were collected. What cannot be
// measured is no fault of the collection.
func (a *app) pingPaths(ctx context.Context, c *connected, outcomes []collect.Outcome, dir string) {
	if len(outcomes) < 2 || len(outcomes) > maxPinged || ctx.Err() != nil {
		return
	}
	fleet := &model.Fleet{}
	for _, o := range outcomes {
		if o.Err != nil || o.Dir == "" {
			continue
		}
		if one, err := collect.Inventories(ctx, o.Dir); err == nil {
			fleet.Hosts = append(fleet.Hosts, one.Hosts...)
		}
	}
	if err := (diagnose.Prober{Fleet: fleet, Hosts: c.byName()}).Save(ctx, dir); err != nil {
		a.Notice("round trips were not kept: %v", err)
	}
}

// collectList prints what collect would run.
func (a *app) collectList() error {
	list := collect.List()
	return a.Answer(list, func(p *report.Document) { report.Commands(p, list) })
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
			if o.Err == nil && m.Platform == string(model.Unknown) {
				o.Err = fmt.Errorf("%s: uname reports neither AIX, VIOS nor Linux: nothing else was asked "+
					"(if it is one of them, set its platform in the inventory file)", o.Host)
			}
		}
		if o.Err != nil {
			list[i].Error = o.Err.Error()
			failed = errors.Join(failed, o.Err)
		}
	}
	if err := a.Answer(list, func(p *report.Document) { addCollected(p, list) }); err != nil {
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

// addCollected says what was collected, and what was not read because a login was not root.
func addCollected(d *report.Document, list []collected) {
	t := doc.NewTable("hosts", doc.Left("host"), doc.Left("platform"), doc.Right("commands"), doc.Right("gaps"), doc.Left("folder"))
	for _, c := range list {
		t.Add(c.Host, report.Dash(c.Platform), c.Commands, c.Gaps, report.Dash(c.Dir))
	}
	d.Table(t)
	for _, c := range list {
		n := c.NotRoot
		if n == nil {
			continue
		}
		d.Gap()
		d.Line("%s:", c.Host)
		d.Prose("why", n.Why)
		if len(n.Commands) > 0 {
			d.Prose("not read", strings.Join(n.Commands, ", "))
			d.Prose("costs", fmt.Sprintf("%s not assessed: %s", report.Plural(len(n.Rules), "rule"), strings.Join(n.Rules, ", ")))
		}
	}
}
