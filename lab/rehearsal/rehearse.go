package rehearsal

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"seaworthy/internal/app/fleet"
	"seaworthy/internal/app/plans"
	"seaworthy/internal/app/rehearsed"
	"seaworthy/internal/app/runs"
	"seaworthy/internal/base/progress"
	"seaworthy/internal/change/execute"
	"seaworthy/internal/change/plan"
	"seaworthy/internal/collect"
	"seaworthy/internal/inventory/model"
	"seaworthy/lab"
	"seaworthy/lab/fault"
	"seaworthy/lab/watch"
)

// Options of a rehearsal.
type Options struct {
	Lab  *lab.Lab
	Plan *plan.Plan
	Dir  string // for the journals of its runs
	// Within is how long hosts wait for a confirmation before they take everything back; 0: DefaultWithin.
	Within time.Duration
	// Measure is how long each of four measurements takes, two loads before the plan and two with it; 0: none are made.
	Measure time.Duration
	// From are the folders that the copy was made of, and Source the hosts in them; nil: a lab that ran.
	From   []string
	Source *model.Fleet
	// Brief applies the plan and takes it back, and tries nothing else; the result is never as planned.
	Brief bool
	// PhaseDone is called when a phase ends; it may be nil.
	PhaseDone func(p Phase)
}

// DefaultWithin is long enough for each step of a lab, and short enough to wait for it once.
const DefaultWithin = 12 * time.Second

// What a rehearsal found, as it is kept.
type (
	Result   = rehearsed.Result
	Step     = rehearsed.Step
	Phase    = rehearsed.Phase
	TimeLine = rehearsed.TimeLine
	Figure   = rehearsed.Figure
)

// rehearsal is one that is under way.
type rehearsal struct {
	Options
	access fleet.Access
	hosts  map[string]*model.Host
	pairs  []between
	result *Result
	trials int
	partly bool // a step of the plan is left out
	task   *progress.Task
}

// ErrNotThere is the error of a plan with hosts that are not in the lab.
var ErrNotThere = errors.New("hosts that are not in the lab")

// ErrNothingReached is the error of a lab in which no host reaches another: what a step interrupts cannot be seen.
var ErrNothingReached = errors.New("nothing to watch in the lab")

// Run tries a plan in a lab. An error says why the rehearsal could not be carried on; what was found until
// then is in the result, which is nil if nothing was. The lab is left as the last phase left it.
func Run(ctx context.Context, o Options) (*Result, error) {
	if o.Within == 0 {
		o.Within = DefaultWithin
	}
	r := &rehearsal{Options: o, access: fleet.Access{HostsFile: o.Lab.HostsFile()}}
	r.result = &Result{Schema: rehearsed.Schema, Plan: o.Plan.ID, Lab: o.Lab.Name, Started: time.Now(),
		TimeLines: []TimeLine{}, LeftOut: []string{}, NotTried: []string{}, Outside: []string{},
		Figures: []Figure{}, NotMeasured: []string{}}
	err := r.prepare(ctx)
	if err != nil {
		return nil, err
	}
	r.task = progress.Begin(ctx, "rehearsing", "trial", r.countTrials())
	defer r.task.End()
	for _, phase := range r.phases() {
		err = phase(ctx)
		if err != nil {
			break
		}
	}
	r.result.Ended = time.Now()
	r.result.AsPlanned = err == nil && !o.Brief && !r.partly && !r.result.Worse()
	if err != nil {
		err = fmt.Errorf("rehearsal of plan %s in lab %s: %w", o.Plan.ID, o.Lab.Name, err)
	}
	return r.result, err
}

// phases are what is done, in turn.
func (r *rehearsal) phases() []func(context.Context) error {
	reboots := len(r.Plan.Reboots()) > 0
	var out []func(context.Context) error
	if r.Measure > 0 {
		out = append(out, pathFigures{r}.measureBefore)
	}
	out = append(out, r.apply)
	if r.Measure > 0 && (!reboots || r.Brief) {
		out = append(out, pathFigures{r}.measureAfter)
	}
	out = append(out, r.rollback)
	if r.Brief {
		return out
	}
	out = append(out, r.loseSession, r.failSteps, r.reboot)
	if r.Measure > 0 && reboots {
		out = append(out, pathFigures{r}.measureAfter)
	}
	return out
}

