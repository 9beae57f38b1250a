package command

import (
	"cmp"
	"context"
	"fmt"
	"strings"

	"seaworthy/internal/base/progress"
	"seaworthy/internal/measure"
	"seaworthy/internal/measure/stats"
)

// Measuring shows how far an experiment is: blocks, the time left, and of a workload the
// medians so far with their 95 % intervals.
func Measuring(ctx context.Context) func(measure.Event) {
	var (
		t        *progress.Task
		finished []measure.Trial
	)
	return func(e measure.Event) {
		if e.Trial == nil {
			return
		}
		if t == nil {
			t = progress.Begin(ctx, "measuring", "block", e.Blocks)
			t.LinePerUnit()
		}
		done := e.Trial.Block - 1
		if e.Finished {
			finished = append(finished, *e.Trial)
		}
		if e.Finished && e.Done == e.Total {
			done++
		}
		blocks := max(e.Trial.Block, e.Blocks)
		if e.AtMost {
			t.AtMost(done, blocks)
		} else {
			t.At(done, blocks)
		}
		if !e.Until.IsZero() {
			t.Until(e.Until)
		} else if e.Total > 0 {
			t.Share(float64(e.Done) / float64(e.Total))
		}
		t.Now(e.Trial.Workload + soFar(finished, e))
	}
}

// leastShown is how many trials an interval is shown of: of two it is as wide as the screen.
const leastShown = 3

// soFar are the medians of a trial's workload by variant; of many variants, that
// of the trial's.
func soFar(finished []measure.Trial, e measure.Event) string {
	at, order := e.Trial, e.Variants
	if len(order) == 0 {
		order = []string{""} // of a run
	}
	values, unit := map[string][]float64{}, ""
	for i := range finished {
		f := &finished[i]
		v := cmp.Or(f.BPS, f.TPS)
		if f.Workload != at.Workload || v == nil {
			continue
		}
		x := *v
		unit = "TPS"
		if f.BPS != nil {
			x, unit = x/1e9, "Gbit/s"
		}
		values[f.Variant] = append(values[f.Variant], x)
	}
	var out []string
	for _, v := range order {
		if len(order) > 2 && v != at.Variant || values[v] == nil {
			continue
		}
		s := stats.Summarise(values[v])
		text := fmt.Sprintf("%s %.3g", v, s.Median)
		if s.N >= leastShown {
			text += fmt.Sprintf(" [%.3g–%.3g]", *s.Low, *s.High)
		}
		out = append(out, strings.TrimSpace(text))
	}
	if len(out) == 0 {
		return ""
	}
	return ": " + strings.Join(out, ", ") + " " + unit
}
