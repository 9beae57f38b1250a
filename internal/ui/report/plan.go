package report

import (
	"cmp"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"time"

	"seaworthy/internal/change/execute"
	"seaworthy/internal/change/plan"
	"seaworthy/internal/change/task"
	"seaworthy/internal/change/watchdog"
	"seaworthy/internal/knowledge"
	"seaworthy/internal/ui/report/doc"
)

// Plan lists the steps of a plan with their exact commands.
func Plan(d *Document, of *plan.Plan) {
	switch {
	case len(of.Steps) > 0:
		d.Line("Plan %s: %s on %s", of.ID, Plural(len(of.Steps), "step"), hosts(of.Hosts))
	case len(of.Refused) > 0:
		d.Line("Nothing can be planned.")
	default:
		d.Line("Nothing to change.")
	}
	addSteps(d, of)
	for ; of.Next != nil; of = of.Next {
		next := of.Next
		d.Gap()
		d.Line("After the reboot of %s, run apply again: plan %s, %s on %s", plan.InTurn(of.Reboots()), next.ID,
			Plural(len(next.Steps), "step"), hosts(next.Hosts))
		addSteps(d, next)
	}
}

// addSteps adds what a plan requires, its steps, its tests and what it refused.
func addSteps(d *Document, of *plan.Plan) {
	for _, c := range of.Conditions {
		d.Prose("requires", fmt.Sprintf("%s: %s", c, c.Why))
	}
	said := map[string]int{} // cautions, by the step that has them
	for _, s := range numbered(of.Steps) {
		d.Gap()
		if s.Manual != nil {
			AddManual(d, s.Step, s.First)
			continue
		}
		addStep(d, s, said)
	}
	addTogether(d, of)
	reboots := of.Reboots()
	if len(reboots) > 1 {
		d.Gap()
		for i, host := range reboots {
			d.Prose("reboot", fmt.Sprintf("%d. %s: %s", i+1, host, strings.Join(of.ChecksAfterReboot(host), ", ")))
		}
	}
	if len(of.Proofs) > 0 {
		d.Gap()
	}
	for _, x := range of.Proofs {
		d.Commands("test", fmt.Sprintf("%s   # on %s: %d bytes reach %s unfragmented", x.Command, x.Host, x.Bytes, x.Peer))
	}
	if len(of.Refused) > 0 {
		d.Gap()
		d.Line("Not planned:")
		for _, r := range of.Refused {
			d.Prose("", r.String())
		}
	}
	d.Table(stepsTable(of))
}

// addTogether says which steps apply makes at the same time.
func addTogether(d *Document, of *plan.Plan) {
	first := 1
	said := false
	for _, stage := range of.Stages() {
		if len(stage) > 1 {
			if !said {
				d.Gap()
			}
			said = true
			d.Prose("together", fmt.Sprintf("steps %d to %d run at the same time, since traffic continues; apply --one-by-one "+
				"takes one after the other, apply --first %s that host first", first, first+len(stage)-1, stage[0].Host))
		}
		first += len(stage)
	}
}

// addStep adds a step, or several that are alike, with its commands. Cautions that an earlier step
// has are not repeated: who reads a long plan would skip the new ones with them.
func addStep(d *Document, s step, said map[string]int) {
	if s.Count == 1 {
		d.Line("%s  %s %s  %s", doc.Styled(doc.Head, fmt.Sprintf("%d.", s.First)), s.Host, s.Element, outage(s.Step))
	} else {
		d.Line("%s  %s of %d hosts  %s", doc.Styled(doc.Head, fmt.Sprintf("%d.–%d.", s.First, s.Last)), s.Element, s.Count, outage(s.Step))
		d.Prose("on", s.Host)
	}
	for _, c := range s.Changes {
		d.Prose("change", s.Describe(c))
	}
	d.Commands("do", s.Do...)
	for _, v := range s.Verify {
		d.Commands("verify", fmt.Sprintf("%s   # %s", v.Command, v.Want))
	}
	d.Commands("undo", s.Undo...)
	d.Prose("why", knowledge.BuiltIn().Reason(s.Why))
	cautions, key := s.Cautions, strings.Join(s.Cautions, "\n")
	earlier := said[key]
	switch {
	case len(cautions) > 1 && earlier > 0:
		cautions = []string{fmt.Sprintf("as for step %d", earlier)}
	case earlier == 0:
		said[key] = s.First
	}
	d.Prose("caution", cautions...)
	d.Prose("note", s.Notes...)
}

// AddManual adds a step that a person does, with what to do and how it is checked.
func AddManual(d *Document, s plan.Step, number int) {
	d.Line("%s  manual, %s: %s  %s", doc.Styled(doc.Head, fmt.Sprintf("%d.", number)), s.Manual.Owner, s.Element, outage(s))
	d.Prose("do", s.Manual.What)
	label := "ports"
	for _, port := range s.Manual.Ports {
		d.Prose(label, port.String())
		label = ""
	}
	for _, x := range s.Manual.Proofs {
		d.Commands("check", fmt.Sprintf("%s   # on %s", x.Command, x.Host))
	}
	d.Prose("why", knowledge.BuiltIn().Reason(s.Why))
	note := "no interface sends such packets yet, so apply continues only with"
	if len(s.Manual.Proofs) > 0 {
		note = "apply continues if these packets already pass, otherwise with"
	}
	d.Prose("note", fmt.Sprintf("%s --done %s; it tests them on the first interfaces with the new MTU before it changes the next",
		note, s.ID))
}

