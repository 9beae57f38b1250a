package tune_test

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"seaworthy/internal/knowledge"
	"seaworthy/internal/test/draw"
	"seaworthy/internal/tune"
	"seaworthy/internal/tune/space"
)

// path is a simulated one: the log of its throughput by the levels of its factors, with
// noise from trial to trial.
type path struct {
	gain   func(run space.Run) float64
	noise  float64
	random *rand.Rand
	guards func(run space.Run) float64 // retransmitted share
	dead   func(run space.Run) bool    // nothing comes through
	fail   int                         // the trial that fails; 0: none
	made   int
}

var errDied = errors.New("lpar2: connection lost")

func (p *path) Try(_ context.Context, t *tune.Trial) error {
	p.made++
	if p.made == p.fail {
		return errDied
	}
	v := 1e9 * math.Exp(p.gain(t.Run)+p.noise*p.random.NormFloat64())
	t.Value, t.Seconds, t.Figures = &v, 2, map[string]float64{"bps": v, "retransmitted_share": 0}
	if p.dead != nil && p.dead(t.Run) {
		t.Value, t.Guard, t.Figures = nil, "nothing came through", nil
	} else if p.guards != nil {
		t.Figures["retransmitted_share"] = p.guards(t.Run)
	}
	return nil
}

// factors are k that are on or off, without settings of hosts.
func factors(k int) *space.Space {
	s := &space.Space{}
	for i := range k {
		s.Factors = append(s.Factors, space.Factor{Name: string(rune('a' + i)), Class: knowledge.O0,
			Levels: []space.Level{{Label: "off"}, {Label: "on"}}})
	}
	return s
}

func engine(p *path, k int, budget float64, seed uint64) *tune.Engine {
	p.random = rand.New(rand.NewPCG(seed, 1))
	return &tune.Engine{Goal: tune.Goals[0], Space: factors(k), Bed: p,
		Options: tune.Options{Budget: budget, Margin: 0.02, Seed: seed, Trial: 2}}
}

// three are the planted mis-settings: each helps, one only beside another.
func three(r space.Run) float64 {
	x := 0.0
	if r[0] > 0 {
		x += 0.2
		if r[1] > 0 {
			x += 0.3
		}
	}
	if r[2] > 0 {
		x += 0.15
	}
	return x
}

