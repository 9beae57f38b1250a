package cli

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"seaworthy/internal/app/collection"
	"seaworthy/internal/app/findings"
	"seaworthy/internal/app/notify"
	"seaworthy/internal/app/past"
	"seaworthy/internal/audit/finding"
	"seaworthy/internal/cli/command"
	"seaworthy/internal/collect"
	"seaworthy/internal/ui/report"
	"seaworthy/internal/ui/report/doc"
)

type collectCommand struct {
	*commandLine
	request collection.Request
	list    bool
	history string // also added there; empty: nowhere
	notify  string // who is told of findings that are new or gone; empty: nobody
}

func newCollect(a *commandLine) *cobra.Command {
	x := &collectCommand{commandLine: a}
	q := &x.request
	return a.command("collect", command.Flags{
		"output": &q.Dir, "list": &x.list, "replace": &q.Replace, "via-hmc": &q.HMC, "viosvrcmd": &q.ThroughHMC,
		"system": &q.System, "redact": &q.RedactKey, "no-ping": &q.NoPing,
		"no-root-shell": &q.NoRoot, "history": &x.history, "notify": &x.notify,
	}, func(c *cobra.Command, argv []string) error {
		q.Names = argv
		return x.run(c.Context())
	})
}

func (x *collectCommand) run(ctx context.Context) error {
	q := &x.request
	switch {
	case x.list:
		list := collect.List()
		if q.Dir != "" {
			var err error
			list, err = collect.ListCosts(q.Dir)
			if err != nil {
				return err
			}
		}
		return x.Answer(list, func(p *report.Document) { report.Commands(p, list) })
	case q.Dir == "":
		return command.Usage("collect: -o DIR is required")
	case q.ThroughHMC && q.HMC == "":
		return command.Usage("collect: --viosvrcmd needs --via-hmc HOST")
	case x.notify != "" && x.history == "":
		return command.Usage("collect --notify tells of what a history takes in: it needs --history URL (audit --notify tells without one)")
	case len(q.Names) == 0 && x.inventory == "" && q.HMC == "":
		return command.Usage("collect: name hosts, or give an inventory with -i")
	}
	receiver, err := parseReceiver(ctx, x.notify)
	if err != nil {
		return err
	}
	r, err := x.collect(ctx)
	if err != nil {
		return err
	}
	err = x.Answer(r.Hosts, func(p *report.Document) { addCollected(p, r.Hosts) })
	if err != nil {
		return err
	}
	if receiver != nil && r.Kept > 0 {
		err = x.tellOfFindings(ctx, receiver)
		if err != nil { // what was collected stands
			x.Notice("notify %s: nothing was told: %v", receiver, err)
		}
	}
	switch {
	case r.Failed == nil:
		return nil
	case r.Kept == 0 || ctx.Err() != nil || errors.Is(r.Failed, collect.ErrNotSaved):
		return r.Failed
	}
	return command.Exit(command.ExitInconclusive, r.Failed)
}

// tellOfFindings judges what was collected, and tells what is new and gone as audit --notify does.
func (x *collectCommand) tellOfFindings(ctx context.Context, to *notify.Receiver) error {
	q := findings.Audit{Program: command.Built().ID(), FailOn: findings.Threshold{Severity: finding.Critical, Never: true}}
	r, err := q.Run(ctx, x.access(), []string{x.request.Dir})
	if err != nil {
		return err
	}
	return x.tell(ctx, to, notify.OfAudit(r), nil)
}

// collect collects, and adds what was read to the history of --history.
func (x *collectCommand) collect(ctx context.Context) (*collection.Result, error) {
	if x.history == "" {
		return x.request.Run(ctx, x.access())
	}
	store, err := past.Open(ctx, x.access(), x.history)
	if err != nil {
		return nil, err
	}
	defer store.Close()
	r, err := x.request.Run(ctx, x.access())
	if err != nil {
		return nil, err
	}
	added, err := past.AddCollected(ctx, x.access(), store, x.request.Dir, r.Hosts)
	if err != nil {
		return nil, err
	}
	for _, f := range added.Failed {
		x.Notice("not added to the history: %s", f.Error)
	}
	x.Notice("history %s: %s added, %d of their facts and findings changed", added.History, report.Plural(added.New, "snapshot"),
		added.Changed)
	return r, nil
}

// addCollected says what was collected, and what was not read because a login was not root.
func addCollected(d *report.Document, hosts []collection.Host) {
	t := doc.NewTable("hosts", doc.Left("host"), doc.Left("platform"), doc.Right("commands"), doc.Right("gaps"), doc.Left("folder"))
	for _, h := range hosts {
		t.Add(h.Host, report.Dash(h.Platform), h.Commands, h.Gaps, report.Dash(h.Dir))
	}
	d.Table(t)
	for _, h := range hosts {
		n := h.NotRoot
		if n == nil {
			continue
		}
		d.Gap()
		d.Line("%s:", h.Host)
		d.Prose("why", n.Why)
		if len(n.Commands) > 0 {
			d.Prose("not read", strings.Join(n.Commands, ", "))
			d.Prose("costs", fmt.Sprintf("%s not assessed: %s", report.Plural(len(n.Rules), "rule"), strings.Join(n.Rules, ", ")))
		}
	}
}