// stepsTable has a row a step, for programs that read tables.
func stepsTable(of *plan.Plan) *doc.Table {
	t := doc.NewTable("steps", doc.Left("plan"), doc.Right("step"), doc.Left("host"), doc.Left("element"), doc.Left("change"),
		doc.Left("class"), doc.Left("outage"), doc.Left("do"), doc.Left("undo"), doc.Left("why"))
	t.Media = doc.Data
	for i, s := range of.Steps {
		do := strings.Join(s.Do, "; ")
		if s.Manual != nil {
			do = "manual, " + s.Manual.Owner + ": " + s.Manual.What
		}
		t.Add(of.ID, i+1, s.Host, s.Element, changed(s.Changes), s.Class, s.Outage, do, strings.Join(s.Undo, "; "),
			strings.Join(s.Why, " "))
	}
	return t
}

// changeText is a change in words.
func changeText(c task.Change) string {
	return fmt.Sprintf("%s: %s", c.Name(), c)
}

// step is one of a plan, or several that are alike, by their numbers.
type step struct {
	plan.Step
	First, Last, Count int
}

func numbered(steps []plan.Step) (all []step) {
	for i, n := 0, 0; i < len(steps); i += n {
		s := steps[i]
		n = alike(steps[i:])
		if n < minCollapsed || s.Manual != nil {
			n = 1
		} else {
			s = collapse(steps[i : i+n])
		}
		all = append(all, step{s, i + 1, i + n, n})
	}
	return all
}

// outage returns what a step interrupts, in words with its class.
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
		return strings.Join(names, ", ")
	}
	return fmt.Sprintf("%d hosts", len(names))
}

// Windows says when the steps of a plan and of what follows its reboots can
// be made, what that costs, and what the outage classes mean.
func Windows(d *Document, first *plan.Plan) {
	for of := first; of != nil; of = of.Next {
		if len(of.Parts) == 0 {
			continue
		}
		d.Gap()
		t := doc.NewWrapped("windows", doc.Left("when"), doc.Right("steps"), doc.Left("hosts"), doc.Left("worst"), doc.Left("outage"))
		for _, x := range of.Parts {
			t.Add(windowNames[x.Window], x.Steps, hosts(x.Hosts), x.Worst, x.Outage)
		}
		d.Table(t)
	}
	for _, class := range outagesOf(first) {
		d.Prose(class[0], class[1])
	}
}

// windowNames are the windows in words.
var windowNames = map[plan.Window]string{
	plan.ManualWork: "by hand, first", plan.AnyTime: "any time", plan.Bounce: "with a short outage", plan.Reboot: "before a reboot",
}

// Total sums a plan up in a sentence: how much it changes, where, and everything that it
// interrupts, in whatever part.
func Total(of *plan.Plan) string {
	changes, manual := 0, 0
	for p := of; p != nil; p = p.Next {
		for _, s := range p.Steps {
			if s.Manual != nil {
				manual++
				continue
			}
			changes += len(s.Changes)
		}
	}
	text := fmt.Sprintf("%s on %s", Plural(changes, "change"), Plural(len(of.AllHosts()), "host"))
	if manual > 0 {
		text += " and " + Plural(manual, "manual step")
	}
	if changes+manual == 0 {
		return text
	}
	interruptions := of.Interruptions()
	if len(interruptions) == 0 {
		return text + ", no outage"
	}
	return text + "; interrupted" + interrupted(interruptions, of.Next != nil)
}

// interrupted are interruptions in words, by part where there are several.
func interrupted(all []plan.Interruption, parts bool) string {
	text, part := ":", 0
	for n, i := range all {
		switch {
		case parts && i.Part != part:
			if n > 0 {
				text += ";"
			}
			text = fmt.Sprintf("%s in part %d:", strings.TrimSuffix(text, ":"), i.Part)
		case n > 0:
			text += ","
		}
		text += " " + i.String()
		part = i.Part
	}
	return text
}

// outagesOf explains the outage classes that a plan has.
func outagesOf(of *plan.Plan) [][2]string {
	var used []string
	for ; of != nil; of = of.Next {
		for _, s := range of.Steps {
			used = append(used, s.Class)
		}
	}
	var out [][2]string
	for _, c := range knowledge.Classes() {
		if slices.Contains(used, string(c)) {
			out = append(out, [2]string{string(c), c.Meaning()})
		}
	}
	return out
}

