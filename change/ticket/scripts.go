package ticket

import (
	_ "embed"
	"fmt"
	"slices"
	"strings"

	"seaworthy/change/plan"
	"seaworthy/change/task"
	"seaworthy/inventory"
	"seaworthy/remote/shellword"
)

// Bodies of the scripts; the steps' functions come before them.
var (
	//go:embed choose.sh
	choose string
	//go:embed implement.sh
	implement string
	//go:embed verify.sh
	verify string
	//go:embed backout.sh
	backout string
)

// Scripts gives a host's scripts by file name. Steps carry the numbers they
// have in the plan; without arguments a script takes all of this host's.
func Scripts(p *plan.Plan, host string) map[string]string {
	steps, places := p.Of(host)
	var functions, reading strings.Builder
	var all []string
	for i, s := range steps {
		functions.WriteString("\n" + s.Functions(places[i]))
		s.Verify = lasting(p, places[i]-1)
		reading.WriteString("\n" + s.Functions(places[i]))
		all = append(all, fmt.Sprint(places[i]))
	}
	as := "root"
	if len(steps) > 0 && steps[0].Platform == inventory.VIOS {
		as = "root (on a VIOS: log in as padmin, oem_setup_env, then sh)"
	}
	write := func(what string, functions *strings.Builder, body string) string {
		return fmt.Sprintf("#!/bin/sh\n# %s\n# Plan %s, host %s. Run as %s:\n#   sh THIS-FILE [STEP...]\n# Without steps it takes all of "+
			"this host: %s.\n# Functions are called by the number of a step:\n# shellcheck disable=SC2317\n\n%s",
			what, p.ID, task.Comment(host), as, strings.Join(all, " "), task.Prelude) +
			fmt.Sprintf("steps=%s\n", shellword.Quote(strings.Join(all, " "))) +
			choose + functions.String() + body
	}
	// What was begun is noted by plan: another one has the same numbers.
	named := fmt.Sprintf("\nplan=%s", shellword.Quote(string(p.ID)))
	return map[string]string{
		"implement.sh": write("Makes the changes. Stops at the first step that fails: then run backout.sh."+hands(p, places), &functions,
			named+implement),
		"verify.sh":  write("Reads back what implement.sh changed. Changes nothing.", &reading, proving(p, host)+verify),
		"backout.sh": write("Restores the values that were there before implement.sh, last step first.", &functions, named+backout),
	}
}

// hands says what has to be done manually before a host's steps, as comment
// lines.
func hands(p *plan.Plan, places []int) string {
	var b strings.Builder
	for i, s := range p.Steps {
		if s.Manual == nil || len(places) == 0 || places[len(places)-1] < i+1 {
			continue
		}
		fmt.Fprintf(&b, "\n# Before step %d and those that follow, step %d has to be done manually by the\n# %s: %s:", i+2, i+1,
			task.Comment(s.Manual.Owner), task.Comment(s.Manual.What))
		for _, x := range s.Manual.Ports {
			fmt.Fprintf(&b, "\n#   %s", task.Comment(x.String()))
		}
	}
	return b.String()
}

// lasting are a step's checks that still hold when the plan has been carried
// out: not those of values that a later step sets again, as a failback does.
func lasting(p *plan.Plan, i int) []task.Check {
	var out []task.Check
	for _, c := range p.Steps[i].Verify {
		again := slices.ContainsFunc(p.Steps[i+1:], func(s plan.Step) bool {
			return s.Host == p.Steps[i].Host && s.Element == p.Steps[i].Element &&
				slices.ContainsFunc(s.Verify, func(o task.Check) bool { return o.Attr == c.Attr && o.Element == c.Element })
		})
		if !again {
			out = append(out, c)
		}
	}
	return out
}

// proving is the function that sends the packets which must arrive whole.
func proving(p *plan.Plan, host string) string {
	var b strings.Builder
	b.WriteString("\nbad=0\nprove() {\n\t:\n")
	for _, x := range p.Proofs {
		if x.Host == host {
			fmt.Fprintf(&b, "\tarrived %s \"$(%s)\"\n", shellword.Quote(task.Comment(x.String())), x.Command)
		}
	}
	b.WriteString("}\n")
	return b.String()
}
