package cli

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/spf13/cobra"

	"seaworthy/internal/audit/diff"
	"seaworthy/internal/audit/finding"
	"seaworthy/internal/audit/rule"
	"seaworthy/internal/audit/waiver"
	"seaworthy/internal/change/plan"
	"seaworthy/internal/cli/command"
	"seaworthy/internal/inventory/graph"
	"seaworthy/internal/inventory/model"
	"seaworthy/internal/knowledge"
	"seaworthy/internal/ui/drawing"
	"seaworthy/internal/ui/report"
)

// onlyNew begins a --fail-on that counts only new findings.
const onlyNew = "new:"

type auditFlags struct {
	ruleFlags
	failOn  string
	only    []string
	waivers []string
	since   string
	path    string
	facts   []string
	verbose bool
	noPing  bool
}

func (a *app) audit() *cobra.Command {
	flags := auditFlags{failOn: "medium"}
	c := a.command("audit", flags.ruleFlags.flags().And(command.Flags{
		"fail-on": &flags.failOn, "only": &flags.only, "waive": &flags.waivers, "since": &flags.since,
		"path": &flags.path, "fact": &flags.facts, "no-ping": &flags.noPing, "verbose": &flags.verbose,
	}), func(c *cobra.Command, argv []string) error {
		b := *a
		b.roundTrips = !flags.noPing
		return b.runAudit(c, &flags, argv)
	})
	return a.Prints(a.withSchema(c, "-f json", FindingsSchema), findings{})
}

// check validates the flags before any host is read, and reads the waivers and
// the facts.
func (f *auditFlags) check(ctx context.Context) (all []waiver.Waiver, facts map[string]float64, err error) {
	level, _ := strings.CutPrefix(f.failOn, onlyNew)
	if _, err := finding.ParseSeverity(level); err != nil && f.failOn != "never" {
		return nil, nil, command.Usage("--fail-on %s: the severities are critical, high, medium, low, info and never; "+
			"new:medium counts only new findings", f.failOn)
	}
	if from, to, ok := strings.Cut(f.path, ","); f.path != "" && (!ok || from == "" || to == "" || strings.Contains(to, ",")) {
		return nil, nil, command.Usage("--path %s: expected two interfaces or hosts, A,B", f.path)
	}
	facts = map[string]float64{}
	for _, text := range f.facts {
		head, value, ok := strings.Cut(text, "=")
		words := strings.Fields(head)
		n, err := strconv.ParseFloat(strings.TrimSpace(value), 64)
		if !ok || len(words) != 2 || err != nil || math.IsNaN(n) || math.IsInf(n, 0) {
			return nil, nil, command.Usage("--fact %s: expected HOST[:ELEMENT] NAME=NUMBER, such as \"lpar1:en0 rtt_ms=0.243\"", text)
		}
		facts[words[0]+" "+words[1]] = n
	}
	all, err = loadWaivers(ctx, f.waivers)
	return all, facts, err
}

