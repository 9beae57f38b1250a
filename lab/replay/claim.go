package replay

import (
	"errors"
	"fmt"
	"math"

	"seaworthy/bench"
	"seaworthy/bench/stats"
	"seaworthy/lab/effect"
)

// known answers what an attribute does in a lab.
type known func(a Attribute) (effect.Entry, bool)

// judge says whether a claim holds in what was measured.
func judge(c Claim, pub published, s *samples, lab known) Verdict {
	v := Verdict{Claim: c.Text, Printed: c.Printed, Expect: c.Expect, Figure: c.Figure, Of: c.Of, To: c.To, Answer: NotShown}
	for _, a := range c.Needs {
		if e, ok := lab(a); ok && e.Outcome != effect.Kernel {
			v.Answer = NotInLab
			v.Why = append(v.Why, effectOf(a, e))
		}
	}
	if v.Answer == NotInLab {
		return v
	}
	v.Published = pub.of(c)
	if ours, err := s.span(c); err != nil {
		v.Why = append(v.Why, "it was not measured: "+err.Error())
	} else {
		v.Ours = ours
		v.decide(c, s)
	}
	if v.Answer != Holds || v.Less {
		for _, a := range c.Attributes {
			if e, ok := lab(a); ok {
				v.Why = append(v.Why, effectOf(a, e))
			}
		}
	}
	return v
}

// effectOf says what an attribute does in this lab, as lab effects does.
func effectOf(a Attribute, e effect.Entry) string {
	if e.Outcome == effect.Kernel {
		return fmt.Sprintf("%s in this lab: %s", a.Name, e.What)
	}
	return fmt.Sprintf("%s is %s only in this lab: %s", a.Name, e.Outcome, e.What)
}

// less is how much smaller an effect has to be, on the scale of its own
// distance from 1, to count as less than the source's.
const less = 0.9

// decide answers a claim by our own interval.
func (v *Verdict) decide(c Claim, s *samples) {
	limit, within, ratio := c.Value, c.Within, c.To != ""
	low, high := v.Ours.Value, v.Ours.Value
	if v.Ours.Low != nil {
		low, high = *v.Ours.Low, *v.Ours.High
	} else if ratio {
		v.Why = append(v.Why, "one block has no interval")
		return
	}
	alike := false
	if ratio {
		if limit = 1; within == 0 {
			within = stats.Margin
		}
		alike = low >= 1/(1+within) && high <= 1+within
	} else {
		v.Limit = &limit
	}
	var holds, fails bool
	switch c.Expect {
	case Rises, Above:
		holds, fails = low > limit, high <= limit || alike
	case Falls, Below:
		holds, fails = high < limit, low >= limit || alike
	case Same:
		holds, fails = alike, low > 1+within || high < 1/(1+within)
	case NotRises:
		holds, fails = high <= 1+within, low > 1+within
	case About:
		least, most := limit*(1-within), limit*(1+within)
		holds, fails = v.Ours.Value >= least && v.Ours.Value <= most, high < least || low > most
	}
	switch {
	case holds:
		v.Answer = Holds
		if ratio && v.Published != nil && (c.Expect == Rises || c.Expect == Falls) {
			theirs, ours := *v.Published-1, v.Ours.Value-1
			v.Less = theirs*ours > 0 && math.Abs(ours) < less*math.Abs(theirs)
		}
	case fails && ratio && c.Figure == bench.Cores && s.full(c.Of) && s.full(c.To):
		// A full machine is as busy whatever the path would have needed.
		v.Why = append(v.Why, "all processors were busy in both cases: the cores used do not differ, only what a Gbit/s costs can")
	case fails:
		v.Answer = Fails
	case ratio:
		v.Why = append(v.Why, fmt.Sprintf("%d blocks leave it open: the 95 %% interval goes from %.2f to %.2f", v.Ours.N, low, high))
	default:
		v.Why = append(v.Why, fmt.Sprintf("the 95 %% interval goes from %s to %s and holds the limit, %s",
			figured(c.Figure, low), figured(c.Figure, high), figured(c.Figure, limit)))
	}
}

// span is our own ratio, or figure, of a claim.
func (s *samples) span(c Claim) (*Span, error) {
	if c.To == "" {
		sum := s.summary(c.Of, c.Figure)
		if sum == nil {
			return nil, errors.New("no such figure")
		}
		return &Span{Value: sum.Median, Low: sum.Low, High: sum.High, N: sum.N}, nil
	}
	e, err := stats.Paired(s.ratios(c.Of, c.To, c.Figure))
	if err != nil {
		return nil, err
	}
	return &Span{Value: e.Ratio, Low: e.Low, High: e.High, N: e.Blocks}, nil
}

// figured is a figure's value with its unit.
func figured(figure string, v float64) string {
	switch {
	case figure == bench.Throughput:
		return fmt.Sprintf("%.2f Gbit/s", v/1e9)
	case math.Abs(v) >= 100:
		return fmt.Sprintf("%.0f", v)
	}
	return fmt.Sprintf("%.3g", v)
}

// published are a source's figures by case.
type published map[string]map[string]float64

// of is the source's own ratio, or figure, of a claim; nil if it has none.
func (p published) of(c Claim) *float64 {
	v, ok := p[c.Of][c.Figure]
	if c.To != "" {
		base := p[c.To][c.Figure]
		ok = ok && base != 0
		v /= base
	}
	if !ok {
		return nil
	}
	return &v
}
