package command_test

import (
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"seaworthy/internal/base/progress"
	"seaworthy/internal/cli/command"
	"seaworthy/internal/measure"
)

// An experiment shows its block, the time left, and the medians so far.
func TestMeasuring(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var out strings.Builder
		m := progress.New(&out, nil)
		event := command.Measuring(progress.With(t.Context(), m))
		values := map[string][]float64{"before": {2.5e9, 2.4e9, 2.6e9}, "after": {6.2e9, 6.1e9, 6.3e9}}
		n, variants := 0, []string{"before", "after"}
		for block := 1; block <= 3; block++ {
			for _, v := range []string{"after", "before"} {
				trial := measure.Trial{Number: n + 1, Block: block, Variant: v, Workload: "8 streams"}
				event(measure.Event{Done: n, Total: 8, Blocks: 4, Trial: &trial, Variants: variants})
				time.Sleep(2100 * time.Millisecond)
				trial.BPS = &values[v][block-1]
				n++
				event(measure.Event{Done: n, Total: 8, Blocks: 4, Trial: &trial, Variants: variants, Finished: true})
			}
		}
		m.Close()
		want := "measuring 2 of 4 blocks, 10 s left: 8 streams: before 2.45, after 6.15 Gbit/s\n"
		if got := out.String(); got != want {
			t.Errorf("got\n%swant\n%s", got, want)
		}
	})
}

// Without a terminal a block has one line however long it takes; until a comparison is decided
// blocks and time are the most there can be.
func TestMeasuringUntilDecided(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var out strings.Builder
		m := progress.New(&out, nil)
		event := command.Measuring(progress.With(t.Context(), m))
		variants := []string{"before", "after"}
		until := time.Now().Add(10 * time.Minute)
		for n := range 7 {
			trial := measure.Trial{Number: n + 1, Block: n/2 + 1, Variant: variants[n%2], Workload: "1 stream"}
			event(measure.Event{Done: n, Total: 80, Blocks: 40, AtMost: true, Until: until, Trial: &trial, Variants: variants})
			time.Sleep(25 * time.Second)
			trial.BPS = new(1e9 * float64(n+1))
			event(measure.Event{Done: n + 1, Total: 80, Blocks: 40, AtMost: true, Until: until, Trial: &trial, Variants: variants, Finished: true})
		}
		m.Close()
		want := "measuring 1 of at most 40 blocks, at most 9 min 10 s left: 1 stream: before 1, after 2 Gbit/s\n" +
			"measuring 2 of at most 40 blocks, at most 8 min 20 s left: 1 stream: before 2, after 3 Gbit/s\n" +
			"measuring 3 of at most 40 blocks, at most 7 min 30 s left: 1 stream: before 3 [0.32–19], after 4 [0.914–14.4] Gbit/s\n"
		if got := out.String(); got != want {
			t.Errorf("got\n%swant\n%s", got, want)
		}
	})
}
