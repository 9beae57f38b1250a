package report

import (
	"testing"

	"seaworthy/internal/measure"
	"seaworthy/internal/measure/stats"
)

// An interval that says nothing, as that of two trials which differ much, is not shown.
func TestWideIntervals(t *testing.T) {
	s := shownAs(measure.Retransmits)
	low, high, wide := 100.0, 300.0, 56119.0
	f := func(high float64) *measure.Figure {
		x := &measure.Figure{}
		x.Median, x.Low, x.High = 215.6, &low, &high
		return x
	}
	if got := s.bounds(f(high)).Text; got == "-" {
		t.Errorf("a plain interval: got %q", got)
	}
	if got := s.bounds(f(wide)).Text; got != "-" {
		t.Errorf("an interval to 56,119 around 215.6: got %q, want none", got)
	}
	one, many := 0.5, 400.0
	if got := effectBounds(&stats.Effect{Ratio: 1.2, Low: &one, High: &many}).Text; got != "-" {
		t.Errorf("an effect up to 400 times: got %q, want none", got)
	}
}
