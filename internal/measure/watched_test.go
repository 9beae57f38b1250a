package measure_test

import (
	"errors"
	"testing"

	"seaworthy/internal/measure"
	"seaworthy/internal/measure/probe/load"
	"seaworthy/internal/remote"
	"seaworthy/internal/test/draw"
)

// A trial that is ended from outside leaves every host ready for the next one, those in
// between too.
func TestWatchedTrialEnds(t *testing.T) {
	draw.Rarely(t, 3)
	t.Parallel()
	e := one(measure.Builtin{}, localHost(t, "a"), localHost(t, "b"), measure.Workload{Kind: load.Stream, Streams: 1, Seconds: 3})
	e.Via = []remote.Host{localHost(t, "c")}
	trials, err := measure.Open(t.Context(), e)
	if err != nil {
		t.Fatal(err)
	}
	defer trials.Close()
	enough := errors.New("enough")
	if _, err := trials.Measure(t.Context(), "first", func(measure.Glance) error { return enough }); !errors.Is(err, enough) {
		t.Fatalf("got %v, want the watch's error", err)
	}
	got, err := trials.Measure(t.Context(), "second", nil)
	if err != nil || got.BPS == nil || *got.BPS <= 0 {
		t.Errorf("got %+v, %v, want a measured trial", got, err)
	}
}
