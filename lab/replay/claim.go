package replay

import (
	"errors"
	"fmt"
	"math"

	"seaworthy/internal/measure"
	"seaworthy/internal/measure/stats"
	"seaworthy/lab/effect"
)

// effects hold what attributes do in a lab.
type effects map[Attribute]effect.Entry

// why says what an attribute does in this lab, as lab effects does; nothing if
// the lab does not know it.
func (e effects) why(a Attribute) []string {
	x, ok := e[a]
	if !ok {
		return nil
	}
	only := ""
	if x.Outcome != effect.Kernel {
		only = fmt.Sprintf(" is %s only", x.Outcome)
	}
	return []string{fmt.Sprintf("%s%s in this lab: %s", a.Name, only, x.What)}
}

// lacks says why a claim has nothing to be measured in this lab.
func (e effects) lacks(c Claim) (why []string) {
	if c.Absent != "" {
		return []string{c.Absent}
	}
	for _, a := range c.Needs {
		if e[a].Outcome != effect.Kernel {
			why = append(why, e.why(a)...)
		}
	}
	return why
}

// judgeClaim says whether a claim holds in what was measured.
func judgeClaim(c Claim, published, ours *samples, lab effects) Verdict {
	v := Verdict{Claim: c, Answer: NotShown}
	v.Why = lab.lacks(c)
	if v.Why != nil {
		v.Answer = NotInLab
		return v
	}
	if theirs, err := published.span(c); err == nil {
		v.Published = &theirs.Value
	}
	var err error
	if v.Ours, err = ours.span(c); err != nil {
		v.because("it was not measured: %v", err)
	} else {
		v.decide(ours)
	}
	if v.Answer != Holds || v.Less {
		for _, a := range c.Attributes {
			v.Why = append(v.Why, lab.why(a)...)
		}
	}
	return v
}

func (v *Verdict) because(format string, args ...any) {
	v.Why = append(v.Why, fmt.Sprintf(format, args...))
}

// less is how much smaller an effect has to be, on the scale of its own
// distance from 1, to count as less than the source's.
const less = 0.9

// decide answers a claim by our own interval.
func (v *Verdict) decide(s *samples) {
	limit, within, ratio := v.Value, v.Within, v.To != ""
	low, high := v.Ours.Value, v.Ours.Value
	if v.Ours.Low != nil {
		low, high = *v.Ours.Low, *v.Ours.High
	} else if ratio {
		v.because("one block has no interval")
		return
	}
	if !ratio {
		v.Limit = &limit
	} else {
		limit = 1
		if within == 0 {
			within = stats.Margin
		}
	}
	least, most := limit/(1+within), limit*(1+within)
	alike := low >= least && high <= most
	var holds, fails bool
	switch v.Expect {
	case Rises, Above:
		holds, fails = low > limit, high <= limit || alike
	case Falls, Below:
		holds, fails = high < limit, low >= limit || alike
	case Same:
		holds, fails = alike, low > most || high < least
	case NotRises:
		holds, fails = high <= most, low > most
	case Equals:
		holds, fails = v.Ours.Value >= least && v.Ours.Value <= most, high < least || low > most
	}
	switch {
	case holds:
		v.Answer = Holds
		if ratio && v.Published != nil && (v.Expect == Rises || v.Expect == Falls) {
			theirs, ours := *v.Published-1, v.Ours.Value-1
			v.Less = theirs*ours > 0 && math.Abs(ours) < less*math.Abs(theirs)
		}
	case fails && ratio && v.Figure == measure.Cores && s.full(v.Of) && s.full(v.To):
		// A full machine is as busy whatever the path would have needed.
		v.because("all processors were busy in both cases: the cores used do not differ, only what a Gbit/s costs can")
	case fails:
		v.Answer = Fails
	case ratio:
		v.because("%d blocks leave it open: the 95 %% interval goes from %.2f to %.2f", v.Ours.N, low, high)
	default:
		v.because("the 95 %% interval goes from %s to %s and holds the limit, %s",
			figured(v.Figure, low), figured(v.Figure, high), figured(v.Figure, limit))
	}
}

// span is the ratio, or the figure, of a claim.
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
	case figure == measure.Throughput:
		return fmt.Sprintf("%.2f Gbit/s", v/1e9)
	case math.Abs(v) >= 100:
		return fmt.Sprintf("%.0f", v)
	}
	return fmt.Sprintf("%.3g", v)
}
