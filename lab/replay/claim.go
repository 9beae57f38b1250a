package replay

import (
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
	if v.without(c, lab) {
		return v
	}
	if c.To != "" {
		v.ratio(c, pub, s)
	} else {
		v.single(c, pub, s)
	}
	if v.Answer != Holds || v.Less {
		v.explain(c, s, lab)
	}
	return v
}

// without settles a claim on something that no lab does.
func (v *Verdict) without(c Claim, lab known) bool {
	for _, a := range c.Needs {
		if e, ok := lab(a); ok && e.Outcome != effect.Kernel {
			v.Answer = NotInLab
			v.Why = append(v.Why, effectOf(a, e))
		}
	}
	if len(c.Needs) > 0 && c.Figure == "" && v.Answer != NotInLab {
		v.Why = append(v.Why, "nothing measures it yet")
		return true
	}
	return v.Answer == NotInLab
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

func (v *Verdict) ratio(c Claim, pub published, s *samples) {
	if a, b, ok := pub.both(c.Of, c.To, c.Figure); ok && b != 0 {
		r := a / b
		v.Published = &r
	}
	e, err := stats.Paired(s.ratios(c.Of, c.To, c.Figure))
	if err != nil {
		v.Why = append(v.Why, "it was not measured: "+err.Error())
		return
	}
	v.Ours = &Span{Value: e.Ratio, Low: e.Low, High: e.High, N: e.Blocks}
	if e.Low == nil {
		v.Why = append(v.Why, "one block has no interval")
		return
	}
	within := c.Within
	if within == 0 {
		within = stats.Margin
	}
	low, high := *e.Low, *e.High
	alike := low >= 1/(1+within) && high <= 1+within
	v.Answer = NotShown
	switch c.Expect {
	case Rises:
		v.settle(low > 1, high < 1 || alike)
		v.Less = v.Answer == Holds && v.Published != nil && *v.Published > 1 && e.Ratio-1 < less*(*v.Published-1)
	case Falls:
		v.settle(high < 1, low > 1 || alike)
		v.Less = v.Answer == Holds && v.Published != nil && *v.Published < 1 && 1-e.Ratio < less*(1-*v.Published)
	case Same:
		v.settle(alike, low > 1+within || high < 1/(1+within))
	case NotRises:
		v.settle(high <= 1+within, low > 1+within)
	}
	if c.Figure == bench.Cores && v.Answer == Fails && s.full(c.Of) && s.full(c.To) {
		// A full machine is as busy whatever the path would have needed.
		v.Answer = NotShown
		v.Why = append(v.Why, "all processors were busy in both cases: the cores used do not differ, only what a Gbit/s costs can")
		return
	}
	if v.Answer == NotShown {
		v.Why = append(v.Why, fmt.Sprintf("%d blocks leave it open: the 95 %% interval goes from %.2f to %.2f", e.Blocks, low, high))
	}
}

func (v *Verdict) settle(holds, fails bool) {
	switch {
	case holds:
		v.Answer = Holds
	case fails:
		v.Answer = Fails
	}
}

func (v *Verdict) single(c Claim, pub published, s *samples) {
	if x, ok := pub[c.Of][c.Figure]; ok {
		v.Published = &x
	}
	sum := s.summary(c.Of, c.Figure)
	if sum == nil {
		v.Why = append(v.Why, "it was not measured")
		return
	}
	v.Ours = &Span{Value: sum.Median, Low: sum.Low, High: sum.High, N: sum.N}
	low, high := sum.Median, sum.Median
	if sum.Low != nil {
		low, high = *sum.Low, *sum.High
	}
	limit := c.Value
	if c.Expect == Equals {
		other := s.summary(c.Of, c.Other)
		if other == nil {
			v.Why = append(v.Why, c.Other+" was not measured")
			return
		}
		if limit = other.Median; limit == 0 && sum.Median == 0 {
			v.Why = append(v.Why, "both are zero: nothing was there to be counted")
			return
		}
		v.settle(sum.Median == limit, sum.Median != limit)
	}
	v.Limit = &limit
	switch c.Expect {
	case Above:
		v.settle(low > limit, high <= limit)
	case Below:
		v.settle(high < limit, low >= limit)
	case About:
		least, most := limit*(1-c.Within), limit*(1+c.Within)
		v.settle(sum.Median >= least && sum.Median <= most, high < least || low > most)
	}
	if v.Answer == NotShown {
		v.Why = append(v.Why, fmt.Sprintf("the 95 %% interval goes from %s to %s and holds the limit, %s",
			figured(c.Figure, low), figured(c.Figure, high), figured(c.Figure, limit)))
	}
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

// explain says what held back the cases that a claim compares, and what its
// attributes do in a lab.
func (v *Verdict) explain(c Claim, s *samples, lab known) {
	for _, name := range []string{c.Of, c.To} {
		l := s.limits[name]
		if name == "" || l == nil {
			continue
		}
		for _, text := range l.describe() {
			v.Why = append(v.Why, name+": "+text)
		}
	}
	for _, a := range c.Attributes {
		if e, ok := lab(a); ok {
			v.Why = append(v.Why, effectOf(a, e))
		}
	}
}

// published are a source's figures by case.
type published map[string]map[string]float64

func (p published) both(of, to, figure string) (a, b float64, ok bool) {
	a, ok1 := p[of][figure]
	b, ok2 := p[to][figure]
	return a, b, ok1 && ok2
}
