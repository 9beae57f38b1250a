package demo

import (
	"context"
	"errors"
	"fmt"
	"time"

	"seaworthy/internal/app/bench"
	"seaworthy/internal/app/findings"
	"seaworthy/internal/app/fleet"
	"seaworthy/internal/audit/finding"
	"seaworthy/internal/audit/rule"
	"seaworthy/internal/change/execute"
	"seaworthy/internal/change/plan"
	"seaworthy/internal/collect"
	"seaworthy/internal/inventory/graph"
	"seaworthy/internal/inventory/model"
	"seaworthy/internal/measure"
)

// Schema names the form of a Result.
const Schema = "seaworthy.loop/1"

// Variants of the comparison.
const (
	Before = "before"
	After  = "after"
)

// Stage of the loop, for progress.
type Stage string

const (
	Collecting Stage = "collect"
	Auditing   Stage = "audit"
	Planning   Stage = "plan"
	Applying   Stage = "apply"
	Measuring  Stage = "measure"
)

// Options say between whom to walk and how much to measure.
type Options struct {
	Hosts    *fleet.Connection // all hosts of the path
	From, To string            // host, or host:interface
	Dir      string            // where snapshots go
	Journals execute.Journals

	Experiment measure.Experiment // what to measure and how often; the loop says between whom

	// StageDone is called when a stage ends, with its outcome in a line; it may be nil.
	StageDone func(s Stage, took time.Duration, line string)
}

// Result is all that the loop found, did and measured.
type Result struct {
	Schema    string            `json:"schema"`
	Started   time.Time         `json:"started"`
	Ended     time.Time         `json:"ended"`
	Path      *model.Path       `json:"path"`
	Findings  []finding.Finding `json:"findings"`           // on the path, without mere notes
	Elsewhere int               `json:"findings_elsewhere"` // not on the path, left alone
	After     *State            `json:"after,omitempty"`    // nil: not reached
	Plan      *plan.Plan        `json:"plan"`
	Runs      []execute.Run     `json:"runs"` // every time the plan was applied, and put back
	Results   []measure.Row     `json:"results"`
	Bench     *measure.Result   `json:"bench"`
	Machine   Machine           `json:"machine"` // what else it did

	Fleet *model.Fleet `json:"-"` // as it was collected, before the change
}

// State holds what the hosts said, read again while the plan was in effect.
type State struct {
	Path     *model.Path       `json:"path"`
	Findings []finding.Finding `json:"findings"` // on the path, without mere notes
	Fleet    *model.Fleet      `json:"-"`
}

// walk is a loop under way.
type walk struct {
	Options
	result *Result
	hosts  *model.Fleet
	rules  *rule.Set
	turns  *execute.Turns
	since  time.Time
}

// Run walks the loop. On an error the result holds what was reached; whatever
// was changed has been put back, or the error says what was not.
func Run(ctx context.Context, o Options) (*Result, error) {
	w := &walk{Options: o, since: time.Now(), result: &Result{
		Schema: Schema, Started: time.Now().UTC(),
		Findings: []finding.Finding{}, Runs: []execute.Run{}, Results: []measure.Row{}, Machine: beforehand(),
	}}
	var err error
	for _, step := range []func(context.Context) error{w.collect, w.audit, w.plan, w.change} {
		err = step(ctx)
		if err != nil {
			break
		}
	}
	w.result.Ended = time.Now().UTC()
	return w.result, err
}

func (w *walk) stageDone(s Stage, format string, args ...any) {
	took := time.Since(w.since)
	w.since = time.Now()
	if w.StageDone != nil {
		w.StageDone(s, took, fmt.Sprintf(format, args...))
	}
}

func (w *walk) collect(ctx context.Context) error {
	outcomes, err := w.Hosts.Collect(ctx, w.Dir, collect.Options{})
	if err != nil {
		return err
	}
	commands := 0
	for _, o := range outcomes {
		if o.Err != nil {
			return o.Err
		}
		commands += len(o.Manifest.Commands)
	}
	got, err := fleet.Access{}.Read(ctx, []string{w.Dir}, fleet.Options{})
	if err != nil {
		return err
	}
	w.hosts, w.result.Fleet = got.Fleet, got.Fleet
	w.stageDone(Collecting, "hosts: %d, commands: %d", len(outcomes), commands)
	return nil
}

func (w *walk) audit(ctx context.Context) error {
	var err error
	w.rules, err = findings.Rules{}.Compile(ctx)
	if err != nil {
		return err
	}
	now, elsewhere, err := w.auditPath(ctx, w.hosts)
	if err != nil {
		return err
	}
	w.result.Path, w.result.Findings, w.result.Elsewhere = now.Path, now.Findings, elsewhere
	w.stageDone(Auditing, "findings on the path: %d, elsewhere: %d", len(now.Findings), elsewhere)
	return nil
}

