package measure

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"seaworthy/internal/measure/stats"
)

// restoreWait bounds putting the path back after an interruption.
const restoreWait = time.Minute

// blocks measures every variant once in each block; the first is A.
func (s *session) blocks(ctx context.Context, variants []Variant) (err error) {
	a, applied := variants[0], false
	defer func() {
		if applied {
			err = errors.Join(err, s.restore(ctx, a))
		}
	}()
	withControl := map[int]bool{}
	for _, block := range s.random.Perm(s.Repetitions)[:s.Control] {
		withControl[block+1] = true
	}
	begun, longest := time.Now(), time.Duration(0)
	if s.Budget > 0 {
		s.until = begun.Add(s.Budget)
	}
	all := s.Workloads
	defer func() { s.Workloads = all }()
	for block := 1; block <= s.Repetitions+s.Further; block++ {
		before := len(s.Workloads)
		s.chooseWorkloads(all, variants, block)
		if len(s.Workloads) == 0 {
			return nil
		}
		if s.UntilDecided && block > 1 { // fewer workloads than in the block before take less time
			longest = longest * time.Duration(len(s.Workloads)) / time.Duration(before)
		}
		since := time.Now()
		if s.Budget > 0 && since.Sub(begun)+longest > s.Budget {
			s.result.Options.OutOfTime = block - 1
			s.runOut()
			return nil
		}
		turns := slices.Clone(variants)
		if withControl[block] {
			turns = append(turns, a)
		}
		s.random.Shuffle(len(turns), func(i, j int) { turns[i], turns[j] = turns[j], turns[i] })
		begins, err := s.turns(ctx, block, a.Name, turns)
		applied = applied || begins
		if err != nil {
			return err
		}
		longest = max(longest, time.Since(since))
		if s.UntilDecided && block == 1 {
			if err := s.planLooks(longest); err != nil {
				return err
			}
		}
	}
	s.runOut()
	return nil
}

// chooseWorkloads leaves in the session those workloads that a block is still to measure:
// all in the first, none if nothing is open.
func (s *session) chooseWorkloads(all []Workload, variants []Variant, block int) {
	a := variants[0].Name
	switch {
	case s.UntilDecided && block > 1:
		s.Workloads = s.open(s.Workloads, a, variants[1].Name)
		s.total = len(s.result.Trials) + (s.Repetitions-block+1)*len(variants)*len(s.Workloads)
	case block > s.Repetitions:
		s.Workloads = s.undecided(all, a, variants[1].Name)
		s.total = len(s.result.Trials) + len(variants)*len(s.Workloads)
	}
}

// turns measures the variants of one block in their order; a second turn of A is its
// control. applied: one was begun to be applied, so the path is to be restored.
func (s *session) turns(ctx context.Context, block int, a string, turns []Variant) (applied bool, err error) {
	seenA := false
	for _, t := range turns {
		control := t.Name == a && seenA
		seenA = seenA || t.Name == a
		if t.Apply != nil {
			applied = true
			if err := t.Apply(ctx); err != nil {
				return applied, fmt.Errorf("block %d: apply %s: %w", block, t.Name, err)
			}
		}
		if err := s.trials(ctx, block, t.Name, control); err != nil {
			return applied, err
		}
	}
	return applied, nil
}

// undecided are the workloads whose throughput or transactions are still open.
func (s *session) undecided(all []Workload, a, b string) []Workload {
	return slices.DeleteFunc(slices.Clone(all), func(w Workload) bool {
		for _, k := range mains {
			ratios, control := pairs(s.result.Trials, w.Name, a, b, k)
			c, _ := stats.Paired(control) // none without complete pairs
			if e, err := stats.Paired(ratios); err == nil {
				e.Judge(k.better, c)
				if e.Verdict == stats.Inconclusive {
					return false
				}
			}
		}
		return true
	})
}

// restore puts the path back, even if the experiment was interrupted.
func (s *session) restore(ctx context.Context, a Variant) error {
	back, what := s.Restore, "restore"
	if back == nil {
		back, what = a.Apply, "apply "+a.Name+" again"
	}
	if back == nil {
		return nil
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), restoreWait)
	defer cancel()
	if err := back(ctx); err != nil {
		return fmt.Errorf("%s: %w", what, err)
	}
	return nil
}

// contrast works out every figure's effect of variant b against a, and the
// control where there is one.
func (s *session) contrast(a, b string) {
	r := s.result
	for _, w := range s.Workloads {
		row := Row{Workload: w.Name, Before: short(w.Name, a, r.Trials), After: short(w.Name, b, r.Trials)}
		for _, f := range kinds {
			ratios, control := pairs(r.Trials, w.Name, a, b, f)
			c, _ := stats.Paired(control) // none without complete pairs
			if c != nil {
				c.JudgeControl(f.better)
				r.Controls = append(r.Controls, Contrast{Workload: w.Name, Figure: f.name, Effect: *c, Ratios: control})
			}
			e, err := stats.Paired(ratios)
			if err != nil {
				continue // the figure is absent, or zero, in a block
			}
			main := f.name == Throughput || f.name == Transactions
			e.Judge(f.better, c)
			if s.UntilDecided {
				look := s.last(w.Name, ratios, control, f)
				if look != nil {
					e = &look.Effect
				}
				if main {
					row.Decision = s.decision(len(ratios), look)
				}
			}
			x := Contrast{Workload: w.Name, Figure: f.name, Effect: *e, Ratios: ratios}
			if r.Mode == "matrix" {
				x.Variant = b
			}
			r.Contrast = append(r.Contrast, x)
			switch {
			case main:
				row.Effect = e
			case f.name == PerGbps || f.name == PerTrans:
				row.Cost = e
			}
		}
		if r.Mode != "matrix" {
			r.Results = append(r.Results, row)
		}
	}
}

// CrossCheck compares the built-in load with another driver on the same path, in
// interleaved blocks as Compare does: A is the reference, B the built-in one.
// So the effects show how the built-in generator compares with the reference,
// 1 being alike. Experiment.Driver is not used.
func CrossCheck(ctx context.Context, e Experiment, reference Driver) (*Result, error) {
	if reference == nil {
		return nil, errors.New("cross-check: a reference driver is needed")
	}
	s := &switched{Driver: reference, name: "builtin against " + reference.Name()}
	e.Driver = s
	choose := func(d Driver) Variant {
		return Variant{Name: d.Name(), Apply: func(context.Context) error { s.Driver = d; return nil }}
	}
	return Compare(ctx, e, choose(reference), choose(Builtin{}))
}

// switched is whichever driver the running variant chose.
type switched struct {
	Driver
	name string
}

// Name names both.
func (s *switched) Name() string { return s.name }

// NeedsProbe is true, since the built-in one does.
func (s *switched) NeedsProbe() bool { return true }
