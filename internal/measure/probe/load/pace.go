package load

import (
	"sync/atomic"
	"time"

	hdr "github.com/HdrHistogram/hdrhistogram-go"
)

// pace is the schedule of a session's requests in an open load: they are due at even
// times, whether or not the earlier ones were answered. A request that is sent late
// because its session waited has waited all the same: its latency counts from when it
// was due. Without that a stall would count once, however many requests it held up
// (coordinated omission).
type pace struct {
	due   time.Time
	every time.Duration
}

// longestNap bounds how late a waiting session sees that its load has been stopped.
const longestNap = 20 * time.Millisecond

// newPace spreads the sessions' requests over the time between two of one session.
func newPace(s *Spec, session int, from time.Time) *pace {
	if s.Rate == 0 {
		return nil
	}
	every := time.Duration(float64(s.Connections) / s.Rate * float64(time.Second))
	return &pace{due: from.Add(every * time.Duration(session) / time.Duration(s.Connections)), every: every}
}

// wait returns when the next request is due, with that time; false once stopped.
func (p *pace) wait(stop *atomic.Bool) (due time.Time, running bool) {
	for !stop.Load() {
		left := time.Until(p.due)
		if left <= 0 {
			due, p.due = p.due, p.due.Add(p.every)
			return due, true
		}
		nap(min(left, longestNap))
	}
	return time.Time{}, false
}

// owed records the requests that were due in the measured interval and never answered, with
// the time that they had waited for when the load ended, and says how many they were.
func (p *pace) owed(l *Load, under time.Time, into *hdr.Histogram) (n int64) {
	now := time.Now()
	if !under.IsZero() && l.inInterval(under) {
		record(into, now.Sub(under))
		n++
	}
	for due := p.due; due.Before(now) && !l.after(due); due = due.Add(p.every) {
		if l.inInterval(due) {
			record(into, now.Sub(due))
			n++
		}
	}
	return n
}

func record(into *hdr.Histogram, d time.Duration) {
	// Longer ones than the range are kept as its end.
	_ = into.RecordValue(min(d.Nanoseconds(), latencyMax))
}

// inInterval says whether a time lies in the measured interval, as far as that has gone.
func (l *Load) inInterval(at time.Time) bool {
	from := l.from.Load()
	return from != nil && !at.Before(*from) && !l.after(at)
}

// after says whether a time lies beyond the measured interval's end.
func (l *Load) after(at time.Time) bool {
	to := l.to.Load()
	return to != nil && at.After(*to)
}
