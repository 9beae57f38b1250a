package demo

import (
	"context"
	"errors"
	"fmt"
	"time"

	"seaworthy/internal/audit/finding"
	"seaworthy/internal/audit/rule"
	"seaworthy/internal/change/execute"
	"seaworthy/internal/change/plan"
	"seaworthy/internal/collect"
	"seaworthy/internal/inventory/graph"
	"seaworthy/internal/inventory/model"
	"seaworthy/internal/knowledge"
	"seaworthy/internal/measure"
	"seaworthy/internal/remote"
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
	Hosts     []remote.Host // all hosts of the path
	Platforms map[string]model.Platform
	From, To  string // host, or host:interface
	Dir       string // where snapshots go
	Journals  execute.Journals

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

	Fleet *model.Fleet `json:"-"` // as it was collected, before the change
}

// State is what the hosts said, read again while the plan was in effect.
type State struct {
	Path     *model.Path       `json:"path"`
	Findings []finding.Finding `json:"findings"` // on the path, without mere notes
	Fleet    *model.Fleet      `json:"-"`
}

type walk struct {
	Options
	result *Result
	fleet  *model.Fleet
	rules  *rule.Set
	since  time.Time
}

// Run walks the loop. On an error the result holds what was reached; whatever
// was changed has been put back, or the error says what was not.
func Run(ctx context.Context, o Options) (*Result, error) {
	w := &walk{Options: o, since: time.Now(), result: &Result{
		Schema: Schema, Started: time.Now().UTC(),
		Findings: []finding.Finding{}, Runs: []execute.Run{}, Results: []measure.Row{},
	}}
	var err error
	for _, step := range []func(context.Context) error{w.collect, w.audit, w.plan, w.measure} {
		if err = step(ctx); err != nil {
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
	outcomes, err := collect.Fleet(ctx, w.Hosts, w.Dir, collect.Options{Platforms: w.Platforms}, nil)
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
	if w.fleet, err = collect.Inventories(ctx, w.Dir); err != nil {
		return err
	}
	w.result.Fleet = w.fleet
	w.stageDone(Collecting, "hosts: %d, commands: %d", len(outcomes), commands)
	return nil
}

func (w *walk) audit(ctx context.Context) (err error) {
	if w.rules, err = rule.Compile(knowledge.BuiltIn().Rules()); err != nil {
		return err
	}
	if w.result.Path, w.result.Findings, w.result.Elsewhere, err = w.judge(ctx, w.fleet); err != nil {
		return err
	}
	w.stageDone(Auditing, "findings on the path: %d, elsewhere: %d", len(w.result.Findings), w.result.Elsewhere)
	return nil
}

// judge keeps the findings that concern the path, as audit --path does.
func (w *walk) judge(ctx context.Context, fleet *model.Fleet) (path *model.Path, on []finding.Finding, elsewhere int, err error) {
	g, err := graph.New(ctx, fleet)
	if err != nil {
		return nil, nil, 0, err
	}
	if path, err = g.Path(w.From, w.To); err != nil {
		return nil, nil, 0, fmt.Errorf("path %s to %s: %w", w.From, w.To, err)
	}
	all, err := w.rules.Run(ctx, fleet, rule.Options{Paths: []model.Path{*path}})
	if err != nil {
		return nil, nil, 0, err
	}
	finding.LargestNeeds(all)
	on, places := []finding.Finding{}, g.OnPath(path)
	for _, f := range all {
		switch {
		case f.Verdict != finding.Found || f.Severity == finding.Info:
		case places.Of(f.Element, f.Affects...) != graph.OffPath:
			on = append(on, f)
		default:
			elsewhere++
		}
	}
	return path, on, elsewhere, nil
}

// again reads and judges the hosts while the plan is in effect.
func (w *walk) again(ctx context.Context) error {
	got := collect.ReadFleet(ctx, w.Hosts, collect.Options{Platforms: w.Platforms}, nil)
	for _, o := range got {
		if o.Err != nil {
			return o.Err
		}
	}
	fleet, err := collect.Assemble(got)
	if err != nil {
		return err
	}
	a := &State{Fleet: fleet}
	if a.Path, a.Findings, _, err = w.judge(ctx, fleet); err == nil {
		w.result.After = a
	}
	return err
}

func (w *walk) plan(ctx context.Context) error {
	p, err := plan.Simulator{Rules: w.rules}.Build(ctx, w.fleet, knowledge.BuiltIn(), plan.FromFindings(w.result.Findings))
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

func (w *walk) measure(ctx context.Context) (err error) {
	byName := map[string]remote.Host{}
	for _, h := range w.Hosts {
		byName[h.Name()] = h
	}
	values := &collect.Values{Platforms: w.Platforms}
	t := &execute.Toggle{Plan: w.result.Plan, Runner: &execute.Runner{
		Hosts: byName, Journals: w.Journals,
		// What is put on is proved, and comes off again whatever was forgotten.
		Done: []string{plan.SwitchPorts},
		Read: func(ctx context.Context, name string) (*model.Host, error) {
			return values.Read(ctx, byName[name])
		},
	}}
	defer func() { w.result.Runs = append(w.result.Runs, t.Runs...) }()
	if err := t.On(ctx); err != nil {
		return err
	}
	if err := w.again(ctx); err != nil {
		return errors.Join(err, t.Off(context.WithoutCancel(ctx)))
	}
	w.stageDone(Applying, "every step verified by reading back (run %s), findings left: %d", t.Runs[0].ID, len(w.result.After.Findings))
	e, err := w.experiment(byName)
	if err != nil {
		return errors.Join(err, t.Off(context.WithoutCancel(ctx)))
	}
	e.Counters = (&collect.Counters{Options: collect.Options{Platforms: w.Platforms}}).Read
	e.Restore = t.Off
	w.result.Bench, err = measure.Compare(ctx, e, measure.Variant{Name: Before, Apply: t.Off}, measure.Variant{Name: After, Apply: t.On,
		Plan: string(w.result.Plan.ID), Values: w.result.Plan.Values()})
	// Compare restores only what it applied itself.
	err = errors.Join(err, t.Off(context.WithoutCancel(ctx)))
	if w.result.Bench != nil {
		w.result.Results = w.result.Bench.Results
		w.stageDone(Measuring, "trials: %d; all values are as they were found", len(w.result.Bench.Trials))
	}
	return err
}

func (w *walk) experiment(byName map[string]remote.Host) (measure.Experiment, error) {
	p := w.result.Path
	e := w.Experiment
	e.Name, e.From, e.To = fmt.Sprintf("%s to %s", p.From, p.To), byName[p.From.Host], byName[p.To.Host]
	e.Snapshots, e.LineRate = map[string]string{}, w.fleet.LineRate(p)
	for _, h := range w.Hosts {
		if h.Name() != p.From.Host && h.Name() != p.To.Host && w.fleet.Host(h.Name()) != nil { // an HMC is none
			e.Via = append(e.Via, h)
		}
	}
	for _, h := range w.fleet.Hosts {
		e.Snapshots[h.Name] = h.Name + "@" + h.Taken.Format(time.RFC3339)
	}
	target, err := w.fleet.Target(p)
	e.Target = target
	return e, err
}
