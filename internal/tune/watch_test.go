package tune

import (
	"errors"
	"strings"
	"testing"

	"seaworthy/internal/measure"
	"seaworthy/internal/measure/probe/load"
)

// A trial ends by the first three seconds that break a rail, not by one second.
func TestWatch(t *testing.T) {
	const rate = 1 << 30 // bytes/s as found
	found := guard{cores: map[string]float64{"lpar1": 2}, worst: map[string]float64{}, least: map[string]float64{}}
	for _, f := range []map[string]float64{
		{measure.Throughput: 8 * rate, lostShare: 0, "worst " + lostShare: 0.001, "worst " + noResources: 0, "worst " + coresOf + "lpar1": 1},
		{measure.Throughput: 8 * rate, lostShare: 0, "worst " + lostShare: 0, "worst " + noResources: 2, "worst " + coresOf + "lpar1": 1.2},
	} {
		found.learn(f)
	}
	type second struct {
		bytes, resent uint64
		cores         float64
		starved       uint64 // counted at the end of this second, if above 0
	}
	well := second{bytes: rate, cores: 1}
	cases := []struct {
		name    string
		seconds []second
		rail    string
		at      int // the second that ends it
		present bool
	}{
		{name: "nothing wrong", seconds: []second{well, well, well, well, well, {rate, 1, 1, 5}}},
		{name: "a second of silence", seconds: []second{well, well, {cores: 1}, well, well}},
		{name: "nothing comes through", seconds: []second{well, well, {cores: 1}, {cores: 1}, {cores: 1}, well}, at: 5,
			rail: "nothing came through over three seconds"},
		{name: "nothing from the first", seconds: []second{{}, {}, {}, {}}, at: 3, rail: "nothing came through"},
		{name: "the same as found", seconds: []second{well, {}, {}, {}, {}}, present: true},
		{name: "loss", seconds: []second{well, {rate / 100, rate / 100 / segment / 20, 1, 0}, {rate / 100, rate / 100 / segment / 20, 1, 0},
			{rate / 100, rate / 100 / segment / 20, 1, 0}, {rate / 100, rate / 100 / segment / 20, 1, 0}}, at: 4,
			rail: "share of retransmitted data over three seconds: 0.0499, at most 0.01 allowed (as found: 0.001)"},
		{name: "cores", seconds: []second{well, {rate, 0, 2, 0}, {rate, 0, 2, 0}, {rate, 0, 2, 0}}, at: 4,
			rail: "lpar1 used 2.00 of the 2.00 cores that it may use over three seconds (as found: 1.20)"},
		{name: "receive buffers", seconds: []second{well, well, {rate, 0, 1, 60}, well}, at: 3,
			rail: "No Resource Errors a second over three seconds: 20, at most 10 allowed (as found: 2)"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			w := &watch{guard: &found, kind: load.Stream, present: c.present, worst: map[string]float64{}}
			g := measure.Glance{CPU: map[string]float64{}}
			bytes, resent, used := uint64(0), uint64(0), 0.0
			for i, s := range append([]second{{}}, c.seconds...) {
				bytes, resent, used = bytes+s.bytes, resent+s.resent, used+s.cores
				g = measure.Glance{Seconds: float64(i), Bytes: new(bytes), Retransmits: new(resent), CPU: map[string]float64{"lpar1": used}}
				if s.starved > 0 {
					g.Counted = &measure.Counted{Seconds: float64(i), Counters: []measure.CounterDelta{{Counter: "No Resource Errors", Delta: s.starved}}}
				}
				err := w.see(g)
				var b *Breach
				switch broken := errors.As(err, &b); {
				case broken != (i == c.at && c.rail != ""):
					t.Fatalf("second %d: got %v, want %q in second %d", i, err, c.rail, c.at)
				case broken && !strings.HasPrefix(b.Rail, c.rail):
					t.Fatalf("got %q, want %q", b.Rail, c.rail)
				case broken:
					return
				}
			}
		})
	}
}
