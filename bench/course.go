package bench

import (
	"math"
	"slices"

	"seaworthy/dialect/load/iperf2"
	"seaworthy/dialect/load/iperf3"
	"seaworthy/probe/load"
)

// course turns counts into rates; nil if a helper of another version, or a tool,
// gave none.
func course(s *load.Samples, kind load.Kind) *Course {
	if s == nil || len(s.Seconds) == 0 || len(s.Seconds) != len(s.Counts) {
		return nil
	}
	unit := 8.0 // bits of a byte
	if kind == load.RequestResponse {
		unit = 1
	}
	c := &Course{}
	at, before := 0.0, uint64(0)
	for i, t := range s.Seconds {
		if t <= at || s.Counts[i] < before {
			return nil
		}
		c.Until = append(c.Until, math.Round(t*1e4)/1e4)
		c.Rates = append(c.Rates, math.Round(unit*float64(s.Counts[i]-before)/(t-at)))
		at, before = t, s.Counts[i]
	}
	return c
}

// CourseOf names the figure that a trial's course is of; empty if it has none that
// can be drawn.
func (t *Trial) CourseOf() string {
	c, at := t.Course, 0.0
	if c == nil || len(c.Until) == 0 || len(c.Until) != len(c.Rates) {
		return ""
	}
	for i, until := range c.Until { // a file may say anything
		if until <= at || c.Rates[i] < 0 {
			return ""
		}
		at = until
	}
	if t.BPS == nil {
		return Transactions
	}
	return Throughput
}

// ofIperf3 counts what the receiving end had at the end of each interval.
func ofIperf3(intervals []iperf3.Interval) *load.Samples {
	s := &load.Samples{}
	for _, i := range intervals {
		s.Seconds, s.Counts = append(s.Seconds, i.End-intervals[0].Start), append(s.Counts, last(s.Counts)+i.Bytes)
	}
	return whole(s)
}

// ofIperf2 is the same of a text.
func ofIperf2(o *iperf2.Output) *load.Samples {
	s := &load.Samples{}
	until, carried := o.Steps()
	for i, bytes := range carried {
		s.Seconds, s.Counts = append(s.Seconds, until[i]), append(s.Counts, last(s.Counts)+uint64(bytes))
	}
	return whole(s)
}

func last(counts []uint64) uint64 {
	if len(counts) == 0 {
		return 0
	}
	return counts[len(counts)-1]
}

// whole joins the rest that a tool reports at its end, which may be too short for
// a rate, to the interval before it.
func whole(s *load.Samples) *load.Samples {
	if n := len(s.Seconds); n > 1 && s.Seconds[n-1]-s.Seconds[n-2] < s.Seconds[0]/2 {
		s.Seconds, s.Counts = slices.Delete(s.Seconds, n-2, n-1), slices.Delete(s.Counts, n-2, n-1)
	}
	return s
}
