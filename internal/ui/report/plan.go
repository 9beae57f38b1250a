package report

import (
	"fmt"
	"reflect"
	"slices"
	"strings"

	"seaworthy/internal/change/execute"
	"seaworthy/internal/change/plan"
	"seaworthy/internal/change/task"
	"seaworthy/internal/change/watchdog"
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

// Windows prints when the steps of a plan and of what follows its restarts can
// be made, what that costs, and what the outage classes mean.
func Windows(p *Printer, first *plan.Plan) { p.Lay("windows", first) }

// Total sums a plan up in a sentence: how much it changes, where, and what the
// worst of it costs.
func Total(of *plan.Plan) string {
	changes, manual, worst := 0, 0, plan.Step{}
	var restarts []string
	hosts := of.AllHosts()
	for ; of != nil; of = of.Next {
		for _, s := range of.Steps {
			if s.Manual != nil {
				manual++
				continue
			}
			changes += len(s.Changes)
			if s.Class > worst.Class {
				worst = s
			}
		}
		if of.Next != nil {
			restarts = append(restarts, of.Restarts()...)
		}
	}
	text := fmt.Sprintf("%s on %s", Plural(changes, "change"), Plural(len(hosts), "host"))
	if manual > 0 {
		text += " and " + Plural(manual, "manual step")
	}
	switch {
	case worst.Class == "":
	case strings.HasPrefix(worst.Outage, "none"):
		text += ", no outage"
	default:
		text += ", worst outage: " + worst.Outage
	}
	if len(restarts) > 0 {
		text += "; in two parts, around a restart of " + strings.Join(restarts, ", ")
	}
	return text
}

// outageClasses explains the classes, mildest first.
var outageClasses = [][2]string{
	{"O0", "no outage"},
	{"O1", "no outage; only new connections benefit"},
	{"O2", "the interface goes down for seconds"},
	{"O3", "the adapter is unconfigured, or the value waits for a reboot"},
	{"O4", "the partition reboots"},
	{"O5", "SEA failover, or a step on both VIOSes in order"},
	{"O6", "coordinated with the switch and every host of the VLAN"},
}

// outagesOf explains the outage classes that a plan has.
func outagesOf(of *plan.Plan) [][2]string {
	var used []string
	for ; of != nil; of = of.Next {
		for _, s := range of.Steps {
			used = append(used, s.Class)
		}
	}
	return slices.DeleteFunc(slices.Clone(outageClasses), func(c [2]string) bool { return !slices.Contains(used, c[0]) })
}

// Run prints what became of a plan's steps.
func Run(p *Printer, r *execute.Run) { p.Lay("run", r) }

// moods are how the outcomes look; any other is bad.
var moods = map[execute.Outcome]string{execute.Applied: "good", execute.Pending: "medium"}

// changed are what a step found and what it set, in words.
func changed(all []task.Change) string {
	var out []string
	for _, c := range all {
		out = append(out, fmt.Sprintf("%s: %s → %s", c.Name(), c.Before, c.After))
	}
	return strings.Join(out, "; ")
}

// Runs lists runs, one a line.
func Runs(p *Printer, runs []execute.Run, short map[string]string) {
	p.Lay("runs", map[string]any{"Runs": runs, "Short": short})
}

// PendingRuns prints what hosts report on the runs that their watchdogs hold.
func PendingRuns(p *Printer, states []watchdog.State) { p.Lay("pending", states) }
