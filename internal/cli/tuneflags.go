package cli

import (
	"cmp"
	"context"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"regexp"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"seaworthy/internal/app/bench"
	"seaworthy/internal/app/fleet"
	"seaworthy/internal/app/tuning"
	"seaworthy/internal/base/decode"
	"seaworthy/internal/base/fileio"
	"seaworthy/internal/cli/command"
	"seaworthy/internal/knowledge"
	"seaworthy/internal/measure"
	"seaworthy/internal/measure/probe/load"
	"seaworthy/internal/tune"
	"seaworthy/internal/tune/space"
)

// tuneFlags say what is tuned, at which cost.
type tuneFlags struct {
	bench                          benchFlags
	goal, space, maxOutage, driver string
	file, out, resume              string
	budget                         time.Duration
	margin                         float64
	design, yes                    bool
	spaceText                      []byte // of --space
}

// newTuneFlags have the defaults.
func newTuneFlags() tuneFlags {
	f := tuneFlags{bench: benchFlags{repetitions: 1, setup: bench.Setup{Counters: true}, load: newWorkload()},
		goal: tune.Goals[0].Name, budget: 30 * time.Minute, maxOutage: string(knowledge.O1), margin: 0.02}
	f.bench.load.seconds = 0 // by the budget
	return f
}

func (f *tuneFlags) flags() command.Flags {
	s := &f.bench.setup
	return f.bench.load.flags().And(command.Flags{
		"from": &s.From, "to": &s.To, "goal": &f.goal, "space": &f.space, "budget": &f.budget,
		"max-outage": &f.maxOutage, "margin": &f.margin, "design": &f.design, "study": &f.file, "resume": &f.resume,
		"output": &f.out, "driver": &f.driver, "yes": &f.yes, "via": &s.Via, "probes": &f.bench.probes,
		"seed": &f.bench.seed, "history": &f.bench.history,
	})
}

// takeFrom takes what a study was asked to do.
func (f *tuneFlags) takeFrom(c *cobra.Command, s *tune.Study) error {
	for _, name := range []string{"from", "to", "goal", "space", "budget", "max-outage", "margin", "seed", "study", "design", "driver"} {
		if c.Flags().Changed(name) {
			return command.Usage("tune: --%s is the study's: it cannot be changed with --resume", name)
		}
	}
	h := s.Header
	if h.Driver {
		return command.Usage("study %s: its combinations came from outside: such a study cannot be resumed", s.Path)
	}
	f.bench.setup.From, f.bench.setup.To = h.From, h.To
	f.goal, f.maxOutage, f.bench.seed = h.Goal, h.MaxOutage, h.Options.Seed
	f.budget, f.margin = time.Duration(h.Options.Budget*float64(time.Second)), h.Options.Margin
	f.space, f.spaceText, f.file = h.SpaceName, []byte(h.SpaceText), s.Path
	f.bench.load.seconds = h.Workload.Seconds
	return nil
}

// check refuses what makes no study.
func (f *tuneFlags) check() error {
	s := f.bench.setup
	switch {
	case s.From == "" || s.To == "":
		return command.Usage("tune: --from and --to are required")
	case fleet.HostOf(s.From) == fleet.HostOf(s.To):
		return command.Usage("tune: --from and --to are the same host")
	case f.budget < time.Minute:
		return command.Usage("--budget %s: expected 1m or more", f.budget)
	case !knowledge.Class(f.maxOutage).Valid() || f.maxOutage == string(knowledge.O6):
		return command.Usage("--max-outage %s: expected O0 to O5", f.maxOutage)
	case !(f.margin > 0 && f.margin < 1):
		return command.Usage("--margin %g: expected a share between 0 and 1, such as 0.02", f.margin)
	case f.driver != "" && f.driver != "-":
		return command.Usage("--driver %s: expected -", f.driver)
	}
	return nil
}

// study returns what the flags ask for, before any host is asked; seconds says that
// the length of a trial was given.
func (f *tuneFlags) study(ctx context.Context, seconds bool, resumed *tune.Study) (*tuning.Study, measure.Workload, error) {
	var w measure.Workload
	goal, err := tune.GoalByName(f.goal)
	if err != nil {
		return nil, w, command.Usage("--goal: %w", err)
	}
	err = f.check()
	if err != nil {
		return nil, w, err
	}
	if resumed != nil {
		w = resumed.Header.Workload
	} else {
		w, err = f.complete(ctx, goal, seconds)
		if err != nil {
			return nil, w, err
		}
	}
	s := &tuning.Study{File: f.file, Resumed: resumed, Question: tuning.Question{
		From: f.bench.setup.From, To: f.bench.setup.To, Goal: goal, MaxOutage: knowledge.Class(f.maxOutage),
		Space: f.space, SpaceText: f.spaceText, Options: tune.Options{Budget: f.budget.Seconds(), Margin: f.margin,
			Seed: f.bench.seed, Trial: w.Seconds + max(0, w.Warmup) + 0.5},
	}}
	return s, w, nil
}

// complete reads the file of --space, and chooses what was not given: the length
// of a trial, the study's file and the seed.
func (f *tuneFlags) complete(ctx context.Context, goal tune.Goal, seconds bool) (w measure.Workload, err error) {
	if f.space != "" {
		f.spaceText, err = decode.Read(ctx, f.space, space.MaxFile)
		if err != nil {
			return w, fmt.Errorf("space %s: %w", f.space, fileio.Cause(err))
		}
	}
	if !seconds { // so that about as many trials fit as a study needs
		f.bench.load.seconds = min(10, max(1, float64(int(f.budget.Seconds()/130-1.5))))
		f.bench.load.warmup = max(0.3, f.bench.load.seconds/10)
	}
	w, err = f.workload(goal)
	if err != nil {
		return w, err
	}
	stamp := time.Now().Format("20060102-150405")
	s := f.bench.setup
	f.file = cmp.Or(f.file, fmt.Sprintf("tune-%s-%s-%s.jsonl", plainName(s.From), plainName(s.To), stamp))
	for f.bench.seed == 0 {
		f.bench.seed = rand.Uint64() >> 11
	}
	return w, fileio.Check(f.planFile())
}

// workload is the one of the goal's kind.
func (f *tuneFlags) workload(goal tune.Goal) (w measure.Workload, err error) {
	l := &f.bench.load
	if goal.Kind == load.RequestResponse && len(l.streams)+len(l.sessions) == 0 {
		l.sessions = []int{8}
	}
	all, err := l.workloads()
	if err != nil {
		return w, err
	}
	if len(all) != 1 {
		return w, command.Usage("tune: %d workloads: a study has one", len(all))
	}
	w = all[0]
	switch {
	case w.Kind == goal.Kind:
		return w, nil
	case goal.Kind == load.Stream:
		return w, command.Usage("--goal %s is measured with --streams", goal.Name)
	}
	return w, command.Usage("--goal %s is measured with --sessions", goal.Name)
}

var notPlain = regexp.MustCompile(`[^A-Za-z0-9._]+`)

// plainName is a host's name fit for a file's.
func plainName(s string) string { return notPlain.ReplaceAllString(fleet.HostOf(s), "_") }

func (f *tuneFlags) planFile() string {
	return cmp.Or(f.out, strings.TrimSuffix(f.file, filepath.Ext(f.file))+".plan.json")
}
