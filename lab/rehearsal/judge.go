package rehearsal

// What a step may cost, and what it did.

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"seaworthy/internal/app/rehearsed"
	"seaworthy/internal/change/execute"
	"seaworthy/internal/change/plan"
	"seaworthy/internal/inventory/model"
	"seaworthy/internal/knowledge"
	"seaworthy/lab/watch"
)

// longest is how long traffic may stop for a class, at most; zero: not at all. The words of the class
// (knowledge.Class.Outage) say "some seconds" for O2 and O3 and "up to 30 s" for O5.
var longest = map[knowledge.Class]time.Duration{
	knowledge.O0: 0,
	knowledge.O1: 0,
	knowledge.O2: 10 * time.Second,
	knowledge.O3: 10 * time.Second,
	knowledge.O4: 0, // the reboot is not the step's
	knowledge.O5: 30 * time.Second,
	knowledge.O6: 10 * time.Second,
}

// settle is how long after a step its traffic may still come back: a step is done when the host says so, and
// the next one waits at least for the reading back.
const settle = 250 * time.Millisecond

// failover is how long a lab's SEA takes at most to take over from another that is there.
const failover = 100 * time.Millisecond

// askedAgain is when a neighbour is asked again that did not answer while the step lasted: Linux does so after a second
// (retrans_time_ms of net.ipv4.neigh), and until then no packet leaves for it.
const askedAgain = time.Second

// gap is one that a pair had.
type gap struct {
	watch.Gap
	pair *between
}

// attribute gives each gap to the step during which it began. What began outside all steps is returned.
func attribute(steps []Step, gaps []gap, platform func(host string) model.Platform) (of map[int][]gap, outside []gap) {
	of = map[int][]gap{}
	for _, g := range gaps {
		at := stepAt(steps, g, platform)
		if at < 0 {
			outside = append(outside, g)
			continue
		}
		of[at] = append(of[at], g)
	}
	return of, outside
}

// stepAt finds the step during which a gap began: of several at the same time one whose host the pair can
// feel, and of these the one that began last.
func stepAt(steps []Step, g gap, platform func(host string) model.Platform) int {
	found, felt := -1, false
	for i, s := range steps {
		if s.Began.IsZero() || g.Start.Add(watch.Interval).Before(s.Began) || g.Start.After(s.Ended.Add(settle)) {
			continue
		}
		feels := g.pair.feels(s.Host, platform(s.Host))
		if found < 0 || feels && !felt || feels == felt && s.Began.After(steps[found].Began) {
			found, felt = i, feels
		}
	}
	return found
}

// judge fills in what a step cost. Noise is the longest gap of an idle copy: shorter ones say nothing. Away finds the
// step that kept the partner of the step's host from taking over; nil: there is none.
func judge(s *Step, gaps []gap, noise time.Duration, platform model.Platform, away func(gap) *Step) {
	by := map[string]time.Duration{}
	said := map[string]bool{} // both directions of a pair have a gap: the longer one counts
	longestFirst := func(a, b gap) int { return cmp.Compare(b.Long, a.Long) }
	for _, g := range slices.SortedStableFunc(slices.Values(gaps), longestFirst) {
		name := g.pair.name()
		s.Lost += g.Lost
		s.Longest = max(s.Longest, g.Long)
		by[name] = max(by[name], g.Long)
		if g.Long <= noise {
			continue
		}
		if s.Host != "" && !g.pair.feels(s.Host, platform) {
			s.Others = append(s.Others, name)
		}
		why := weigh(s, g, noise, platform, away(g))
		if why != "" && !said[name+why] {
			said[name+why] = true
			s.Worse = append(s.Worse, fmt.Sprintf("%s was cut off for %s%s", name, rehearsed.Round(g.Long), why))
		}
	}
	for name, long := range by {
		if long > noise {
			s.Felt = append(s.Felt, fmt.Sprintf("%s %s", name, rehearsed.Round(long)))
		}
	}
	slices.SortFunc(s.Felt, model.Natural)
	slices.SortFunc(s.Others, model.Natural)
	s.Others = slices.Compact(s.Others)
}

// weigh holds one gap against what the step may cost, and says why it is too much; empty: it is not.
func weigh(s *Step, g gap, noise time.Duration, platform model.Platform, away *Step) string {
	limit := longest[knowledge.Class(s.Class)]
	own := g.pair.isEnd(s.Host)
	switch {
	case s.Pending:
		limit = 0
	case s.Class == string(knowledge.O4) && own:
		return "" // its own partition is away as long as it boots
	case s.Class == string(knowledge.O4) && g.pair.redundant[s.Host]:
		limit = longest[knowledge.O5] // the other VIOS takes over
	}
	switch {
	case away != nil:
		return fmt.Sprintf(": %s, which stands in for %s, was not back from %s", away.Host, s.Host, away.ID)
	case s.Host != "" && !g.pair.feels(s.Host, platform):
		return fmt.Sprintf(", which %s does not carry", s.Host)
	case limit == 0:
		return fmt.Sprintf("; class %s says: %s", s.Class, s.Outage)
	case g.Long > limit:
		return fmt.Sprintf("; class %s is at most %s", s.Class, limit)
	case g.End().After(s.Ended.Add(settle + askedAgain + noise)):
		return ", and was not back when the step ended"
	}
	return ""
}