func (a *app) runAudit(c *cobra.Command, flags *auditFlags, argv []string) error {
	waivers, facts, err := flags.check(c.Context())
	if err != nil {
		return err
	}
	if slices.Contains([]string{"svg", "dot", "mermaid", "drawio"}, a.Format) && flags.path == "" {
		return command.Usage("audit -f %s draws a path: name it with --path A,B", a.Format)
	}
	rules := sync.OnceValues(func() (*rule.Set, error) { return flags.compile(c.Context()) })
	if slices.ContainsFunc(argv, func(arg string) bool { return !isSnapshot(arg) }) || len(argv) == 0 {
		// A mistake in the rules is reported before any host is read.
		if _, err := rules(); err != nil {
			return err
		}
	} else {
		go rules() // while the folders are read
	}
	got, err := a.fleetOver(c.Context(), argv, flags.since)
	set, wrong := rules()
	if err := cmp.Or(wrong, err); err != nil {
		return err
	}
	for key := range facts {
		if name := key[strings.LastIndexByte(key, ' ')+1:]; !set.Asks(name) {
			return command.Usage("--fact %s: no rule uses it (see seaworthy rules facts)", name)
		}
	}
	for _, id := range flags.only {
		if !set.Has(ruleOf(id)) {
			return command.Usage("--only %s: no such rule (see seaworthy rules ls)", id)
		}
	}
	o := rule.Options{Passed: new(int), Before: got.before, Measured: facts}
	var path *model.Path
	if from, to, ok := strings.Cut(flags.path, ","); ok {
		if path, err = graph.Of(got.fleet).Path(from, to); err != nil {
			return fmt.Errorf("--path %s: %w", flags.path, err)
		}
		o.Paths = []model.Path{*path}
	}
	if len(flags.only) > 0 || path != nil {
		o.Passed = nil // only what is reported counts
	}
	all, err := set.Run(c.Context(), got.fleet, o)
	if err != nil {
		return err
	}
	changes, err := flags.changes(c.Context(), set, got, all, facts)
	if err != nil {
		return err
	}
	left, waived, broken := waiver.Apply(all, waivers, time.Now())
	for _, t := range broken {
		a.Notice("%s", t)
	}
	finding.LargestNeeds(left) // of all, those left out by --path and --only too
	passed := 0
	if path != nil {
		left = finding.Concerning(left, graph.Of(got.fleet).OnPath(path))
	}
	if o.Passed != nil {
		passed = *o.Passed
	} else {
		left, passed = onlyThese(left, flags.only)
	}
	r := summary(got, left, passed)
	r.Waived, r.Waivers = append(r.Waived, waived...), append(r.Waivers, broken...)
	r.Gone, r.Lost = changes.Gone, changes.Lost
	view := report.Audited{At: r.Time, Version: r.Version, Since: got.before != nil, Gone: r.Gone, Lost: r.Lost,
		Findings: left, Groups: r.Groups, Passed: r.Passed, Waived: waived, Compared: r.Compared,
		Details: len(flags.only) > 0, Verbose: flags.verbose}
	for _, f := range got.failed {
		view.NotRead = append(view.NotRead, f.Error)
		if f.Host != "" {
			view.Absent = append(view.Absent, f.Host)
		}
	}
	if a.Format == "text" {
		if r.ticket, err = a.ticket(c.Context(), got.fleet, set, view); err != nil {
			return err
		}
	}
	if a.Format == "html" || a.Format == "md" {
		view.Details = true
		r.title, r.summary = "Audit of "+report.Plural(len(r.Hosts), "host"), view.Summary()
		if path != nil {
			r.title = fmt.Sprintf("Audit of the path %s → %s", path.From, path.To)
		}
	}
	if path != nil {
		r.drawing = drawing.Path(got.fleet, path, drawing.Options{Findings: left})
	}
	got.fleet, got.before = nil, nil // a large fleet makes room for what is printed
	return a.Conclude(a.verdict(got, left, flags.failOn), r, func(p *report.Document) { report.Audit(p, view) })
}

// changes compares the findings with those of the earlier snapshots, and marks
// them. Without any all are empty.
func (f *auditFlags) changes(
	ctx context.Context, set *rule.Set, got *fleet, all []finding.Finding, facts map[string]float64,
) (diff.Findings, error) {
	if got.before == nil {
		if strings.HasPrefix(f.failOn, onlyNew) {
			return diff.Findings{}, command.Usage("--fail-on %s: no host was read twice: name the earlier folder with --since", f.failOn)
		}
		return diff.Compare(nil, nil), nil
	}
	was, err := set.Run(ctx, got.before, rule.Options{Passed: new(int), Measured: facts})
	if err != nil {
		return diff.Findings{}, err
	}
	if from, to, ok := strings.Cut(f.path, ","); ok {
		g := graph.Of(got.before)
		path, err := g.Path(from, to)
		if err != nil {
			return diff.Findings{}, fmt.Errorf("--path %s in the earlier snapshots: %w", f.path, err)
		}
		was = finding.Concerning(was, g.OnPath(path))
	}
	was, _ = onlyThese(was, f.only)
	changes := diff.Compare(was, all)
	changes.Unread(got.fleet.HasRead)
	return changes, nil
}

// ticket plans what the findings ask for, and gives what prints it all.
func (a *app) ticket(ctx context.Context, fleet *model.Fleet, set *rule.Set, view report.Audited) (func(*report.Document), error) {
	cat := knowledge.BuiltIn()
	plan, err := plan.Simulator{Rules: set}.Build(ctx, fleet, cat, plan.FromFindings(view.Findings))
	if err != nil {
		return nil, err
	}
	var names []string
	for _, h := range fleet.Hosts {
		names = append(names, h.Name)
	}
	return func(p *report.Document) { report.Ticket(p, names, view, plan, cat) }, nil
}

// onlyThese keeps the verdicts on the rules or findings that --only names, and
// counts those that passed.
func onlyThese(all []finding.Finding, only []string) (left []finding.Finding, passed int) {
	for _, f := range all {
		named := func(id string) bool { return strings.EqualFold(f.Rule, id) || strings.EqualFold(f.ID, id) }
		if len(only) > 0 && !slices.ContainsFunc(only, named) {
			continue
		}
		if f.Verdict == finding.Pass {
			passed++
			continue
		}
		left = append(left, f)
	}
	return left, passed
}

// ruleOf gives the rule of a finding's id, or of a rule's.
func ruleOf(id string) string {
	rule, _, _ := strings.Cut(id, "/")
	return rule
}
