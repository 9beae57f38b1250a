package command_test

import (
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"seaworthy/bench"
	"seaworthy/cli/command"
	"seaworthy/progress"
)

// An experiment shows its block, the time left, and the medians so far.
func TestMeasuring(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var out strings.Builder
		m := progress.New(&out, nil)
		event := command.Measuring(progress.With(t.Context(), m))
		values := map[string][]float64{"before": {2.5e9, 2.4e9, 2.6e9}, "after": {6.2e9, 6.1e9, 6.3e9}}
		n := 0
		for block := 1; block <= 3; block++ {
			for _, v := range []string{"after", "before"} {
				trial := bench.Trial{Number: n + 1, Block: block, Variant: v, Workload: "8 streams"}
				event(bench.Event{Done: n, Total: 8, Blocks: 4, Trial: &trial})
				time.Sleep(2100 * time.Millisecond)
				trial.BPS = &values[v][block-1]
				n++
				event(bench.Event{Done: n, Total: 8, Blocks: 4, Trial: &trial, Finished: true})
			}
		}
		m.Close()
		want := "measuring 4 of 8 trials, 10 s left: block 3/4, 8 streams: " +
			"after 6.15 [5.55 to 6.82], before 2.45 [1.89 to 3.17] Gbit/s\n"
		if got := out.String(); got != want {
			t.Errorf("got\n%swant\n%s", got, want)
		}
	})
}