// describe is what a step changes, in words.
func describe(s plan.Step) string {
	if s.Manual != nil {
		return s.Manual.What
	}
	var out []string
	for _, c := range s.Changes {
		out = append(out, fmt.Sprintf("%s: %s", c.Attr, c))
	}
	return strings.Join(out, "; ")
}

// stepsOf are the steps of a plan as a run carried them out; nil: it did not begin.
func stepsOf(p *plan.Plan, run *execute.Run) (steps []Step) {
	for i, s := range p.Steps {
		step := Step{ID: s.ID, Host: s.Host, Element: s.Element, What: describe(s), Class: s.Class, Outage: s.Outage,
			Pending: s.Pending, State: "waiting"}
		if s.Manual != nil {
			step.Element = "switch ports"
		}
		if run != nil {
			of := run.Steps[i]
			step.Began, step.Ended, step.State = of.Began, of.Ended, of.State
		}
		steps = append(steps, step)
	}
	return steps
}

// judge says what each step cost, and adds the steps to the result.
func (r *rehearsal) judge(steps []Step, seen watch.Result) {
	var gaps []gap
	for i, one := range seen.Pairs {
		for _, g := range one.Gaps {
			gaps = append(gaps, gap{g, &r.pairs[i]})
		}
	}
	platform := func(host string) model.Platform {
		if h := r.hosts[host]; h != nil {
			return h.Platform
		}
		return ""
	}
	of, outside := attribute(steps, gaps, platform)
	for i := range steps {
		away := func(g gap) *Step { return r.away(steps, of, i, g) }
		judge(&steps[i], of[i], r.result.Noise, platform(steps[i].Host), away)
	}
	for _, g := range outside {
		if g.Long > r.result.Noise {
			line := fmt.Sprintf("%s for %s at %s", g.pair.name(), rehearsed.Round(g.Long), g.Start.Format("15:04:05.000"))
			r.result.Outside = append(r.result.Outside, line)
		}
	}
	r.broken(steps, seen, platform)
	r.result.Steps = append(r.result.Steps, steps...)
}

// away finds the step that kept a VIOS from standing in for another, whose step cut a pair off: it was under way, or the
// VIOS could not be reached since. Steps that interrupt nothing do not count, nor does a cut as short as a failover's.
func (r *rehearsal) away(steps []Step, gaps map[int][]gap, of int, g gap) *Step {
	host := steps[of].Host
	if !interrupts(&steps[of]) || !g.pair.redundant[host] || g.pair.isEnd(host) || g.Long <= failover {
		return nil
	}
	for i := range steps {
		s := &steps[i]
		if s.Host == host || g.pair.isEnd(s.Host) || !interrupts(s) || !g.pair.redundant[s.Host] ||
			r.hosts[s.Host].MachineID != r.hosts[host].MachineID {
			continue
		}
		unreached := slices.ContainsFunc(gaps[i], func(own gap) bool {
			return own.pair.isEnd(s.Host) && own.Start.Before(steps[of].Began) && own.End().After(g.Start.Add(failover))
		})
		if unreached || s.Began.Before(g.End()) && s.Ended.After(g.Start) {
			return s
		}
	}
	return nil
}

// interrupts says whether a step of its class may stop traffic when it is made.
func interrupts(s *Step) bool {
	return !s.Pending && !s.Began.IsZero() && s.Class != string(knowledge.O0) && s.Class != string(knowledge.O1)
}

// broken names the connections that a step broke. Those of a host that reboots end on a real host; here
// their sockets are the lab's.
func (r *rehearsal) broken(steps []Step, seen watch.Result, platform func(string) model.Platform) {
	for i, one := range seen.Pairs {
		if one.Stream.Error == "" {
			continue
		}
		at := stepAt(steps, gap{watch.Gap{Start: one.Stream.Broke}, &r.pairs[i]}, platform)
		line := fmt.Sprintf("%s: %s", r.pairs[i].name(), one.Stream.Error)
		if at < 0 {
			r.result.Outside = append(r.result.Outside, "TCP connection "+line)
			continue
		}
		steps[at].Broke = append(steps[at].Broke, line)
		steps[at].Worse = append(steps[at].Worse, fmt.Sprintf("the TCP connection of %s broke: %s", r.pairs[i].name(), one.Stream.Error))
	}
}
