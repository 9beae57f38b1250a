package measure

import (
	"math"
	"slices"
	"testing"

	"seaworthy/internal/measure/probe/load"
	"seaworthy/internal/parse/load/iperf3"
)

// A course of a file that cannot be drawn counts as none.
func TestCourseOf(t *testing.T) {
	v := 1.0
	for c, want := range map[*Course]string{
		nil: "", {}: "",
		{Until: []float64{1, 2}, Rates: []float64{5, 6}}:  Throughput,
		{Until: []float64{1}, Rates: []float64{5, 6}}:     "",
		{Until: []float64{2, 1}, Rates: []float64{5, 6}}:  "",
		{Until: []float64{1, 2}, Rates: []float64{5, -6}}: "",
	} {
		trial := Trial{Measure: Measure{BPS: &v, Course: c}}
		if got := trial.CourseOf(); got != want {
			t.Errorf("%+v: got %q, want %q", c, got, want)
		}
	}
}

func TestCourse(t *testing.T) {
	s := &load.Samples{Seconds: []float64{0.5, 1.5}, Counts: []uint64{100, 100}}
	if c := course(s, load.Stream); c.Rates[0] != 1600 || c.Rates[1] != 0 || c.Until[1] != 1.5 {
		t.Errorf("a stall: got %+v, want 1600 bit/s, then 0", c)
	}
	if c := course(s, load.RequestResponse); c.Rates[0] != 200 {
		t.Errorf("transactions: got %+v, want 200/s", c)
	}
	for _, bad := range []*load.Samples{nil, {}, {Seconds: []float64{1}, Counts: []uint64{2, 3}}, {Seconds: []float64{1, 2}, Counts: []uint64{3, 2}}} {
		if c := course(bad, load.Stream); c != nil {
			t.Errorf("%+v: got %+v, want none", bad, c)
		}
	}
}

// A tool's last interval may be a few microseconds long: no rate is taken of it alone.
func TestShortRest(t *testing.T) {
	c := course(ofIperf3([]iperf3.Interval{{Start: 0.1, End: 1.1, Bytes: 100}, {Start: 1.1, End: 2.1, Bytes: 50}, {Start: 2.1, End: 2.1001, Bytes: 50}}), load.Stream)
	if want := []float64{800, 800}; len(c.Until) != 2 || math.Abs(c.Until[1]-2.0001) > 1e-9 || !slices.Equal(c.Rates, want) {
		t.Errorf("got %+v, want the rest joined to the second interval", c)
	}
	if c := course(ofIperf3(nil), load.Stream); c != nil {
		t.Errorf("without intervals: got %+v, want none", c)
	}
}