// countTrials is how many trials there will be.
func (r *rehearsal) countTrials() int {
	if r.Brief {
		return 2
	}
	n := 3 + len(r.refusable())
	if len(r.Plan.Reboots()) > 0 {
		n++
	}
	return n
}

// prepare reads the copy, chooses what is watched, and makes what the plan leaves to others.
func (r *rehearsal) prepare(ctx context.Context) error {
	f, err := r.read(ctx, nil)
	if err != nil {
		return err
	}
	r.hosts = map[string]*model.Host{}
	for _, h := range f.Hosts {
		r.hosts[h.Name] = h
	}
	r.result.Hosts = plans.RehearsedHosts(f, r.Plan)
	if r.Source != nil {
		r.result.Hosts = plans.RehearsedHosts(r.Source, r.Plan)
	}
	missing := slices.DeleteFunc(slices.Clone(r.Plan.Hosts), func(h string) bool { return r.hosts[h] != nil })
	if len(missing) > 0 {
		names := strings.Join(missing, ", ")
		hint := "a copy of hosts that were read has them: --from"
		if len(r.From) > 0 {
			hint = "collect them, too: " + strings.Join(r.From, ", ") + " lacks them"
		}
		return fmt.Errorf("plan %s: %w: %s (%s)", r.Plan.ID, ErrNotThere, names, hint)
	}
	err = r.leaveOutSteps()
	if err != nil {
		return err
	}
	r.pairs, r.result.Pairs = choose(f, r.Plan.Hosts)
	if len(r.pairs) == 0 {
		return fmt.Errorf("%w: no two hosts share a network", ErrNothingReached)
	}
	err = r.openPorts(ctx)
	if err != nil {
		return err
	}
	return r.listen(ctx)
}

// ErrNothingToTry is the error of a plan none of whose settings the copy has.
var ErrNothingToTry = errors.New("the copy has no setting that the plan changes")

// leaveOutSteps takes the steps away whose settings the copy does not have: a real adapter's rings, say. The others are tried.
func (r *rehearsal) leaveOutSteps() error {
	lacking := func(s plan.Step) bool {
		for _, c := range s.Changes {
			now := s.ValuesOf(c, r.hosts[s.Host])
			if now.Running == nil && now.NextBoot == nil {
				r.leaveOut("step %s: the copy has no %s on %s", s.ID, c.Attr, s.Of(c))
				return true
			}
		}
		return false
	}
	tried := slices.DeleteFunc(slices.Clone(r.Plan.Steps), func(s plan.Step) bool { return s.Manual == nil && lacking(s) })
	if len(tried) == len(r.Plan.Steps) {
		return nil
	}
	ours := func(s plan.Step) bool { return s.Manual == nil }
	if !slices.ContainsFunc(tried, ours) {
		return fmt.Errorf("plan %s: %w: %s", r.Plan.ID, ErrNothingToTry, strings.Join(r.result.LeftOut, "; "))
	}
	r.partly = true
	p, err := r.Plan.With(tried)
	r.Plan = p
	return err
}

// quiet is how long the copy is watched before anything changes.
const quiet = 1500 * time.Millisecond

// listen measures what gaps this machine makes by itself.
func (r *rehearsal) listen(ctx context.Context) error {
	stop, err := r.watch(ctx)
	if err != nil {
		return err
	}
	select {
	case <-ctx.Done():
	case <-time.After(quiet):
	}
	seen, err := stop()
	if err != nil {
		return err
	}
	r.forgetSilent(seen)
	if len(r.pairs) == 0 {
		return fmt.Errorf("%w: %s (are the VIOSes between them in the copy?)", ErrNothingReached, strings.Join(r.result.LeftOut, "; "))
	}
	r.result.Noise += watch.Interval * 3 / 2 // two packets in a row are more than chance, if none was lost before
	return ctx.Err()
}

