package report

import (
	"fmt"
	"reflect"
	"slices"
	"strings"

	"seaworthy/catalog"
	"seaworthy/change/plan"
)

// Plan prints the steps of a plan with their exact commands.
func Plan(p *Printer, plan *plan.Plan) {
	switch {
	case len(plan.Steps) == 0 && len(plan.Refused) == 0:
		p.Line("Nothing to change.")
	case len(plan.Steps) == 0:
		p.Line("Nothing can be planned.")
	default:
		p.Line("Plan %s: %s on %s", plan.ID, Plural(len(plan.Steps), "step"), hosts(plan.Hosts))
	}
	steps(p, plan)
	for ; plan.Next != nil; plan = plan.Next {
		p.Line("")
		p.Line("After the restart of %s, run apply again: plan %s, %s on %s", strings.Join(plan.Restarts(), ", "),
			plan.Next.ID, Plural(len(plan.Next.Steps), "step"), hosts(plan.Next.Hosts))
		steps(p, plan.Next)
	}
}

func steps(p *Printer, plan *plan.Plan) {
	for _, c := range plan.Conditions {
		p.Prose("requires", fmt.Sprintf("%s: %s", c, c.Why))
	}
	for i, n := 0, 0; i < len(plan.Steps); i += n {
		s := plan.Steps[i]
		n = 1
		p.Line("")
		if s.Manual != nil {
			manualStep(p, i+1, s)
			continue
		}
		if n = alike(plan.Steps[i:]); n < minCollapsed {
			n = 1
			p.Line("%s  %s %s  %s", p.Style("head", fmt.Sprintf("%d.", i+1)), s.Host, s.Element, outage(s))
		} else {
			s = collapse(plan.Steps[i : i+n])
			p.Line("%s  %s of %d hosts  %s", p.Style("head", fmt.Sprintf("%d.–%d.", i+1, i+n)), s.Element, n, outage(s))
			p.Prose("on", Safe(s.Host))
		}
		for _, c := range s.Changes {
			p.Prose("change", fmt.Sprintf("%s: %s → %s", c.Name(), c.Before, c.After))
		}
		lines(p, "do", s.Do)
		for _, v := range s.Verify {
			lines(p, "verify", []string{fmt.Sprintf("%s   # %s", v.Command, v.Want)})
		}
		lines(p, "undo", s.Undo)
		p.Prose("why", catalog.BuiltIn().Reason(s.Why))
		p.Prose("note", s.Notes...)
	}
	if len(plan.Proofs) > 0 {
		p.Line("")
	}
	for _, x := range plan.Proofs {
		lines(p, "test", []string{fmt.Sprintf("%s   # on %s: %d bytes reach %s unfragmented", x.Command, x.Host, x.Bytes, x.Peer)})
	}
	if len(plan.Refused) > 0 {
		p.Line("")
		p.Line("Not planned:")
		for _, r := range plan.Refused {
			p.Prose("", r.String())
		}
	}
}

// manualStep prints a step that somebody else does.
func manualStep(p *Printer, n int, s plan.Step) {
	p.Line("%s  manual, %s: %s  %s", p.Style("head", fmt.Sprintf("%d.", n)), s.Manual.Owner, s.Element, outage(s))
	p.Prose("do", s.Manual.What)
	label := "ports"
	for _, x := range s.Manual.Ports {
		p.Prose(label, Safe(x.String()))
		label = ""
	}
	for _, x := range s.Manual.Proofs {
		lines(p, "check", []string{fmt.Sprintf("%s   # on %s", x.Command, x.Host)})
	}
	p.Prose("why", catalog.BuiltIn().Reason(s.Why))
	note := "apply continues if these packets already pass, otherwise with --done " + s.ID
	if len(s.Manual.Proofs) == 0 {
		note = "no interface sends such packets yet, so apply continues only with --done " + s.ID
	}
	p.Prose("note", note+"; it tests them on the first interfaces with the new MTU before it changes the next")
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
