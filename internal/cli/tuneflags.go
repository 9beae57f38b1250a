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

	"seaworthy/internal/audit/rule"
	"seaworthy/internal/base/decode"
	"seaworthy/internal/base/fileio"
	"seaworthy/internal/change/plan"
	"seaworthy/internal/cli/command"
	"seaworthy/internal/inventory/graph"
	"seaworthy/internal/inventory/model"
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
	study, out, resume             string
	budget                         time.Duration
	margin                         float64
	design, yes                    bool
	spaceText                      []byte // of --space
}

// from takes what a study was asked to do.
func (f *tuneFlags) from(c *cobra.Command, s *tune.Study) error {
	for _, name := range []string{"from", "to", "goal", "space", "budget", "max-outage", "margin", "seed", "study", "design", "driver"} {
		if c.Flags().Changed(name) {
			return command.Usage("tune: --%s is the study's: it cannot be changed with --resume", name)
		}
	}
	h := s.Header
	if h.Driver {
		return command.Usage("study %s: its combinations came from outside: such a study cannot be resumed", s.Path)
	}
	f.bench.from, f.bench.to, f.goal, f.maxOutage, f.bench.seed = h.From, h.To, h.Goal, h.MaxOutage, h.Options.Seed
	f.budget, f.margin = time.Duration(h.Options.Budget*float64(time.Second)), h.Options.Margin
	f.space, f.spaceText, f.study = h.SpaceName, []byte(h.SpaceText), s.Path
	f.bench.load.seconds = h.Workload.Seconds
	return nil
}

// check refuses what makes no study, before any host is asked.
func (f *tuneFlags) check(ctx context.Context, seconds bool, study *tune.Study) (goal tune.Goal, w measure.Workload, err error) {
	if goal, err = tune.GoalByName(f.goal); err != nil {
		return goal, w, command.Usage("--goal: %w", err)
	}
	switch {
	case f.bench.from == "" || f.bench.to == "":
		return goal, w, command.Usage("tune: --from and --to are required")
	case hostOf(f.bench.from) == hostOf(f.bench.to):
		return goal, w, command.Usage("tune: --from and --to are the same host")
	case f.budget < time.Minute:
		return goal, w, command.Usage("--budget %s: expected 1m or more", f.budget)
	case !knowledge.Class(f.maxOutage).Valid() || f.maxOutage == string(knowledge.O6):
		return goal, w, command.Usage("--max-outage %s: expected O0 to O5", f.maxOutage)
	case !(f.margin > 0 && f.margin < 1):
		return goal, w, command.Usage("--margin %g: expected a share between 0 and 1, such as 0.02", f.margin)
	case f.driver != "" && f.driver != "-":
		return goal, w, command.Usage("--driver %s: expected -", f.driver)
	}
	if study != nil {
		return goal, study.Header.Workload, nil
	}
	if f.space != "" {
		if f.spaceText, err = decode.Read(ctx, f.space, space.MaxFile); err != nil {
			return goal, w, fmt.Errorf("space %s: %w", f.space, fileio.Cause(err))
		}
	}
	if !seconds { // so that about as many trials fit as a study needs
		f.bench.load.seconds = min(10, max(1, float64(int(f.budget.Seconds()/130-1.5))))
		f.bench.load.warmup = max(0.3, f.bench.load.seconds/10)
	}
	if w, err = f.workload(goal); err != nil {
		return goal, w, err
	}
	stamp := time.Now().Format("20060102-150405")
	f.study = cmp.Or(f.study, fmt.Sprintf("tune-%s-%s-%s.jsonl", plainName(f.bench.from), plainName(f.bench.to), stamp))
	for f.bench.seed == 0 {
		f.bench.seed = rand.Uint64() >> 11
	}
	return goal, w, fileio.Check(f.planFile())
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
	if w = all[0]; w.Kind != goal.Kind {
		return w, command.Usage("--goal %s is measured with %s", goal.Name, map[load.Kind]string{
			load.Stream: "--streams", load.RequestResponse: "--sessions"}[goal.Kind])
	}
	return w, nil
}

var notPlain = regexp.MustCompile(`[^A-Za-z0-9._]+`)

// plainName is a host's name fit for a file's.
func plainName(s string) string { return notPlain.ReplaceAllString(hostOf(s), "_") }

func (f *tuneFlags) planFile() string {
	return cmp.Or(f.out, strings.TrimSuffix(f.study, filepath.Ext(f.study))+".plan.json")
}

// options are those of the engine.
func (f *tuneFlags) options(w measure.Workload) tune.Options {
	return tune.Options{Budget: f.budget.Seconds(), Margin: f.margin, Seed: f.bench.seed, Trial: w.Seconds + max(0, w.Warmup) + 0.5}
}

// spaceOf is what is tried on a path, and how its settings are planned.
func (f *tuneFlags) spaceOf(ctx context.Context, fleet *model.Fleet, path *model.Path) (*space.Space, space.Try, error) {
	rules, err := rule.Compile(knowledge.BuiltIn().Rules())
	if err != nil {
		return nil, nil, err
	}
	near := graph.Of(fleet).Near(path) // a large inventory is not simulated for each level
	try := func(want []plan.DesiredSetting) (*plan.Plan, error) {
		return plan.Simulator{Rules: rules}.Build(ctx, near, knowledge.BuiltIn(), want)
	}
	most := knowledge.Class(f.maxOutage)
	if f.space != "" {
		s, err := space.Parse(f.space, f.spaceText, fleet, path, most, try)
		return s, try, err
	}
	s, err := space.Of(fleet, path, f.goal, most, try)
	return s, try, err
}