// auditPath keeps the findings that concern the path, as audit --path does.
func (w *walk) auditPath(ctx context.Context, hosts *model.Fleet) (now *State, elsewhere int, err error) {
	g, err := graph.New(ctx, hosts)
	if err != nil {
		return nil, 0, err
	}
	path, err := g.Path(w.From, w.To)
	if err != nil {
		return nil, 0, fmt.Errorf("path %s to %s: %w", w.From, w.To, err)
	}
	all, err := w.rules.Run(ctx, hosts, rule.Options{Paths: []model.Path{*path}})
	if err != nil {
		return nil, 0, err
	}
	finding.LargestNeeds(all)
	now = &State{Path: path, Findings: []finding.Finding{}, Fleet: hosts}
	places := g.OnPath(path)
	for _, f := range all {
		switch {
		case f.Verdict != finding.Found || f.Severity == finding.Info:
		case places.Of(f.Element, f.Affects...) != graph.OffPath:
			now.Findings = append(now.Findings, f)
		default:
			elsewhere++
		}
	}
	return now, elsewhere, nil
}

func (w *walk) plan(ctx context.Context) error {
	p, err := findings.Plan(ctx, w.rules, w.hosts, w.result.Findings)
	if err != nil {
		return err
	}
	w.result.Plan = p
	w.stageDone(Planning, "steps: %d, hosts: %d, refused: %d", len(p.Steps), len(p.Hosts), len(p.Refused))
	if len(p.Steps) == 0 {
		return errors.New("nothing on this path is to be changed, so there is nothing to compare")
	}
	return nil
}

// change puts the plan on, judges the hosts again, and measures both states in
// turns. Afterwards nothing is on.
func (w *walk) change(ctx context.Context) error {
	runner := w.Hosts.Runner(w.Journals)
	// What is put on is proved, and comes off again whatever was forgotten.
	runner.Done = []string{plan.SwitchPorts}
	w.turns = &execute.Turns{Runner: runner}
	err := w.apply(ctx)
	if err == nil {
		err = w.measure(ctx)
	}
	left := w.turns.Restore(ctx)
	w.result.Runs = append(w.result.Runs, w.turns.Runs()...)
	if w.result.Bench != nil {
		w.result.Results = w.result.Bench.Results
	}
	if w.result.Bench != nil && left == nil {
		w.stageDone(Measuring, "trials: %d; all values are as they were found", len(w.result.Bench.Trials))
	}
	return errors.Join(err, left)
}

// apply puts the plan on, and reads and judges the hosts while it is in effect.
func (w *walk) apply(ctx context.Context) error {
	err := w.turns.Put(ctx, w.result.Plan)
	if err != nil {
		return err
	}
	got, err := w.Hosts.Read(ctx, collect.Options{})
	if err != nil {
		return err
	}
	for _, f := range got.Failed {
		if f.Broke != nil {
			return f.Broke
		}
	}
	w.result.After, _, err = w.auditPath(ctx, got.Fleet)
	if err != nil {
		return err
	}
	w.stageDone(Applying, "every step verified by reading back (run %s), findings left: %d", w.turns.Runs()[0].ID,
		len(w.result.After.Findings))
	return nil
}

// measure compares the hosts as they were found with the plan.
func (w *walk) measure(ctx context.Context) error {
	e, err := w.experiment()
	if err != nil {
		return err
	}
	all, stolen := ticks()
	w.result.Bench, err = bench.Compare(ctx, e, measure.Compare, w.turns,
		bench.State{Name: Before}, bench.State{Name: After, Plan: w.result.Plan})
	later, taken := ticks()
	if all > 0 && later > all {
		share := 100 * (taken - stolen) / (later - all)
		w.result.Machine.Steal = &share
	}
	busy := w.result.Machine.Busy()
	if w.result.Bench != nil && busy != "" {
		notWorse(w.result.Bench, busy)
	}
	return err
}

func (w *walk) experiment() (measure.Experiment, error) {
	p, byName := w.result.Path, w.Hosts.ByName()
	e := w.Experiment
	e.Name = fmt.Sprintf("%s to %s", p.From, p.To)
	e.From, e.To = byName[p.From.Host], byName[p.To.Host]
	e.LineRate, e.Counters = w.hosts.LineRate(p), w.Hosts.Counters().Read
	for _, h := range w.Hosts.Hosts {
		if h.Name() != p.From.Host && h.Name() != p.To.Host && w.hosts.Host(h.Name()) != nil { // an HMC is none
			e.Via = append(e.Via, h)
		}
	}
	e.Snapshots = map[string]string{}
	for _, h := range w.hosts.Hosts {
		e.Snapshots[h.Name] = h.Name + "@" + h.Taken.Format(time.RFC3339)
	}
	var err error
	e.Target, err = w.hosts.Target(p)
	return e, err
}
