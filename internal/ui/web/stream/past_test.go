package stream

import (
	"math"
	"testing"
	"time"

	"seaworthy/internal/collect/live"
)

// A session of days keeps its beginning and its newest minutes in bounded memory, in order, and its means are those of
// what was seen; a row that came late is unknown before.
func TestCourse(t *testing.T) {
	c := &course{}
	begin := time.Unix(0, 0)
	const readings = 20000
	for i := range readings {
		p := Point{At: begin.Add(time.Duration(i) * 2 * time.Second), Cores: map[string]float64{"lpar1": float64(i)}, Rates: map[string]live.Rates{}}
		if i >= readings/2 {
			p.Rates["/lpar1/en0"] = live.Rates{live.InBytes: 7}
		}
		c.add(p)
	}
	got := c.points()
	if len(got) > 2*keep+1 || len(got) < keep+keep/2 {
		t.Errorf("%d points are kept, want %d to %d", len(got), keep+keep/2, 2*keep+1)
	}
	if first := got[0].At.Sub(begin); first > 10*time.Minute {
		t.Errorf("the first point is %v after the beginning", first)
	}
	for i, p := range got[1:] {
		if !p.At.After(got[i].At) {
			t.Fatalf("point %d, %v, does not follow %v", i+1, p.At, got[i].At)
		}
	}
	for i, p := range got {
		if at := p.At.Sub(begin).Seconds() / 2; math.Abs(p.Cores["lpar1"]-at) > 1 {
			t.Errorf("point %d: got a mean of %g at reading %g", i, p.Cores["lpar1"], at)
		}
		rate, known := p.Rates["/lpar1/en0"][live.InBytes]
		if late := p.Cores["lpar1"] > readings/2+200; known && rate != 7 || late != known && math.Abs(p.Cores["lpar1"]-readings/2) > 200 {
			t.Errorf("point %d: got a rate of %g, known %v", i, rate, known)
		}
	}
	if newest := got[len(got)-1].Cores["lpar1"]; newest != readings-1 {
		t.Errorf("the newest point is reading %g, want the last", newest)
	}
}
