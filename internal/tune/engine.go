package tune

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"time"

	"seaworthy/internal/inventory/model"
	"seaworthy/internal/measure/stats"
	"seaworthy/internal/tune/analysis"
	"seaworthy/internal/tune/space"
)

// Options of a study, kept in its file.
type Options struct {
	Budget float64 `json:"budget_s"` // seconds of trials, in all
	Margin float64 `json:"margin"`   // smallest gain that counts, as a share
	Seed   uint64  `json:"seed"`
	Trial  float64 `json:"trial_s"` // expected seconds of a trial as found, before any was made
}

// Bed holds what trials are made on.
type Bed interface {
	// Try puts a run's settings on, measures, and puts back what was found. t has the
	// run, and receives what was measured. An error ends the study; settings that no
	// plan can be made of are noted as refused.
	Try(ctx context.Context, t *Trial) error
}

// State says how far a study is.
type State struct {
	Stage    Stage
	Block    int           // of the stage
	Blocks   int           // that are planned for it
	Trial    int           // of all stages
	Settings string        // that are tried now
	Left     time.Duration // of the budget
}

// Engine runs a study.
type Engine struct {
	Options
	Goal  Goal
	Space *space.Space
	Fleet *model.Fleet // as found, for prerequisites and what cores hosts may use; nil: neither is known
	Hosts []string     // of the path, for guard rails
	Bed   Bed
	Study *Study // nil: nothing is kept

	// Proposals, if not nil, take the place of the screen: it is asked for runs until it
	// gives none, and hears what became of each.
	Proposals *Proposals
	Progress  func(State)
	// Agree is asked once the noise is known, before the first setting is changed.
	Agree func(*Result) error

	result   *Result
	random   *rand.Rand
	guard    guard
	trials   []Trial
	ratios   map[string][]float64 // settings → responses to the present state in the same block
	barred   map[string]string
	parts    []Part
	shown    map[int]bool // factors that the refinement showed to help
	blocks   int
	state    State
	noise    analysis.Noise
	screened []analysis.Trial
	model    *analysis.Model // of the screen
	control  *stats.Effect   // of the present state against itself
	spent    float64
	seconds  [2][]float64 // of trials as found, and with settings
}

// begin enters a stage of so many blocks.
func (s *State) begin(stage Stage, blocks int) {
	s.Stage, s.Block, s.Blocks = stage, 0, blocks
}

// block measures base and every run once, in random order, and gives the response of
// each run to base: NaN where there is none.
func (e *Engine) block(ctx context.Context, base space.Run, runs []space.Run) ([]float64, error) {
	e.blocks++
	e.state.Block++
	turns := slices.Concat([]space.Run{base}, runs)
	values := make([]float64, len(turns))
	order := e.random.Perm(len(turns))
	plots := plotting{e.Space}.group(turns, order)
	for place, i := range order {
		var err error
		if values[i], err = e.try(ctx, turns[i], place+1, len(turns), plots[place]); err != nil {
			return nil, fmt.Errorf("%s, block %d, trial %d of it (%s): %w", e.state.Stage, e.state.Block, place+1, e.Space.Words(turns[i]), err)
		}
	}
	out := make([]float64, len(runs))
	for i, r := range runs {
		out[i] = e.Goal.response(values[i+1], values[0])
		if isPresent(base) && !math.IsNaN(out[i]) {
			words := e.Space.Words(r)
			e.ratios[words] = append(e.ratios[words], out[i])
		}
	}
	return out, nil
}

// try makes one trial, or takes it from a resumed study: NaN if these settings are not
// to be tried, or broke a guard rail.
func (e *Engine) try(ctx context.Context, run space.Run, place, of int, plot plot) (float64, error) {
	words := e.Space.Words(run)
	e.state.Settings, e.state.Trial = words, len(e.trials)+1
	e.state.Left = time.Duration((e.Budget - e.spent) * float64(time.Second))
	if e.Progress != nil {
		e.Progress(e.state)
	}
	t := Trial{Number: len(e.trials) + 1, Stage: e.state.Stage, Block: e.blocks, Place: place, Of: of,
		Run: slices.Clone(run), Settings: words, Refused: e.barred[words]}
	var past *Trial
	if e.Study != nil {
		past = e.Study.next()
	}
	switch {
	case past != nil:
		if past.Settings != words || past.Stage != t.Stage || past.Place != place || !slices.Equal(past.Run, run) {
			return 0, fmt.Errorf("study %s: its trial %d is %s with %s, which this version of the program does not come to: begin a new study",
				e.Study.Path, past.Number, past.Stage, past.Settings)
		}
		t = *past
		t.Number = len(e.trials) + 1
	case t.Refused == "":
		t.Started, t.plot = time.Now().UTC(), plot
		t.watch = &watch{guard: &e.guard, kind: e.Goal.Kind, present: isPresent(run), worst: map[string]float64{}}
		if err := e.Bed.Try(ctx, &t); err != nil {
			return 0, err
		}
		if t.Value == nil && t.Refused+t.Guard == "" {
			return 0, errors.New("the trial gave no " + e.Goal.Name)
		}
		if t.Guard == "" && !isPresent(run) {
			t.Guard = e.guard.broken(t.Figures, whole)
		}
		fallthrough
	default:
		if e.Study != nil {
			if err := e.Study.add(&t); err != nil {
				return 0, err
			}
		}
	}
	return e.countTrial(&t), nil
}

// countTrial counts a trial, made now or before.
func (e *Engine) countTrial(t *Trial) float64 {
	e.trials = append(e.trials, *t)
	e.spent += t.Seconds
	present, seconds := isPresent(t.Run), &e.seconds[1]
	if present {
		seconds = &e.seconds[0]
	}
	if t.Seconds > 0 {
		*seconds = append(*seconds, t.Seconds)
	}
	if why := t.Refused + t.Guard; why != "" {
		e.barred[t.Settings] = why
		return math.NaN()
	}
	if present {
		e.guard.learn(t.Figures)
	}
	return *t.Value
}

// putting is the expected time of putting settings on and off, in s, before it was seen.
const putting = 1

// cost is the expected time of a block in s: of one trial as found, and n others.
func (e *Engine) cost(found, others int) float64 {
	of := func(i int) float64 {
		if s := stats.Summarise(e.seconds[i]); s != nil {
			return s.Median
		}
		return e.Trial + float64(i)*putting
	}
	return float64(found)*of(0) + float64(others)*of(1)
}

// fits is how many blocks of a stage the budget holds up to a share of it.
func (e *Engine) fits(share, block float64) int {
	return int(max(0, (share*e.Budget-e.spent)/block))
}

// summarizeCells sums up every combination that was measured. ratios are the responses by
// settings.
func summarizeCells(goal Goal, trials []Trial, ratios map[string][]float64) []Cell {
	values := map[string][]float64{}
	var order []string
	for _, t := range trials {
		if t.Value == nil {
			continue
		}
		if values[t.Settings] == nil {
			order = append(order, t.Settings)
		}
		values[t.Settings] = append(values[t.Settings], *t.Value*goal.Scale)
	}
	out := []Cell{}
	for _, settings := range order {
		s := stats.Summarise(values[settings])
		out = append(out, Cell{Settings: settings, N: s.N, Median: s.Median, Low: s.Low, High: s.High,
			Ratio: stats.Summarise(exp(ratios[settings]))})
	}
	slices.SortStableFunc(out, func(a, b Cell) int { return int(goal.Better) * cmp.Compare(b.Median, a.Median) })
	return out
}
