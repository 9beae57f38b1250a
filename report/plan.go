package report

import (
	"fmt"
	"reflect"
	"slices"
	"strings"

	"seaworthy/change/plan"
)

// Plan prints the steps of a plan with their exact commands.
func Plan(p *Printer, plan *plan.Plan) { p.Lay("plan", plan) }

// step is one of a plan, or several that are alike, by their numbers.
type step struct {
	plan.Step
	First, Last, Count int
}

func numbered(steps []plan.Step) (all []step) {
	for i, n := 0, 0; i < len(steps); i += n {
		s := steps[i]
		if n = alike(steps[i:]); n < minCollapsed || s.Manual != nil {
			n = 1
		} else {
			s = collapse(steps[i : i+n])
		}
		all = append(all, step{s, i + 1, i + n, n})
	}
	return all
}

// lines prints commands unwrapped, so that they can be copied.
func lines(p *Printer, label string, commands []string) {
	for _, c := range commands {
		if p.HTML {
			p.Code(strings.TrimSpace(label), c)
			label = ""
			continue
		}
		p.Line("%s%s", p.Style("dim", fmt.Sprintf("  %-11s", label)), Safe(c))
		label = ""
	}
}

// outage is what a step interrupts, in words with its class.
func outage(s plan.Step) string {
	if words, ok := strings.CutSuffix(s.Outage, ")"); ok {
		return "outage: " + words + ", " + s.Class + ")"
	}
	return "outage: " + s.Outage + " (" + s.Class + ")"
}

// minCollapsed is how many steps that differ in nothing but their host are shown
// as one, and maxNamed how many hosts are counted and not named in a headline.
const (
	minCollapsed = 4
	maxNamed     = 8
)

// alike is how many of the first steps differ in nothing but their host.
func alike(steps []plan.Step) int {
	first := bare(steps[0])
	for i, s := range steps[1:] {
		if s.Manual != nil || !reflect.DeepEqual(first, bare(s)) {
			return i + 1
		}
	}
	return len(steps)
}

// bare is a step without what differs from host to host.
func bare(s plan.Step) plan.Step {
	s.ID, s.Host, s.Why = "", "", nil
	return s
}

// collapse makes one step of several: its host is their names, its
// findings their rules.
func collapse(steps []plan.Step) plan.Step {
	one := steps[0]
	var names, rules []string
	for _, s := range steps {
		names = append(names, s.Host)
		for _, id := range s.Why {
			if rule, _, _ := strings.Cut(id, "/"); !slices.Contains(rules, rule) {
				rules = append(rules, rule)
			}
		}
	}
	one.Host, one.Why = strings.Join(names, ", "), rules
	return one
}

// hosts names them, or counts them.
func hosts(names []string) string {
	if len(names) <= maxNamed {
		return Safe(strings.Join(names, ", "))
	}
	return fmt.Sprintf("%d hosts", len(names))
}
