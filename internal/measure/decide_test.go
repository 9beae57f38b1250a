package measure

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"
	"testing/synctest"
	"time"

	"seaworthy/internal/measure/probe"
	"seaworthy/internal/measure/stats"
	"seaworthy/internal/remote"
	"seaworthy/internal/test/draw"
)

// drawn is a path without hosts that carries what is drawn: variant b this much more
// than a, each trial off by the noise.
type drawn struct {
	random       *rand.Rand
	effect       map[string]float64 // by workload
	noise        float64
	variant      string
	workloadName string
}

func (d *drawn) Name() string     { return "drawn" }
func (d *drawn) NeedsProbe() bool { return false }
func (d *drawn) Abort()           {}
func (d *drawn) Start(_ context.Context, _ *Path, w Workload) (Running, error) {
	d.workloadName = w.Name
	return d, nil
}

func (d *drawn) Finish(context.Context, map[string]*probe.Report) (*Measure, error) {
	v := 1e9 * math.Exp(d.noise*d.random.NormFloat64())
	if d.variant == "b" {
		v *= d.effect[d.workloadName]
	}
	return &Measure{BPS: &v, Seconds: 1}, nil
}

// nobody is a host that is never asked.
type nobody string

func (n nobody) Name() string                                                { return string(n) }
func (n nobody) Run(context.Context, remote.Command) (*remote.Result, error) { panic("asked") }
func (n nobody) Start(context.Context, string) (*remote.Session, error)      { panic("asked") }
func (n nobody) Close() error                                                { return nil }

// study compares until it is decided, with the engine's own loop.
func study(t *testing.T, d *drawn, e Experiment, looks *stats.Looks) *Result {
	t.Helper()
	e.UntilDecided = true
	var names []string
	variant := func(name string) Variant {
		names = append(names, name)
		return Variant{Name: name, Apply: func(context.Context) error { d.variant = name; return nil }}
	}
	e.From, e.To = nobody("a"), nobody("b")
	s := newSession(&e, "compare")
	s.path, s.looks = &Path{driver: d}, looks
	variants := []Variant{variant("a"), variant("b")}
	s.result.Options.Variants = names
	if err := s.blocks(t.Context(), variants); err != nil {
		t.Fatal(err)
	}
	s.contrast("a", "b")
	r, _ := s.finish(nil)
	return r
}

func plan(t *testing.T, most int) *stats.Looks {
	t.Helper()
	s := &session{Experiment: &Experiment{Repetitions: most}, result: &Result{}}
	if err := s.planLooks(0); err != nil {
		t.Fatal(err)
	}
	return s.looks
}

// Of comparisons of equal states no more than 5 % say different, though each is looked at
// after every block; a difference is found; equal ones are called so where the noise lets them.
func TestUntilDecidedErrs(t *testing.T) {
	for name, c := range map[string]struct {
		most, control int
		noise, effect float64
		runs          int
		improved      [2]float64 // share of runs, from and to
		worse         float64    // at most
		alike         float64    // at least
	}{
		"equal, 40 blocks":          {40, 0, 0.08, 1, 1500, [2]float64{0, 0.03}, 0.03, 0.4},
		"equal, 10 blocks":          {10, 0, 0.03, 1, 3000, [2]float64{0, 0.03}, 0.03, 0.5},
		"equal, with controls":      {12, 12, 0.03, 1, 2000, [2]float64{0, 0.03}, 0.03, 0.5},
		"5 % more, 40 blocks":       {40, 0, 0.05, 1.05, 400, [2]float64{0.9, 1}, 0.005, 0},
		"5 % less costs nothing":    {40, 0, 0.05, 1 / 1.05, 400, [2]float64{0, 0.005}, 1, 0},
		"twice as much, few blocks": {40, 0, 0.02, 2, 200, [2]float64{1, 1.01}, 0, 0},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			looks := plan(t, c.most)
			d := &drawn{random: draw.Fixed(t, 3, 1), noise: c.noise, effect: map[string]float64{"w": c.effect}}
			count, blocks, holds := map[stats.Verdict]float64{}, 0, 0.0
			for range c.runs {
				r := study(t, d, Experiment{Repetitions: c.most, Control: c.control, Workloads: []Workload{{Name: "w"}}, Seed: d.random.Uint64()}, looks)
				row := r.Results[0]
				count[row.Effect.Verdict] += 1 / float64(c.runs)
				blocks += row.Decision.Blocks
				if *row.Effect.Low <= c.effect && *row.Effect.High >= c.effect {
					holds += 1 / float64(c.runs)
				}
				if row.Decision.Decided != (row.Effect.Verdict != stats.Inconclusive && row.Effect.Verdict != stats.NoLoss) {
					t.Fatalf("%s, and decided is %t", row.Effect.Verdict, row.Decision.Decided)
				}
			}
			t.Logf("%v after %.1f blocks, the interval holds the truth in %.1f %%", count, float64(blocks)/float64(c.runs), 100*holds)
			if x := count[stats.Improved]; x < c.improved[0]-1e-9 || x > c.improved[1] {
				t.Errorf("%.3f improved, want %v", x, c.improved)
			}
			if count[stats.Worse] > c.worse || c.effect == 1 && count[stats.Worse]+count[stats.Improved] > 0.05 || holds < 0.95 {
				t.Errorf("%.3f worse, %.3f improved, the interval holds the truth in %.3f", count[stats.Worse], count[stats.Improved], holds)
			}
			if count[stats.NoDifference] < c.alike {
				t.Errorf("%.3f no different, want at least %g", count[stats.NoDifference], c.alike)
			}
		})
	}
}

