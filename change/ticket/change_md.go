package ticket

import (
	"fmt"
	"strings"

	"seaworthy/change/plan"
	"seaworthy/change/task"
)

// Ticket is the text for a change ticket, in Markdown. before is the plan, with
// its restarts, that comes first; nil if none does.
func Ticket(p, before *plan.Plan) string {
	var b strings.Builder
	w := func(format string, args ...any) { fmt.Fprintf(&b, format+"\n", args...) }
	names := folders(p.Hosts)
	w("# Change: plan %s\n\nFull id: %s. No plan with other steps or commands has it.\n", p.ID, string(p.ID))
	if len(p.Steps) == 0 {
		w("Nothing is to be changed.\n")
	} else {
		on := list(p.Hosts)
		if len(p.Hosts) > manyHosts {
			on = fmt.Sprintf("%d hosts", len(p.Hosts))
		}
		w("%d steps on %s.\n", len(p.Steps), on)
		for i, s := range p.Steps {
			if s.Manual != nil {
				w("Step %d is for the %s; the others wait for it.\n", i+1, text(s.Manual.Owner))
			}
		}
	}
	summary(w, p)
	earlier := handsOf(before)
	if len(p.Conditions)+len(earlier) > 0 {
		w("## Must hold before\n")
		for _, n := range earlier {
			hand := before.Steps[n].Manual
			w("- step %d of [../CHANGE.md](../CHANGE.md), manual, %s, is done: %s; %s", n+1, text(hand.Owner), text(hand.What), list(hand.Names()))
		}
		for _, c := range p.Conditions {
			w("- %s (%s)", text(c.String()), text(c.Why))
		}
		w("")
	}
	if len(p.Steps) > 0 {
		w("## Order of work\n")
		w("The scripts check first that a host is still as it was when the plan was made. %s Run them in this order:\n", carry)
		for i, line := 0, 1; i < len(p.Steps); line++ {
			h, from := p.Steps[i].Host, i
			for i < len(p.Steps) && p.Steps[i].Host == h {
				i++
			}
			if hand := p.Steps[from].Manual; hand != nil {
				w("%d. manual, %s: step %d, the switch ports. It comes before all that follows.", line, text(hand.Owner), from+1)
				i = from + 1
				continue
			}
			w("%d. %s: `sh %s/implement.sh%s`", line, text(h), names[h], numbers(from, i))
		}
		w("\n`sh verify.sh` on each host then reads everything back.\n")
		for _, x := range p.Proofs {
			w("- it proves that %s", text(x.String()))
		}
		if len(p.Proofs) > 0 {
			w("")
		}
		restarts(w, p)
		if p.Next != nil {
			w("After that: [%s/CHANGE.md](%s/CHANGE.md).\n", afterRestart, afterRestart)
		}
		w("## Backout\n")
		w("In the reverse order, on every host where a step was begun:\n")
		for i := len(p.Steps); i > 0; {
			h, to := p.Steps[i-1].Host, i
			for i > 0 && p.Steps[i-1].Host == h {
				i--
			}
			if p.Steps[i].Manual != nil {
				w("- manual: the switch ports may stay as they are, since ports that pass larger packets than are sent do no harm")
				continue
			}
			w("- %s: `sh %s/backout.sh%s`", text(h), names[h], numbers(i, to))
		}
		w("")
		w("## Steps\n")
		for i := range p.Steps {
			step(w, p, i)
		}
	}
	if len(p.Refused) > 0 {
		w("## Not in this plan\n")
		for _, r := range p.Refused {
			w("- %s %s: %s=%s: %s", text(r.Setting.Host), text(r.Setting.Element), text(r.Setting.Attr), code(r.Setting.Value), text(r.Reason))
		}
		w("")
	}
	return b.String()
}

func summary(w func(string, ...any), p *plan.Plan) {
	if len(p.Parts) == 0 {
		return
	}
	when := map[plan.Window]string{
		plan.ManualWork: "manual, before",
		plan.AnyTime:    "at any time", plan.Bounce: "in a window: traffic stops for a moment", plan.Restart: "written now, in force " +
			"after a restart",
	}
	w("| when | steps | hosts | highest class | what users notice |\n|---|---|---|---|---|")
	for _, part := range p.Parts {
		w("| %s | %d | %s | %s | %s |", when[part.Window], part.Steps, list(part.Hosts), part.Worst, text(part.Outage))
	}
	w("")
}

// manyHosts is how many are counted and not named in a headline.
const manyHosts = 8

// carry says how the scripts get to their hosts.
const carry = "Each runs on its host as root: copy the folder there, or send a script over a session (`ssh HOST 'sh -s STEP...' < FILE`)."