// The winner names the planted settings and nothing else.
func TestNamesWhatIsPlanted(t *testing.T) {
	exact, seeds := 0, 20
	for seed := range seeds {
		r, err := engine(&path{gain: three, noise: 0.05}, 8, 300, uint64(seed+1)).Run(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if r.Found && r.Winner.Words == "a=on, b=on, c=on" {
			exact++
		} else {
			t.Logf("seed %d: found %v, %+v, %s", seed+1, r.Found, r.Winner, r.Reason)
		}
		if r.Seconds > 1.05*300 {
			t.Errorf("seed %d: %.0f s of trials in a budget of 300", seed+1, r.Seconds)
		}
	}
	if exact < 19 {
		t.Errorf("the planted settings and nothing else: %d of %d studies, want 19 or more", exact, seeds)
	}
}

// Of two settings either of which cures, one is named.
func TestEitherCures(t *testing.T) {
	one, seeds := 0, 20
	gain := func(r space.Run) float64 { return 0.5 * float64(min(1, r[0]+r[1])) }
	for seed := range seeds {
		r, err := engine(&path{gain: gain, noise: 0.05}, 4, 300, uint64(seed+1)).Run(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if r.Found && (r.Winner.Words == "a=on" || r.Winner.Words == "b=on") {
			one++
		} else {
			t.Logf("seed %d: found %v, %+v, %s", seed+1, r.Found, r.Winner, r.Reason)
		}
	}
	if one < 19 {
		t.Errorf("one of the two: %d of %d studies, want 19 or more", one, seeds)
	}
}

// Where nothing matters, 5 % of the studies name a winner at most.
func TestNothingToFind(t *testing.T) {
	seeds := draw.OneIn(t, 4, upTo(100))
	found, studies := 0, len(seeds)
	for _, seed := range seeds {
		r, err := engine(&path{gain: func(space.Run) float64 { return 0 }, noise: 0.03}, 8, 300, seed).Run(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if r.Found {
			found++
		} else if r.Reason == "" {
			t.Errorf("seed %d: nothing found, and no reason", seed)
		}
	}
	t.Logf("winners of equal states: %d of %d", found, studies)
	if found > 5 {
		t.Errorf("winners of equal states: %d of %d studies, want 5 or fewer of 100", found, studies)
	}
}

// upTo are the seeds 1 to n.
func upTo(n int) (seeds []uint64) {
	for i := range n {
		seeds = append(seeds, uint64(i+1))
	}
	return seeds
}

// A planted effect of 5 % is found in 80 % of the studies.
func TestFindsFivePercent(t *testing.T) {
	seeds := draw.OneIn(t, 4, upTo(50))
	found, studies := 0, len(seeds)
	for _, seed := range seeds {
		gain := func(r space.Run) float64 { return float64(r[3]) * math.Log(1.05) }
		r, err := engine(&path{gain: gain, noise: 0.02}, 8, 400, seed).Run(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if r.Found && r.Winner.Settings["d"] == "on" {
			found++
		}
	}
	t.Logf("found: %d of %d", found, studies)
	if found*5 < studies*4 {
		t.Errorf("a planted 5 %%: found in %d of %d studies, want 80 %%", found, studies)
	}
}

// A combination that breaks a guard rail is tried once at most, and never wins.
func TestGuardRails(t *testing.T) {
	tried := map[string]int{}
	p := &path{gain: three, noise: 0.02, guards: func(r space.Run) float64 { return 0.5 * float64(r[0]*r[1]) }}
	e := engine(p, 5, 300, 1)
	e.Bed = counted{p, tried, e.Space}
	r, err := e.Run(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for settings, n := range tried {
		if strings.Contains(settings, "a=on, b=on") && n > 1 {
			t.Errorf("%s: tried %d times after it broke a guard rail", settings, n)
		}
	}
	if r.Winner == nil || !r.Found || r.Winner.Settings["a"] == "on" && r.Winner.Settings["b"] == "on" {
		t.Errorf("winner: got %+v, want one without a and b together", r.Winner)
	}
	if len(r.Barred) == 0 || !strings.Contains(r.Barred[0].Why, "share of retransmitted data: 0.5") {
		t.Errorf("barred: got %+v, want the combinations of a and b with the rail", r.Barred)
	}
}

// A combination through which nothing comes is left out; the study goes on.
func TestNothingComesThrough(t *testing.T) {
	p := &path{gain: three, noise: 0.02, dead: func(r space.Run) bool { return r[0] == 1 && r[1] == 1 }}
	r, err := engine(p, 5, 300, 1).Run(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if r.Winner == nil || !r.Found || r.Winner.Settings["a"] == "on" && r.Winner.Settings["b"] == "on" {
		t.Errorf("winner: got %+v, want one without a and b together", r.Winner)
	}
	if len(r.Barred) == 0 || r.Barred[0].Why != "nothing came through" {
		t.Errorf("barred: got %+v, want the combinations of a and b", r.Barred)
	}
}

type counted struct {
	tune.Bed
	n map[string]int
	s *space.Space
}

func (c counted) Try(ctx context.Context, t *tune.Trial) error {
	c.n[c.s.Words(t.Run)]++
	return c.Bed.Try(ctx, t)
}

// A study that broke off goes on where it was: the same result as without, and no trial
// of a whole block is made again.
func TestResume(t *testing.T) {
	header := func(e *tune.Engine) tune.Header {
		return tune.Header{Goal: e.Goal.Name, Options: e.Options, Space: e.Space}
	}
	whole := engine(&path{gain: three, noise: 0}, 5, 200, 7)
	want, err := whole.Run(t.Context())
	if err != nil || !want.Found {
		t.Fatalf("without an interruption: got %+v, %v, want a winner", want, err)
	}
	for _, at := range []int{1, 2, 9, 14, 40, want.Trials} {
		file := filepath.Join(t.TempDir(), "study.jsonl")
		p := &path{gain: three, noise: 0, fail: at}
		e := engine(p, 5, 200, 7)
		if e.Study, err = tune.Create(file, header(e)); err != nil {
			t.Fatal(err)
		}
		if _, err := e.Run(t.Context()); !errors.Is(err, errDied) {
			t.Fatalf("trial %d fails: got %v, want %v", at, err, errDied)
		}
		e.Study.Close()
		if _, err := tune.Create(file, header(e)); err == nil || !strings.Contains(err.Error(), "--resume") {
			t.Errorf("the same file again: got %v, want an error that names --resume", err)
		}
		s, err := tune.Resume(t.Context(), file)
		if err != nil {
			t.Fatal(err)
		}
		if err := s.Fits(factors(5)); err != nil {
			t.Errorf("the same hosts: %v", err)
		}
		if err := s.Fits(factors(6)); err == nil {
			t.Error("other hosts fit the study")
		}
		again := &path{gain: three, noise: 0}
		e = engine(again, 5, 200, 7)
		e.Study = s
		got, err := e.Run(t.Context())
		if err != nil {
			t.Fatalf("resumed after trial %d: %v", at, err)
		}
		if !got.Found || got.Winner.Words != want.Winner.Words || got.Trials != want.Trials {
			t.Errorf("resumed after trial %d: got %d trials, %+v, want %d, %+v", at, got.Trials, got.Winner, want.Trials, want.Winner)
		}
		if again.made != want.Trials-s.Past() || at > 20 && s.Past() < at-6 {
			t.Errorf("resumed after trial %d: %d kept and %d made, of %d", at, s.Past(), again.made, want.Trials)
		}
		s.Close()
	}
}

// Two programs do not go on with one study: each would measure what the other has set.
func TestResumeTwice(t *testing.T) {
	file := filepath.Join(t.TempDir(), "study.jsonl")
	e := engine(&path{gain: three}, 5, 200, 7)
	made, err := tune.Create(file, tune.Header{Goal: e.Goal.Name, Options: e.Options, Space: e.Space})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := tune.Resume(t.Context(), file); !errors.Is(err, tune.ErrInUse) {
		t.Errorf("while it is made: got %v, want ErrInUse", err)
	}
	made.Close()
	first, err := tune.Resume(t.Context(), file)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := tune.Resume(t.Context(), file); !errors.Is(err, tune.ErrInUse) {
		t.Errorf("while another goes on: got %v, want ErrInUse", err)
	}
	first.Close()
	again, err := tune.Resume(t.Context(), file)
	if err != nil {
		t.Fatalf("after the other ended: %v", err)
	}
	again.Close()
}

func TestBudgetTooSmall(t *testing.T) {
	_, err := engine(&path{gain: three}, 11, 60, 1).Run(t.Context())
	var small *tune.BudgetError
	if !errors.As(err, &small) || small.Needed < 100 {
		t.Errorf("11 factors in a minute: got %v, want a BudgetError that says what is needed", err)
	}
}

// Numbers are refined: twice and half of the best level, where the factor allows it.
func TestStages(t *testing.T) {
	var stages []tune.Stage
	e := engine(&path{gain: three, noise: 0.01}, 4, 200, 1)
	e.Progress = func(s tune.State) {
		if !slices.Contains(stages, s.Stage) {
			stages = append(stages, s.Stage)
		}
	}
	asked := false
	e.Agree = func(r *tune.Result) error {
		asked = len(stages) == 1 && r.Noise.Share > 0 && r.Noise.Smallest != nil && *r.Noise.Smallest > 0 && r.Design != nil
		return nil
	}
	if _, err := e.Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	if want := []tune.Stage{tune.Calibrate, tune.Screen, tune.Race, tune.Refine, tune.Prune, tune.Confirm}; !slices.Equal(stages, want) || !asked {
		t.Errorf("stages: got %v, asked with noise and design after the first: %v; want %v, true", stages, asked, want)
	}
	no := errors.New("no")
	e = engine(&path{gain: three, noise: 0.01}, 4, 200, 1)
	e.Agree = func(*tune.Result) error { return no }
	if r, err := e.Run(t.Context()); !errors.Is(err, no) || slices.ContainsFunc(r.Cells, func(c tune.Cell) bool { return c.Settings != "as found" }) {
		t.Errorf("not agreed: got %+v, %v, want nothing but trials of the present state", r.Cells, err)
	}
}

// Of eight factors with interactions, some harmful, the winner is within 2 % of the best of
// all 256 combinations, in at most 15 % of the trials of measuring each of these eight times.
func TestNearTheBest(t *testing.T) {
	gain := func(r space.Run) float64 {
		on := func(i int) float64 { return float64(r[i]) }
		return 0.25*on(0) + 0.15*on(1) + 0.2*on(0)*on(1) - 0.1*on(2) + 0.08*on(3) + 0.05*on(4) + 0.06*on(0)*on(4) - 0.04*on(5)
	}
	best := 0.0
	for i := range 256 {
		r := make(space.Run, 8)
		for f := range r {
			r[f] = i >> f & 1
		}
		best = math.Max(best, gain(r))
	}
	near, seeds := 0, draw.OneIn(t, 2, upTo(10))
	for _, seed := range seeds {
		r, err := engine(&path{gain: gain, noise: 0.03}, 8, 600, seed).Run(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if share := float64(r.Trials) / (256 * 8); share > 0.15 {
			t.Errorf("seed %d: %d trials, %.0f %% of the exhaustive search", seed, r.Trials, 100*share)
		}
		if r.Found && gain(r.Winner.Run) >= best+math.Log(0.98) {
			near++
		} else {
			t.Logf("seed %d: %+v", seed, r.Winner)
		}
	}
	t.Logf("within 2 %% of the best: %d of %d", near, len(seeds))
	if near < len(seeds)-1 {
		t.Errorf("within 2 %% of the best: %d of %d, want all but one", near, len(seeds))
	}
}

// Factors whose change interrupts traffic change between whole plots only, are judged by the
// spread of plots, and are found all the same.
func TestWholePlots(t *testing.T) {
	gain := func(r space.Run) float64 { return 0.15*float64(r[0]) + 0.2*float64(r[3]) }
	exact, nothing := 0, 0
	seeds := draw.OneIn(t, 4, upTo(20))
	for _, seed := range seeds {
		for _, planted := range []bool{true, false} {
			random := rand.New(rand.NewPCG(seed-1, 9))
			drift := 0.0
			p := &path{noise: 0.02}
			// A bounce of the interface leaves the path a little different until the next.
			last := 0
			p.gain = func(r space.Run) float64 {
				if r[0] != last {
					last, drift = r[0], 0.01*random.NormFloat64()
				}
				if !planted {
					return drift
				}
				return gain(r) + drift
			}
			e := engine(p, 5, 600, seed)
			e.Space.Factors[0].Class = knowledge.O2
			r, err := e.Run(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			d := r.Design
			if n, alone := d.Outages[knowledge.O2], d.Outages[knowledge.O2]+d.Saved[knowledge.O2]; n == 0 || n > alone/2 {
				t.Errorf("seed %d: %d interruptions by the design, want half of %d at most", seed, n, alone)
			}
			switch {
			case planted && r.Found && r.Winner.Words == "a=on, d=on":
				exact++
			case planted:
				t.Logf("seed %d: %+v %s", seed, r.Winner, r.Reason)
			case r.Found:
				nothing++
			}
		}
	}
	t.Logf("of %d studies %d named what was planted; of as many with nothing to find %d named a winner", len(seeds), exact, nothing)
	if least := len(seeds) * 4 / 5; exact < least || nothing > 1 {
		t.Errorf("want %d or more, and 1 at most", least)
	}
}
