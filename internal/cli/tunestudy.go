package cli

import (
	"bufio"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"seaworthy/internal/base/progress"
	"seaworthy/internal/change/execute"
	"seaworthy/internal/change/plan"
	"seaworthy/internal/cli/command"
	"seaworthy/internal/collect"
	"seaworthy/internal/measure"
	"seaworthy/internal/remote/shellword"
	"seaworthy/internal/tune"
	"seaworthy/internal/tune/space"
	"seaworthy/internal/ui/report"
)

// study carries one out on hosts.
func (a *app) study(ctx context.Context, f *tuneFlags, goal tune.Goal, s *tune.Study, x measure.Experiment, hosts *connected) (err error) {
	journals, err := a.journals()
	if err != nil {
		return err
	}
	full, err := filepath.Abs(f.study)
	if err != nil {
		return err
	}
	journals.Lookup.Purpose = "tune " + full
	runner := hosts.runner(journals)
	if s != nil && s.Past() > 0 {
		if err := leftOver(ctx, runner, journals); err != nil {
			return err
		}
		// What a trial that was cut short had set, the hosts were read with.
		if f.bench.fleet, err = collect.Assemble(hosts.read(ctx)); err != nil {
			return err
		}
	}
	fleet, path := f.bench.fleet, f.bench.between
	room, try, err := f.spaceOf(ctx, fleet, path)
	if err != nil {
		return err
	}
	if len(room.Factors) == 0 {
		return command.Exit(command.ExitNo, fmt.Errorf("nothing to try: every setting of the path is at the catalogue's best, or left out "+
			"(seaworthy tune --design says why)"))
	}
	engine := tune.Engine{Options: f.options(x.Workloads[0]), Goal: goal, Space: room, Fleet: fleet}
	for _, h := range hosts.hosts {
		engine.Hosts = append(engine.Hosts, h.Name())
	}
	if _, err := engine.Draft(); err != nil && f.driver == "" {
		return err
	}
	h := tune.Header{Started: time.Now().UTC(), From: f.bench.from, To: f.bench.to, Goal: goal.Name, Workload: x.Workloads[0],
		Options: engine.Options, MaxOutage: f.maxOutage, SpaceName: f.space, SpaceText: string(f.spaceText), Space: room,
		Driver: f.driver != "", Program: x.Program}
	if s == nil {
		if s, err = tune.Create(f.study, h); err != nil {
			return err
		}
		defer s.Close()
	} else if err := s.Fits(room); err != nil {
		return err
	}
	planned := func(_ context.Context, r space.Run) (*plan.Plan, error) { return try(engine.Space.Desired(r)) }
	bed := &tune.Hosts{Goal: goal, Experiment: x, Runner: runner, Plan: planned}
	defer bed.Close()
	engine.Bed, engine.Study, engine.Progress = bed, s, tuning(ctx)
	if f.driver != "" {
		engine.Proposals = tune.Lines(a.Stdin, a.Stdout, goal, room)
	} else {
		engine.Agree = func(r *tune.Result) error { return a.begin(ctx, f.yes, r) }
	}
	r, err := engine.Run(ctx)
	if r == nil {
		return err
	}
	r.From, r.To, r.Study = path.From.String(), path.To.String(), f.study
	if err == nil && r.Found {
		if r.Plan, err = planned(ctx, r.Winner.Run); err == nil {
			r.PlanFile = f.planFile()
			err = command.SaveJSON(r.PlanFile, "  ", r.Plan)
		}
	}
	if err != nil {
		if r.Trials > 0 {
			a.Notice("%s are in %s: go on with  seaworthy tune --resume %s%s", report.Plural(r.Trials, "trial"), f.study,
				shellword.Quote(f.study), a.lookupFlags())
		}
		return err
	}
	var outcome error
	if !r.Found {
		outcome = command.Exit(command.ExitNo, nil)
	}
	if f.driver != "" {
		return cmp.Or(json.NewEncoder(a.Stdout).Encode(map[string]*tune.Result{"result": r}), outcome)
	}
	return a.Conclude(outcome, r, func(p *report.Document) {
		report.Tune(p, r)
		if r.Found {
			p.Line("Next: seaworthy apply %s%s --confirm-within 2m", report.Safe(shellword.Quote(r.PlanFile)), report.Safe(a.lookupFlags()))
		}
	})
}

// leftOver rolls back the trial that a killed program left on the hosts.
func leftOver(ctx context.Context, r *execute.Runner, journals execute.Journals) error {
	runs, err := journals.Runs(ctx)
	if err != nil {
		return err
	}
	for _, run := range runs {
		if run.Lookup.Purpose != journals.Lookup.Purpose || run.Outcome != execute.Running && run.Outcome != execute.Pending {
			continue
		}
		if _, err := r.Rollback(ctx, run.ID); err != nil {
			return fmt.Errorf("the trial that was cut short: roll back run %s: %w", run.ID, err)
		}
		if _, err := r.Clean(ctx, run.ID); err != nil {
			return err
		}
	}
	return nil
}

// begin asks on a terminal whether to go on, once it is known what can be shown.
func (a *app) begin(ctx context.Context, yes bool, r *tune.Result) error {
	for _, x := range report.Calibrated(r) {
		a.Notice("%s: %s", x[0], x[1])
	}
	return a.ask(ctx, yes, "Go on?", "nothing was changed")
}

// ask wants a yes before something is begun, of a person at a terminal: what nobody is
// there to answer was decided before.
func (a *app) ask(ctx context.Context, yes bool, question, otherwise string) error {
	in, typed := command.Terminal(a.Stdin)
	if _, shown := command.Terminal(a.Stderr); yes || !typed || !shown {
		return nil
	}
	fmt.Fprint(a.Stderr, question+" Only yes does: ")
	answer := make(chan string, 1)
	go func() {
		line, _ := bufio.NewReader(in).ReadString('\n')
		answer <- strings.TrimSpace(line)
	}()
	select {
	case <-ctx.Done():
		return context.Cause(ctx)
	case line := <-answer:
		if line != "yes" {
			return command.Exit(command.ExitNo, fmt.Errorf("%s: the answer was not yes (--yes does not ask)", otherwise))
		}
	}
	return nil
}

// tuning shows how far a study is.
func tuning(ctx context.Context) func(tune.State) {
	var t *progress.Task
	return func(s tune.State) {
		if t == nil {
			t = progress.Begin(ctx, "tuning", "trial", 0)
		}
		t.At(s.Trial-1, 0)
		t.Until(time.Now().Add(s.Left)) // at the latest
		t.Now(fmt.Sprintf("%s, block %d of %d: %s", s.Stage, s.Block, max(s.Block, s.Blocks), s.Settings))
	}
}