// A workload that is decided is measured no more; one that is not has the time that is left,
// and the interval at its end is narrower than that of a look in mid-course.
func TestUntilTimeIsUp(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := &drawn{random: draw.Fixed(t, 5, 1), noise: 0.02, effect: map[string]float64{"clear": 2, "open": 1.05}}
		d.noise = 0.06
		began := time.Now()
		var last Event
		r := study(t, d, Experiment{Repetitions: 40, Budget: 10 * time.Minute, Seed: 1, Progress: func(e Event) { last = e }, Workloads: []Workload{
			{Name: "clear", Seconds: 10, Warmup: 1}, {Name: "open", Seconds: 10, Warmup: 1}}}, nil)
		if took := time.Since(began); took > 10*time.Minute || took < 9*time.Minute {
			t.Errorf("took %s of 10 min", took)
		}
		clear, open := r.Results[0], r.Results[1]
		if d := clear.Decision; !d.Decided || clear.Effect.Verdict != stats.Improved || d.Blocks > 10 {
			t.Errorf("clear: %+v, %s", d, clear.Effect.Verdict)
		}
		if d := open.Decision; d.Blocks != r.Options.OutOfTime || d.Blocks <= clear.Decision.Blocks || d.Blocks >= d.Most || d.Look != d.Blocks-leastLook+1 {
			t.Errorf("open: %+v, out of time after %d", d, r.Options.OutOfTime)
		}
		if !last.AtMost || !last.Until.Equal(began.Add(10*time.Minute)) {
			t.Errorf("%+v does not say until when", last)
		}
	})
}

// A person who breaks a comparison off may have seen how it goes: what is shown is the
// last look that was planned.
func TestBrokenOff(t *testing.T) {
	s := &session{Experiment: &Experiment{Repetitions: 8}, result: &Result{}, ends: map[int]*stats.Looks{}, ranOut: map[string]bool{}}
	if err := s.planLooks(0); err != nil {
		t.Fatal(err)
	}
	ratios := []float64{1.1, 1.11, 1.09, 1.1, 1.1, 1.1}
	whole := s.last("w", ratios, nil, kinds[0])
	if whole == nil || whole.Blocks != 6 || whole.Number != 4 {
		t.Fatalf("%+v", whole)
	}
	if got := s.last("w", ratios[:2], nil, kinds[0]); got != nil {
		t.Errorf("before the first look: %+v", got)
	}
	s.ranOut["w"] = true
	if over := s.last("w", ratios, nil, kinds[0]); over.Bound >= whole.Bound {
		t.Errorf("at the end the bound is %.2f, in mid-course %.2f", over.Bound, whole.Bound)
	}
}
