package rehearsed

import (
	"fmt"
	"strings"
	"time"

	"seaworthy/internal/measure"
	"seaworthy/internal/predict"
)

// On is the element that a step changes; of another team's, what it is about.
func (s *Step) On() string {
	switch {
	case s.Host == "":
		return s.Element
	case s.Element == "":
		return s.Host
	}
	return s.Host + ":" + s.Element
}

// Mark is the letter of a step in the time line.
func Mark(i int) string {
	const letters = "abcdefghijklmnopqrstuvwxyz"
	if i < len(letters) {
		return letters[i : i+1]
	}
	return fmt.Sprint(i + 1)
}

// Took is how long a step took, in s; empty: it was not made.
func (s *Step) Took() string {
	if s.Began.IsZero() || s.Ended.IsZero() {
		return ""
	}
	return fmt.Sprintf("%.1f", s.Ended.Sub(s.Began).Seconds())
}

// Milliseconds of the longest gap; 0 if no gap was longer than what the machine makes.
func (s *Step) Milliseconds(noise time.Duration) string {
	if s.Longest <= noise {
		return "0"
	}
	return fmt.Sprint(s.Longest.Milliseconds())
}

// FeltBy names the pairs that a step interrupted.
func (s *Step) FeltBy() string {
	switch n := len(s.Felt); {
	case n == 0:
		return "nobody"
	case n <= 2:
		return strings.Join(s.Felt, ", ")
	default:
		return fmt.Sprintf("%s and %d more pairs", s.Felt[0], n-1)
	}
}

// Verdict says whether a step was as planned, or its state if it was not made.
func (s *Step) Verdict() string {
	switch {
	case len(s.Worse) > 0 && s.State != "done":
		return "NO, " + s.State
	case len(s.Worse) > 0:
		return "NO"
	case s.State != "done":
		return s.State
	}
	return "yes"
}

// Round is a time as people read it.
func Round(d time.Duration) string {
	if d < time.Second {
		return fmt.Sprintf("%d ms", d.Milliseconds())
	}
	return fmt.Sprintf("%.1f s", d.Seconds())
}

// Measured is the class of outage that a step had: none, or the shortest of 1 s, 10 s and 30 s that its longest gap
// fits into. Noise is the longest gap that says nothing.
func (s *Step) Measured(noise time.Duration) string {
	switch {
	case s.Longest <= noise && len(s.Broke) == 0:
		return "none"
	case s.Longest <= time.Second:
		return "up to 1 s"
	case s.Longest <= 10*time.Second:
		return "up to 10 s"
	case s.Longest <= 30*time.Second:
		return "up to 30 s"
	}
	return "longer"
}

// Has says whether a step was carried out during the trial.
func (t TimeLine) Has(s Step) bool {
	return !s.Began.IsZero() && !s.Began.Before(t.Started) && s.Began.Before(t.Ended)
}

// Label is the figure's name with its unit.
func (f Figure) Label() string {
	switch f.Name {
	case measure.Throughput:
		return "throughput, Mbit/s"
	case measure.Transactions:
		return "transactions/s"
	}
	return "cores of the path"
}

// Text is a value in the figure's unit.
func (f Figure) Text(value *float64) string {
	switch {
	case value == nil:
		return "–"
	case f.Name == measure.Throughput:
		return fmt.Sprintf("%.0f", *value/1e6)
	case f.Name == measure.Transactions:
		return fmt.Sprintf("%.0f", *value)
	}
	return fmt.Sprintf("%.2f", *value)
}

// Around is an estimate with its bounds.
func (f Figure) Around(e *predict.Estimate) string {
	if e == nil {
		return "–"
	}
	return fmt.Sprintf("%s (%s to %s)", f.Text(&e.Median), f.Text(&e.Low), f.Text(&e.High))
}

// Ending says in brief which values a trial ended with.
func (p Phase) Ending() string {
	if p.Values != OldValues && p.Values != NewValues {
		return "neither the old nor the new values"
	}
	return p.Values
}

// AsPlanned says whether a trial ended as it must.
func (p Phase) AsPlanned() string {
	if p.OK() {
		return "yes"
	}
	return "NO"
}
