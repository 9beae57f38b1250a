package cli

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"seaworthy/internal/app/findings"
	"seaworthy/internal/app/notify"
	"seaworthy/internal/app/past"
	"seaworthy/internal/audit/finding"
	"seaworthy/internal/change/plan"
	"seaworthy/internal/cli/command"
	"seaworthy/internal/knowledge"
	"seaworthy/internal/ui/drawing"
	"seaworthy/internal/ui/report"
)

type auditCommand struct {
	*commandLine
	request findings.Audit
	failOn  string
	waivers []string
	path    string
	facts   []string
	noPing  bool
	verbose bool
	nagios  bool
	notify  string
	moment  past.Moment
}

func newAudit(a *commandLine) *cobra.Command {
	x := &auditCommand{commandLine: a, failOn: "medium"}
	x.request.Program = command.Built().ID()
	c := a.command("audit", ruleFlags(&x.request.Rules).And(command.Flags{
		"fail-on": &x.failOn, "only": &x.request.Only, "waive": &x.waivers, "since": &x.request.Since,
		"path": &x.path, "fact": &x.facts, "no-ping": &x.noPing, "verbose": &x.verbose, "nagios": &x.nagios,
		"notify":  &x.notify,
		"defects": &x.request.Rules.Defects,
	}).And(atFlags(&x.moment)), func(c *cobra.Command, argv []string) error {
		if x.nagios {
			return x.monitor(c.Context(), argv)
		}
		return x.run(c.Context(), argv)
	})
	return a.Prints(a.withSchema(c, "-f json", FindingsSchema), audited{})
}

// ruleFlags are the flags that select rules.
func ruleFlags(r *findings.Rules) command.Flags {
	return command.Flags{"rules": &r.Dirs, "disable": &r.Disabled}
}

func (x *auditCommand) run(ctx context.Context, argv []string) error {
	err := x.check(ctx)
	if err != nil {
		return err
	}
	receiver, err := x.receiver(ctx, x.notify)
	if err != nil {
		return err
	}
	r, err := x.audit(ctx, x.moment, &x.request, argv)
	if err != nil {
		return err
	}
	for _, line := range r.Waivers {
		x.Notice("%s", line)
	}
	present := notify.OfAudit(r)
	return x.tell(ctx, receiver, present, x.print(ctx, r, argv))
}

// audit judges hosts and folders, as they are or as they were at a moment.
func (a *commandLine) audit(ctx context.Context, m past.Moment, q *findings.Audit, argv []string) (*findings.Result, error) {
	access, err := m.Over(a.access())
	if err != nil {
		return nil, err
	}
	return q.Run(ctx, access, argv)
}

// receiver is who is told of what is new and gone; nil: nobody. All that an audit finds is held against what was told.
func (x *auditCommand) receiver(ctx context.Context, named string) (*notify.Receiver, error) {
	if named != "" && (len(x.request.Only) > 0 || x.path != "" || x.nagios || x.moment.At != "") {
		return nil, command.Usage("audit --notify tells of all findings as they are now: it excludes --only, --path, --at and --nagios")
	}
	return parseReceiver(ctx, named)
}

// monitor answers as a plugin of Nagios does: a line, and a status of its own. What fails is unknown.
func (x *auditCommand) monitor(ctx context.Context, argv []string) error {
	var r *findings.Result
	_, err := x.receiver(ctx, x.notify)
	if err == nil {
		err = x.check(ctx)
	}
	if err == nil {
		r, err = x.audit(ctx, x.moment, &x.request, argv)
	}
	if err != nil {
		failed := report.MonitorFailed(x.Stdout, err)
		return command.Exit(report.MonitorUnknown, failed)
	}
	status, err := report.Monitor(x.Stdout, x.inspection(r, argv))
	if err != nil {
		return err
	}
	return command.Exit(status, nil)
}

// inspection is the audit as the formats of other programs need it.
func (x *auditCommand) inspection(r *findings.Result, argv []string) report.Inspection {
	saved := findings.SavedIn(argv)
	return report.Inspection{
		Audited: x.view(r), Hosts: r.Hosts, Fleet: r.Reading.Fleet, Path: r.Path,
		File:  func(e finding.Evidence) string { return saved.Of(e.Host, e.Command) },
		Fails: func(f finding.Finding) bool { return x.request.FailOn.Reached([]finding.Finding{f}) },
	}
}

