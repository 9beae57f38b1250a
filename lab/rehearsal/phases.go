package rehearsal

// The trials of a plan, in the order in which they leave each other what they need.

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"seaworthy/internal/app/rehearsed"
	"seaworthy/internal/app/runs"
	"seaworthy/internal/change/execute"
	"seaworthy/internal/change/plan"
	"seaworthy/internal/change/watchdog"
	"seaworthy/internal/inventory/model"
	"seaworthy/internal/knowledge"
	"seaworthy/lab/watch"
)

// apply carries the plan out as apply --confirm-within does, and confirms it.
func (r *rehearsal) apply(ctx context.Context) error {
	var run *execute.Run
	seen, err := r.try(ctx, trial{name: "apply", what: "applied and confirmed", want: rehearsed.NewValues,
		do: func(ctx context.Context, x *execute.Runner) (*execute.Run, error) {
			var err error
			run, err = runs.Apply(ctx, x, r.Plan, execute.Confirmation{Within: r.Within, Auto: true})
			return run, err
		}})
	if err != nil {
		return err
	}
	r.result.TimeLines = append(r.result.TimeLines, TimeLine{Trial: "apply", Watched: seen})
	r.judge(stepsOf(r.Plan, run), seen)
	return nil
}

// rollback takes back what apply did.
func (r *rehearsal) rollback(ctx context.Context) error {
	if !r.last().OK() {
		return nil
	}
	_, err := r.try(ctx, trial{name: "rollback", what: "taken back", want: rehearsed.OldValues, journals: r.trials,
		do: func(ctx context.Context, x *execute.Runner) (*execute.Run, error) {
			id, err := x.Journals.Resolve("latest")
			if err != nil {
				return nil, err
			}
			return x.Rollback(ctx, id)
		}})
	return err
}

// loseSession applies the plan and closes every connection in the middle of it: the hosts have to take it
// back by themselves.
func (r *rehearsal) loseSession(ctx context.Context) error {
	if !r.last().OK() {
		return nil
	}
	what := "the connections end in the middle; the hosts take it back"
	_, err := r.try(ctx, trial{name: "lost session", what: what, want: rehearsed.OldValues,
		do: func(ctx context.Context, x *execute.Runner) (*execute.Run, error) {
			cut := make(chan struct{})
			lines := loseable(x)
			go func() {
				defer close(cut)
				r.awaitMiddle(ctx, x.Journals)
				lines.lose()
			}()
			run, err := x.ApplyWithin(ctx, r.Plan, execute.Confirmation{Within: r.Within, Leave: true})
			<-cut
			waited := r.awaitHosts(ctx)
			if run == nil { // it never began: nothing was tried
				return nil, errors.Join(err, waited)
			}
			return run, waited
		}})
	return err
}

// awaitMiddle waits until half of the steps are done, or for as long as they may take.
func (r *rehearsal) awaitMiddle(ctx context.Context, j execute.Journals) {
	half := (len(r.Plan.Steps) + 1) / 2
	end := time.Now().Add(r.Within * time.Duration(1+len(r.Plan.Steps)))
	poll(ctx, end, func() bool {
		all, _ := j.Runs(ctx)
		for _, run := range all {
			done := 0
			for _, s := range run.Steps {
				if !s.Began.IsZero() {
					done++
				}
			}
			if done >= half || run.Outcome != execute.Running {
				return true
			}
		}
		return false
	})
}

// awaitHosts waits until no host watches over a run any more.
func (r *rehearsal) awaitHosts(ctx context.Context) error {
	x, closeAll, err := runs.Open(ctx, r.access, r.Plan.Senders())
	if err != nil {
		return err
	}
	defer closeAll()
	var pending []string
	end := time.Now().Add(2*r.Within + time.Minute)
	over := poll(ctx, end, func() bool {
		states, err := x.Watched(ctx)
		pending = nil
		for _, s := range states {
			if s.Phase != watchdog.Reverted && s.Phase != watchdog.Confirmed {
				pending = append(pending, s.Host)
			}
		}
		return err == nil && len(pending) == 0
	})
	if !over {
		return fmt.Errorf("after %s still pending on %s", 2*r.Within+time.Minute, strings.Join(pending, ", "))
	}
	_, err = x.Clean(ctx, "")
	return err
}

// poll asks until the answer is yes; false: it was not by the end.
func poll(ctx context.Context, end time.Time, ask func() bool) bool {
	tick := time.NewTicker(50 * time.Millisecond)
	defer tick.Stop()
	for !ask() {
		if time.Now().After(end) {
			return false
		}
		select {
		case <-ctx.Done():
			return false
		case <-tick.C:
		}
	}
	return true
}

// reboot applies the plan, reboots each host that waits for it, and applies what follows the reboots.
func (r *rehearsal) reboot(ctx context.Context) error {
	hosts := r.Plan.Reboots()
	if len(hosts) == 0 || !r.last().OK() {
		return nil
	}
	what := "applied, then " + strings.Join(hosts, ", then ") + " rebooted"
	if r.Plan.Next != nil {
		what += ", then what follows"
	}
	var steps []Step
	seen, err := r.try(ctx, trial{name: "reboot", what: what, want: rehearsed.NewValues, rebooted: true,
		do: func(ctx context.Context, x *execute.Runner) (*execute.Run, error) {
			run, err := runs.Apply(ctx, x, r.Plan, execute.Confirmation{Within: r.Within, Auto: true})
			if err != nil {
				return run, err
			}
			for _, h := range hosts {
				step, err := r.rebootHost(ctx, h)
				steps = append(steps, step)
				if err != nil {
					return run, err
				}
			}
			return r.applyNext(ctx, run, &steps)
		}})
	r.result.TimeLines = append(r.result.TimeLines, TimeLine{Trial: "reboot", Watched: seen})
	r.judge(steps, seen)
	return err
}

