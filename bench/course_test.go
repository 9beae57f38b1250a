package bench

import (
	"testing"

	"seaworthy/probe/load"
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