// check reads the flags, and the files that they name, before any host is read.
func (x *auditCommand) check(ctx context.Context) error {
	q := &x.request
	var err error
	q.FailOn, err = findings.ParseThreshold(x.failOn)
	if err != nil {
		return err
	}
	from, to, ok := strings.Cut(x.path, ",")
	if x.path != "" && (!ok || from == "" || to == "" || strings.Contains(to, ",")) {
		return command.Usage("--path %s: expected two interfaces or hosts, A,B", x.path)
	}
	q.From, q.To, q.RoundTrips = from, to, !x.noPing
	q.Facts, err = parseFacts(x.facts)
	if err != nil {
		return err
	}
	q.Waivers, err = findings.LoadWaivers(ctx, x.waivers)
	if err != nil {
		return err
	}
	if slices.Contains([]string{"svg", "dot", "mermaid", "drawio"}, x.Format) && x.path == "" {
		return command.Usage("audit -f %s draws a path: name it with --path A,B", x.Format)
	}
	return nil
}

// parseFacts reads facts as HOST[:ELEMENT] NAME=NUMBER.
func parseFacts(texts []string) (map[string]float64, error) {
	facts := map[string]float64{}
	for _, text := range texts {
		head, value, ok := strings.Cut(text, "=")
		words := strings.Fields(head)
		n, err := strconv.ParseFloat(strings.TrimSpace(value), 64)
		if !ok || len(words) != 2 || err != nil || math.IsNaN(n) || math.IsInf(n, 0) {
			return nil, command.Usage("--fact %s: expected HOST[:ELEMENT] NAME=NUMBER, such as \"lpar1:en0 rtt_ms=0.243\"", text)
		}
		facts[words[0]+" "+words[1]] = n
	}
	return facts, nil
}

// print prints the findings, and ends with the status that they ask for.
func (x *auditCommand) print(ctx context.Context, r *findings.Result, argv []string) error {
	view := x.view(r)
	page := audited{Document: r.Document}
	switch x.Format {
	case "text":
		p, err := findings.Plan(ctx, r.Rules, r.Reading.Fleet, r.All)
		if err != nil {
			return err
		}
		page.ticket = ticketOf(r, view, p)
	case "sarif", "junit", "prometheus":
		page.inspection = x.inspection(r, argv)
	case "html", "md":
		view.Details = true
		page.title, page.summary = titleOf(r), view.Summary()
	}
	if r.Path != nil {
		page.drawing = drawing.Path(r.Reading.Fleet, r.Path, drawing.Options{Findings: r.All})
	}
	status := completeness(r.Reading)
	if status == nil && view.NothingJudged() {
		status = command.Exit(command.ExitInconclusive, nil)
	}
	if x.request.FailOn.Reached(r.All) {
		status = command.Exit(command.ExitNo, nil)
	}
	r.Reading, r.Rules = nil, nil // a large fleet makes room for what is printed
	return x.Conclude(status, page, func(p *report.Document) { report.Audit(p, view) })
}

// view returns what the report shows of an audit.
func (x *auditCommand) view(r *findings.Result) report.Audited {
	v := report.Audited{At: r.Time, Version: r.Version, Since: r.Reading.Before != nil, Gone: r.Gone, Lost: r.Lost,
		Findings: r.All, Groups: r.Groups, Passed: r.Passed, Waived: r.Waived, Compared: r.Compared,
		Details: len(x.request.Only) > 0, Verbose: x.verbose,
		Narrowed: len(x.request.Only) > 0, LevelsNotRead: r.LevelsNotRead}
	for _, h := range r.Reading.Fleet.Hosts {
		v.Platforms = append(v.Platforms, string(h.Platform))
	}
	for _, f := range r.Failed {
		v.NotRead = append(v.NotRead, f.Error)
		if f.Host != "" {
			v.Absent = append(v.Absent, f.Host)
		}
	}
	return v
}

// titleOf heads the page of an audit.
func titleOf(r *findings.Result) string {
	if r.Path != nil {
		return fmt.Sprintf("Audit of the path %s → %s", r.Path.From, r.Path.To)
	}
	return "Audit of " + report.Plural(len(r.Hosts), "host")
}

// ticketOf returns what prints the findings and the plan of what they ask for.
func ticketOf(r *findings.Result, view report.Audited, p *plan.Plan) func(*report.Document) {
	hosts := r.Hosts
	return func(to *report.Document) { report.Ticket(to, hosts, view, p, knowledge.BuiltIn()) }
}

// audited is an audit as it is printed.
type audited struct {
	findings.Document

	ticket  func(*report.Document)
	title   string
	summary []string
	drawing *drawing.Drawing

	inspection report.Inspection
}

// Inspected is the audit for other programs.
func (f audited) Inspected() report.Inspection { return f.inspection }

// PageTitle heads the page of -f html.
func (f audited) PageTitle() string { return f.title }

// PageSummary says what the audit comes to.
func (f audited) PageSummary() []string { return f.summary }

// Drawing is the path of --path with its findings; nil without one.
func (f audited) Drawing() *drawing.Drawing { return f.drawing }

// Ticket prints the text for a ticket.
func (f audited) Ticket(p *report.Document) { f.ticket(p) }
