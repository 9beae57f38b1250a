package report

import (
	"fmt"
	"slices"
	"strings"

	"seaworthy/change/plan"
)

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