// forgetSilent takes away pairs that do not reach each other before anything changes; the others say what
// gaps this machine makes.
func (r *rehearsal) forgetSilent(seen watch.Result) {
	var living []between
	for i, p := range seen.Pairs {
		if p.Lost == p.Sent {
			r.leaveOut("%s: no packet arrives before the plan is applied; it is not watched", r.pairs[i].name())
			continue
		}
		living = append(living, r.pairs[i])
		r.result.Watched = append(r.result.Watched, r.pairs[i].name())
		for _, g := range p.Gaps {
			r.result.Noise = max(r.result.Noise, g.Long)
		}
	}
	r.pairs = living
}

func (r *rehearsal) leaveOut(format string, args ...any) {
	r.result.LeftOut = append(r.result.LeftOut, fmt.Sprintf(format, args...))
}

// watch begins to watch the pairs; stop gives what was seen.
func (r *rehearsal) watch(ctx context.Context) (stop func() (watch.Result, error), err error) {
	var pairs []watch.Pair
	for _, p := range r.pairs {
		pairs = append(pairs, p.pair())
	}
	err = r.Lab.Query(ctx, "watch-start", pairs, nil)
	if err != nil {
		return nil, err
	}
	return func() (watch.Result, error) {
		var seen watch.Result
		err := r.Lab.Query(context.WithoutCancel(ctx), "watch-stop", nil, &seen)
		return seen, err
	}, nil
}

// read reads hosts of the lab; no names: all.
func (r *rehearsal) read(ctx context.Context, names []string) (*model.Fleet, error) {
	c, err := r.access.Open(ctx, names)
	if err != nil {
		return nil, err
	}
	defer c.Close()
	c.DropHMCs()
	reading, err := c.Read(ctx, collect.Options{})
	if err != nil {
		return nil, err
	}
	for _, f := range reading.Failed {
		err = errors.Join(err, errors.New(f.Error))
	}
	return reading.Fleet, err
}

// runner opens the plan's hosts for one trial, with journals of its own.
func (r *rehearsal) runner(ctx context.Context) (*execute.Runner, func(), error) {
	r.trials++
	x, closeAll, err := runs.Open(ctx, r.access, r.Plan.Senders())
	if err != nil {
		return nil, nil, err
	}
	x.Journals = r.journals(r.trials)
	for p := r.Plan; p != nil; p = p.Next {
		for _, s := range p.Steps {
			if s.Manual != nil {
				x.Done = append(x.Done, s.ID)
			}
		}
	}
	return x, closeAll, nil
}

// openPorts lets the switch's ports pass what the plan's manual steps ask the network team for.
func (r *rehearsal) openPorts(ctx context.Context) error {
	var ports []string
	err := r.Lab.Query(ctx, "switch-ports", nil, &ports)
	if err != nil {
		return err
	}
	for p := r.Plan; p != nil; p = p.Next {
		for _, s := range p.Steps {
			if s.Manual == nil {
				continue
			}
			for _, port := range ports {
				f := fault.Fault{Kind: "no-jumbo", Target: port, Value: fmt.Sprint(s.Manual.MTU)}
				err := r.Lab.Query(ctx, "break", f, nil)
				if err != nil {
					return fmt.Errorf("%s: %w", s.ID, err)
				}
			}
			r.result.NotTried = append(r.result.NotTried, fmt.Sprintf("%s (%s): the copy's switch passed packets of %d bytes "+
				"before the first step; the switch's own change was not tried", s.ID, s.Manual.Owner, s.Manual.MTU))
		}
	}
	return nil
}

// journals are those of one trial.
func (r *rehearsal) journals(trial int) execute.Journals {
	return execute.Journals{Dir: filepath.Join(r.Dir, fmt.Sprintf("trial-%d", trial))}
}