// Run says what became of a plan's steps.
func Run(d *Document, r *execute.Run) {
	d.Line("Run %s of plan %s: %s", r.ID, r.Plan, doc.Styled(cmp.Or(outcomeStyles[r.Outcome], doc.Bad), outcomeText(r)))
	if r.Gone {
		d.Prose("next", fmt.Sprintf("the process is gone; seaworthy rollback %s restores the earlier values", r.ID))
	}
	note, errorOfStep := "error", false
	for _, s := range r.Steps {
		if s.How != "" {
			note = "note"
		}
		errorOfStep = errorOfStep || s.Error == r.Error
	}
	t := doc.NewWrapped("run", doc.Left("step"), doc.Left("state"), doc.Left(note), doc.Left("change").On(doc.Page|doc.Data))
	for _, s := range r.Steps {
		state := s.State
		if s.PendingState != "" {
			state += ", " + string(s.PendingState)
		}
		t.Add(s.Step, state, cmp.Or(s.Error, s.Drift, s.How), changed(s.Prior))
	}
	if !t.Empty() {
		d.Table(t)
	}
	switch {
	case len(r.Waits) > 0 && r.Outcome == execute.RolledBack:
		d.Prose("next", "reboot "+inTurn(r.Waits)+": the values that were undone are active until then")
	case len(r.Waits) > 0:
		d.Prose("next", fmt.Sprintf("reboot %s; then seaworthy status %s verifies it", inTurn(r.Waits), r.ID))
	}
	for _, m := range r.Moves {
		d.Prose("moved", m.String())
	}
	PendingRuns(d, r.Hosts)
	if !errorOfStep {
		d.Prose("error", r.Error)
	}
}

// outcomeStyles are how the outcomes look; any other is bad.
var outcomeStyles = map[execute.Outcome]doc.Style{execute.Applied: doc.Good, execute.Pending: doc.Warn}

// inTurn names hosts that are rebooted one after the other.
func inTurn(hosts []string) string {
	if len(hosts) < 2 {
		return strings.Join(hosts, "")
	}
	return plan.InTurn(hosts) + " (each when the one before is up again and its SEAs carry or stand by as before)"
}

// outcomeText returns the outcome of a run in words.
func outcomeText(r *execute.Run) string {
	if r.Gone {
		return "not finished"
	}
	return string(r.Outcome)
}

// changed returns what a step found and what it set, in words.
func changed(all []task.Change) string {
	var out []string
	for _, c := range all {
		out = append(out, changeText(c))
	}
	return strings.Join(out, "; ")
}

// Runs lists runs, one a row. short has their ids as people may type them.
func Runs(d *Document, runs []execute.Run, short map[string]string) {
	t := doc.NewTable("runs", doc.Left("run"), doc.Left("plan"), doc.Left("started"), doc.Left("outcome"), doc.Right("steps"),
		doc.Left("lab"), doc.Left("error").On(doc.Data))
	inLab := func(r execute.Run) bool { return r.Lookup.Lab() != "" }
	if !slices.ContainsFunc(runs, inLab) {
		t.Columns[5].Media = doc.Data
	}
	for _, r := range runs {
		started := "-"
		if !r.Started.IsZero() {
			started = r.Started.Format("2006-01-02 15:04:05")
		}
		outcome := outcomeText(&r)
		if len(r.Waits) > 0 {
			outcome += ", waits for a reboot of " + plan.InTurn(r.Waits)
		}
		t.Add(short[r.ID], r.Plan, started, outcome, len(r.Steps), r.Lookup.Lab(), r.Error)
		if r.Gone {
			t.Note(doc.Indent("    ", "the process is gone: seaworthy rollback "+short[r.ID]))
		}
		if r.Error != "" {
			t.Note(doc.Indent("    ", r.Error))
		}
	}
	addOr(d, t, "No runs.")
	for _, r := range runs {
		PendingRuns(d, r.Hosts)
	}
}

// PendingRuns says what hosts report on the runs that their watchdogs hold.
func PendingRuns(d *Document, states []watchdog.State) {
	t := doc.NewWrapped("pending", doc.Left("host"), doc.Left("run"), doc.Left("state"), doc.Left("left"), doc.Left("note"))
	for _, s := range states {
		remains, note := "-", ""
		switch s.Phase {
		case watchdog.Armed:
			if s.Watchers == 0 {
				note = "no watchdog is running: confirm or roll back"
				break
			}
			remains = (time.Duration(s.Left) * time.Second).String()
		case watchdog.Failed, watchdog.Reverted:
			note = strings.Join(s.Log, "; ")
		}
		t.Add(s.Host, s.Run, s.Phase, remains, note)
	}
	if !t.Empty() {
		d.Table(t)
	}
}

// Cleaned says which runs were removed from hosts, and which are not over.
func Cleaned(d *Document, all []execute.Cleaned) {
	t := doc.NewTable("hosts", doc.Left("host"), doc.Right("removed"), doc.Left("not over"))
	for _, h := range all {
		var running []string
		for _, s := range h.Left {
			running = append(running, fmt.Sprintf("%s (%s)", s.Run, s.Phase))
		}
		t.Add(h.Host, len(h.Removed), Dash(strings.Join(running, ", ")))
	}
	d.Table(t)
}
