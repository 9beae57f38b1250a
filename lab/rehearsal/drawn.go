package rehearsal

import (
	"time"

	"seaworthy/internal/ui/chart"
	"seaworthy/lab/watch"
)

// drawn is the time line of a trial, for a page: every pair that lost packets, and one that did not
// as the measure of the others.
func drawn(r *Result, of TimeLine) *chart.Timeline {
	began := of.Started
	second := func(t time.Time) float64 { return t.Sub(began).Seconds() }
	c := &chart.Timeline{Name: "What each pair saw, trial " + of.Trial, Seconds: second(of.Ended)}
	for i, s := range r.Steps {
		if !of.has(s) {
			continue
		}
		c.Bands = append(c.Bands, chart.Band{Mark: mark(i), Name: on(s) + " " + s.What, From: second(s.Began), To: second(s.Ended),
			Worse: len(s.Worse) > 0})
	}
	var whole []chart.Track
	for i, one := range of.Pairs {
		track := chart.Track{Name: r.Watched[i], Gaps: gaps(one, r.Noise, second)}
		if len(track.Gaps) == 0 {
			whole = append(whole, track)
			continue
		}
		c.Tracks = append(c.Tracks, track)
	}
	if len(whole) > 0 {
		c.Tracks = append(c.Tracks, whole[0])
	}
	return c
}

// gaps are those that are longer than what the machine makes.
func gaps(one watch.Seen, noise time.Duration, second func(time.Time) float64) []chart.Gap {
	var out []chart.Gap
	for _, g := range one.Gaps {
		if g.Long > noise {
			out = append(out, chart.Gap{From: second(g.Start), To: second(g.End()), Lost: g.Lost})
		}
	}
	return out
}
