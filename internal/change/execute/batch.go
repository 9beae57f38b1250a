package execute

import (
	"fmt"
	"slices"
	"strings"

	"seaworthy/internal/change/plan"
	"seaworthy/internal/inventory/model"
)

// batch is steps of a plan, by their places in it, that are taken at the same time.
type batch struct {
	steps  []int
	canary bool // the last of the host that comes first, before those of others that could have come with it
}

// batchesOf are the steps of a plan in the order in which they are taken: those of one stage
// together, or one by one. Wherever hosts that are no VIOSes take their turn, the steps of the
// host that comes first are taken before those of the others: these do not depend on each
// other, while what a VIOS does before or after them stays where it is.
func batchesOf(p *plan.Plan, oneByOne bool, first string) []batch {
	if first == "" {
		all := make([]int, len(p.Steps))
		for i := range all {
			all[i] = i
		}
		return together(p, all, oneByOne)
	}
	var out []batch
	for _, run := range clientRuns(p) {
		own, others := run, []int(nil)
		if movable(p.Steps[run[0]]) {
			isOwn := func(place int) bool { return p.Steps[place].Host == first }
			own = slices.DeleteFunc(slices.Clone(run), func(place int) bool { return !isOwn(place) })
			others = slices.DeleteFunc(slices.Clone(run), isOwn)
		}
		out = append(out, together(p, own, oneByOne)...)
		if len(own) > 0 && len(others) > 0 {
			out[len(out)-1].canary = true
		}
		out = append(out, together(p, others, oneByOne)...)
	}
	return out
}

// checkFirst says why a host cannot come first; nil: it can.
func checkFirst(p *plan.Plan, first string) error {
	switch {
	case first == "":
		return nil
	case !slices.Contains(p.Hosts, first):
		return fmt.Errorf("host %s, which is to come first, has no step: the plan is for %s", first, strings.Join(p.Hosts, ", "))
	case !slices.ContainsFunc(batchesOf(p, false, first), func(b batch) bool { return b.canary }):
		return fmt.Errorf("host %s cannot come first: no step of another host could follow its own (the order of VIOSes is fixed)", first)
	}
	return nil
}

// movable says whether a step is one of a client, whose order among clients is free.
func movable(s plan.Step) bool { return s.Manual == nil && s.Platform != model.VIOS }

// clientRuns cuts a plan where steps of clients begin and end.
func clientRuns(p *plan.Plan) [][]int {
	var out [][]int
	for i, s := range p.Steps {
		if n := len(out); n > 0 && movable(s) == movable(p.Steps[out[n-1][0]]) {
			out[n-1] = append(out[n-1], i)
			continue
		}
		out = append(out, []int{i})
	}
	return out
}

// together joins neighbours that run at the same time: those of one stage, each on a host of
// its own.
func together(p *plan.Plan, places []int, oneByOne bool) []batch {
	var out []batch
	for _, i := range places {
		s := p.Steps[i]
		n := len(out)
		if n > 0 && !oneByOne && s.Stage != 0 && p.Steps[out[n-1].steps[0]].Stage == s.Stage &&
			!slices.ContainsFunc(out[n-1].steps, func(other int) bool { return p.Steps[other].Host == s.Host }) {
			out[n-1].steps = append(out[n-1].steps, i)
			continue
		}
		out = append(out, batch{steps: []int{i}})
	}
	return out
}