// handsOf are the places of a plan's manual steps.
func handsOf(p *plan.Plan) []int {
	var at []int
	for i := 0; p != nil && i < len(p.Steps); i++ {
		if p.Steps[i].Manual != nil {
			at = append(at, i)
		}
	}
	return at
}

// restarts are the plan's, each with what its steps say of it.
func restarts(w func(string, ...any), p *plan.Plan) {
	hosts := p.Restarts()
	if len(hosts) == 0 {
		return
	}
	w("Then restart, one after the other, when the one before is back and its links are up:\n")
	for i, h := range hosts {
		w("%d. %s", i+1, text(h))
		said := map[string]bool{}
		for _, s := range p.Steps {
			for _, note := range s.Notes {
				if s.Host == h && s.Pending && !said[note] {
					said[note] = true
					w("   - %s", text(note))
				}
			}
		}
	}
	w("")
}

func numbers(from, to int) string {
	var s string
	for n := from + 1; n <= to; n++ {
		s += fmt.Sprintf(" %d", n)
	}
	return s
}

func step(w func(string, ...any), p *plan.Plan, i int) {
	n, s := i+1, p.Steps[i]
	if s.Manual != nil {
		handStep(w, p, i)
		return
	}
	w("### %d. %s %s (%s: %s)\n", n, text(s.Host), text(s.Element), s.Class, text(s.Outage))
	for _, c := range s.Changes {
		w("- %s: %s → %s", text(c.Name()), code(c.Before.String()), code(c.After.String()))
	}
	if len(s.Why) > 0 {
		w("- why: %s", text(strings.Join(s.Why, ", ")))
	}
	for _, c := range s.Needs {
		w("- look right before: %s (%s)", text(c.String()), text(c.Why))
	}
	for _, note := range s.Notes {
		w("- note: %s", text(note))
	}
	w("\nDo, verify, undo:\n")
	for _, l := range s.Do {
		w("    %s", task.Comment(l))
	}
	for _, c := range s.Verify {
		w("    %s   # %s", task.Comment(c.Command), task.Comment(c.Want))
	}
	for _, l := range s.Undo {
		w("    %s", task.Comment(l))
	}
	w("")
}

// handStep is for those who own the switch: all that they need is here.
func handStep(w func(string, ...any), p *plan.Plan, i int) {
	n, s, b := i+1, p.Steps[i], p.Steps[i].Manual
	w("### %d. manual, %s: %s (%s: %s)\n", n, text(b.Owner), text(s.Element), s.Class, text(s.Outage))
	w("%s:\n", text(b.What))
	w("| port at the other end of the cable | address there | location | |\n|---|---|---|---|")
	for _, x := range b.Ports {
		w("| %s | %s | %s | %s |", text(x.At.String()), text(x.MAC), text(x.Location), text(x.Note))
	}
	w("\nThe switch finds the port by the address (show mac address-table address …).\n")
	switch {
	case len(b.Proofs) > 0:
		w("Then packets of %d bytes pass:\n", b.MTU)
	case len(p.Proofs) == 0 && p.Next != nil && len(p.Next.Proofs) > 0:
		w("No interface sends packets of %d bytes yet: verify.sh of [%s](%s/CHANGE.md) proves that they pass.", b.MTU, afterRestart, afterRestart)
	case len(p.Proofs) == 0:
		w("No interface of this plan sends packets of %d bytes: nothing here proves that they pass.", b.MTU)
	default:
		w("No interface sends packets of %d bytes yet: verify.sh proves that they pass when the hosts are done.", b.MTU)
	}
	for _, x := range b.Proofs {
		w("    %s   # on %s", task.Comment(x.Command), task.Comment(x.Host))
	}
	w("")
}

func list(hosts []string) string {
	var out []string
	for _, h := range hosts {
		out = append(out, text(h))
	}
	return strings.Join(out, ", ")
}

// text takes the meaning out of Markdown's and HTML's characters.
func text(s string) string {
	s = task.Comment(s)
	return strings.NewReplacer("\\", "\\\\", "`", "\\`", "*", "\\*", "_", "\\_", "[", "\\[", "]", "\\]", "<", "&lt;", "&", "&amp;",
		"|", "\\|", "#", "\\#").Replace(s)
}

// code is a span of code, fenced by more backquotes than it holds.
func code(s string) string {
	s = task.Comment(s)
	fence := "`"
	for strings.Contains(s, fence) {
		fence += "`"
	}
	if fence == "`" {
		return fence + s + fence
	}
	return fence + " " + s + " " + fence
}