// applyNext applies what follows the reboots, if there is something, and adds its steps.
func (r *rehearsal) applyNext(ctx context.Context, before *execute.Run, steps *[]Step) (*execute.Run, error) {
	if r.Plan.Next == nil {
		return before, nil
	}
	x, closeAll, err := r.runner(ctx)
	if err != nil {
		return before, err
	}
	defer closeAll()
	run, err := runs.Apply(ctx, x, r.Plan.Next, execute.Confirmation{Within: r.Within, Auto: true})
	*steps = append(*steps, stepsOf(r.Plan.Next, run)...)
	return run, err
}

// rebootLimit is how long a node may take to come back.
const rebootLimit = time.Minute

// rebootHost reboots a node and waits until its links are up and its SEAs have the state that they had.
func (r *rehearsal) rebootHost(ctx context.Context, host string) (Step, error) {
	s := Step{ID: "reboot of " + host, Host: host, What: "reboot", Class: string(knowledge.O4), Outage: knowledge.O4.Outage(),
		Began: time.Now(), State: "done"}
	_, _ = r.Lab.Shell(ctx, host, "shutdown -Fr") // it ends the session
	waits := "one can log in"
	back := poll(ctx, time.Now().Add(rebootLimit), func() bool {
		_, err := r.Lab.Shell(ctx, host, "true")
		if err != nil {
			return false
		}
		f, err := r.read(ctx, []string{host})
		if err != nil {
			return false
		}
		waits = notBack(r.hosts[host], f)
		return waits == ""
	})
	s.Ended = time.Now()
	if !back {
		s.State = "failed"
		return s, fmt.Errorf("%s did not come back within %s: waited until %s", host, rebootLimit, waits)
	}
	return s, nil
}

// notBack is what a rebooted host still lacks; empty: nothing.
func notBack(before *model.Host, f *model.Fleet) string {
	for _, now := range f.Hosts {
		if now.Name != before.Name {
			continue
		}
		for name, el := range before.Elements {
			if at := now.Elements[name]; el.HAState != "" && (at == nil || at.HAState != el.HAState) {
				return fmt.Sprintf("%s is %s again", name, el.HAState)
			}
		}
		return ""
	}
	return "it is read"
}

// trial is a phase to try.
type trial struct {
	name, what, want string
	journals         int // number of the trial whose runs it goes on with; 0: none
	rebooted         bool
	do               func(context.Context, *execute.Runner) (*execute.Run, error)
}

// try watches while a trial is made, and reads the values afterwards. The error says that the lab does not
// answer; what the trial itself ran into stands in its phase.
func (r *rehearsal) try(ctx context.Context, t trial) (seen watch.Result, err error) {
	defer r.task.Step(t.name)
	x, closeAll, err := r.runner(ctx)
	if err != nil {
		return seen, err
	}
	defer closeAll()
	if t.journals > 0 {
		x.Journals = r.journals(t.journals)
	}
	stop, err := r.watch(ctx)
	if err != nil {
		return seen, err
	}
	p := Phase{Name: t.name, What: t.what, Want: t.want, Started: time.Now()}
	run, failed := t.do(ctx, x)
	seen, err = stop()
	p.Ended = time.Now()
	if err != nil {
		return seen, err
	}
	if failed != nil {
		p.Error = failed.Error()
	}
	if run != nil {
		p.Outcome = string(run.Outcome)
	}
	for _, one := range seen.Pairs {
		for _, g := range one.Gaps {
			p.Longest = max(p.Longest, g.Long)
		}
	}
	p.Values, err = r.values(ctx, t)
	if err != nil {
		return seen, err
	}
	r.result.Phases = append(r.result.Phases, p)
	if r.PhaseDone != nil {
		r.PhaseDone(p)
	}
	return seen, ctx.Err()
}

// last is the phase that ended last.
func (r *rehearsal) last() Phase { return r.result.Phases[len(r.result.Phases)-1] }

// values says which values the plan's hosts have after a trial.
func (r *rehearsal) values(ctx context.Context, t trial) (string, error) {
	plans := []*plan.Plan{r.Plan}
	if t.rebooted && r.Plan.Next != nil {
		plans = []*plan.Plan{r.Plan.Next, r.Plan}
	}
	var names []string
	for _, p := range plans {
		names = append(names, p.Hosts...)
	}
	slices.Sort(names)
	f, err := r.read(ctx, slices.Compact(names))
	if err != nil {
		return "", err
	}
	hosts := map[string]*model.Host{}
	for _, h := range f.Hosts {
		hosts[h.Name] = h
	}
	var differ []string
	for _, p := range plans {
		for _, host := range p.Hosts {
			differ = append(differ, differing(p, hosts[host], t)...)
		}
	}
	if len(differ) == 0 {
		return t.want, nil
	}
	slices.Sort(differ)
	return strings.Join(slices.Compact(differ), "; "), nil
}

// differing are the values of a host that are not the wanted ones.
func differing(p *plan.Plan, h *model.Host, t trial) (out []string) {
	if h == nil {
		return []string{"a host was not read"}
	}
	changes := p.First(h.Name)
	if t.want == rehearsed.NewValues {
		changes = p.Last(h.Name)
	}
	for s, c := range changes {
		wanted := c.Before
		if t.want == rehearsed.NewValues {
			wanted = c.After
		}
		if t.rebooted && s.Pending && wanted.Running != nil {
			wanted.Running = wanted.NextBoot // the value of the next boot is in force
		}
		now := s.ValuesOf(c, h)
		if !wanted.Match(now) {
			out = append(out, fmt.Sprintf("%s %s is %s", s.Of(c), c.Attr, now))
		}
	}
	return out
}
