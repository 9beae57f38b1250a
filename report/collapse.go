package report

import (
	"fmt"
	"reflect"
	"slices"
	"strings"

	"seaworthy/change/plan"
)

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
