package report

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"seaworthy/internal/change/pathmtu"
	"seaworthy/internal/diagnose"
	"seaworthy/internal/ui/report/doc"
)

// maxEvidence is how many lines of evidence a cause shows; -v shows all.
const maxEvidence = 4

// Diagnosis says why a path is slow.
func Diagnosis(d *Document, of *diagnose.Diagnosis, verbose bool) {
	d.Line("%s → %s: %s", of.From, of.To, diagnosed(of))
	for _, m := range of.Measured {
		d.Line("  %s → %s: %s", m.From.Host, m.To.Host, measured(m))
	}
	if n := len(of.Connections); n > 0 {
		d.Line("  %s of a TCP connection between them during the test", Plural(n, "end"))
	}
	if of.CostBytes > 0 {
		d.Line("  Test pings: %.1f MB, %.2g %% of the line.", float64(of.CostBytes)/1e6, of.CostPercent)
	}
	for _, l := range of.Load {
		d.Line("  %s", streamed(of, l))
	}
	for i, c := range of.Causes {
		d.Gap()
		addCause(d, i+1, c, verbose)
	}
	addElsewhere(d, of.Elsewhere, verbose)
	addSettings(d, untested(of), limiting(of), of.Plan())
	addSettings(d, "Settings that may limit throughput, unless they are meant:", further(of), "")
	if verbose || of.Verdict == diagnose.NotNetwork || of.Verdict == diagnose.Inconclusive {
		addClean(d, of.Clean, verbose)
	}
	addDeciding(d, of.Decide)
	if verbose && len(of.RuledOut) > 0 {
		d.Gap()
		d.Line("Ruled out:")
		for _, x := range of.RuledOut {
			d.Line("  %s: %s%s", x.ID, x.Title, tested(x))
		}
	}
	addNotSeen(d, of, verbose)
	if len(of.LevelsNotRead) > 0 {
		d.Gap()
	}
	addLevelsNotRead(d, of.LevelsNotRead, verbose)
	d.Table(causesTable(of))
}

// addCause says what a cause is, how sure it is, and what to do.
func addCause(d *Document, number int, c diagnose.Cause, verbose bool) {
	d.Line("%d. %s", number, c.Head())
	d.Prose("sure", sure(c))
	for _, text := range c.Says {
		if text != c.Title {
			d.Prose("seen", text)
		}
	}
	shown := proofs(c, verbose)
	for _, line := range shown {
		d.Code("evidence", line)
	}
	if more := len(c.Evidence) - len(shown); more > 0 {
		d.Prose("", Plural(more, "more line")+": -v")
	}
	addCopy(d, c.Copy)
	d.Prose("do", c.Do...)
	addPlan(d, c.Plan)
	d.Prose("check", strings.Join(c.Verify, "; "))
	d.Prose("explains", strings.Join(c.Explains, "; "))
}

// addCopy says what a copy of the network showed of a cause; nil: none was asked.
func addCopy(d *Document, c *diagnose.InCopy) {
	if c == nil {
		return
	}
	planted := ""
	if c.Planted != "" {
		planted = " (planted: " + c.Planted + ")"
	}
	d.Prose("in a copy", fmt.Sprintf("%s%s: %s", c.Outcome, planted, c.Why))
	d.Prose("seen in it", c.Seen...)
}

// addElsewhere says where to look when it is not the network: in full where something points, with
// what shows it otherwise.
func addElsewhere(d *Document, all []diagnose.Elsewhere, verbose bool) {
	number := 0
	for _, x := range all {
		if len(x.Seen) == 0 {
			continue
		}
		number++
		d.Gap()
		d.Line("%d. Look at %s: %s", number, x.Host, x.Title)
		shown := x.Seen
		if !verbose {
			shown = shown[:min(maxEvidence, len(shown))]
		}
		for _, line := range shown {
			d.Prose("seen", line)
		}
		d.Prose("do", x.How...)
	}
	if number == len(all) {
		return
	}
	d.Gap()
	d.Line("%s", choose(number > 0, "Otherwise look at, in this order:", "Look elsewhere, in this order:"))
	for _, x := range all {
		if len(x.Seen) == 0 {
			d.Line("  %s: %s", x.Title, strings.Join(x.How, "; "))
		}
	}
}

// addClean names the parts of the path in which nothing is wrong, and what showed it.
func addClean(d *Document, all []diagnose.Clean, verbose bool) {
	if len(all) == 0 {
		return
	}
	d.Gap()
	d.Line("No fault seen in:")
	for _, x := range all {
		d.Line("  %s: %s", x.Title, readings(x.By, verbose))
	}
}

// addDeciding names the readings that would decide.
func addDeciding(d *Document, all []diagnose.Deciding) {
	if len(all) == 0 {
		return
	}
	d.Gap()
	d.Line("These would decide, in this order:")
	for i, x := range all {
		d.Line("  %d. %s: %s", i+1, x.What, x.How)
	}
}

// addSettings lists settings under a heading, with the plan that sets them.
func addSettings(d *Document, head string, settings []diagnose.Cause, plan string) {
	if len(settings) == 0 {
		return
	}
	d.Gap()
	d.Line("%s", head)
	for _, x := range settings {
		d.Line("  %s:%s: %s (%s)", x.Host, x.Element, x.Says[0], strings.Join(x.Findings, ", "))
		if x.Copy != nil {
			d.Line("    %s: %s", x.Copy.Outcome, x.Copy.Why)
		}
	}
	addPlan(d, plan)
}

// addPlan prints a command in one line, to be pasted; empty: there is none.
func addPlan(d *Document, command string) {
	if command != "" {
		d.Commands("plan", command)
	}
}

// addNotSeen names what could not be looked at. It matters if that leaves the verdict open.
func addNotSeen(d *Document, of *diagnose.Diagnosis, verbose bool) {
	if len(of.NotSeen) == 0 {
		return
	}
	d.Gap()
	open := of.Verdict == diagnose.Inconclusive || of.Verdict == diagnose.Settings && of.Incomplete
	if verbose || open {
		listNotSeen(d, of.NotSeen)
		return
	}
	d.On(doc.Terminal, func(d *Document) {
		d.Line("%s could not be looked at: -v lists them.", Plural(len(of.NotSeen), "thing"))
	})
	d.On(doc.Page, func(d *Document) {
		d.Fold(Plural(len(of.NotSeen), "thing")+" could not be looked at", func(d *Document) { addNotSeenLines(d, of.NotSeen) })
	})
}

func listNotSeen(d *Document, all []diagnose.NotSeen) {
	d.Line("Could not be looked at:")
	addNotSeenLines(d, all)
}

func addNotSeenLines(d *Document, all []diagnose.NotSeen) {
	for _, x := range all {
		text := x.What
		if x.Allow != "" {
			text += ": " + x.Allow
		}
		if len(x.IDs) > 0 {
			text = strings.Join(x.IDs, ", ") + ": " + text
		}
		d.Line("  %s", text)
	}
}

// causesTable has a row a cause, then a row a setting that can cost throughput, for
// programs that read tables.
func causesTable(of *diagnose.Diagnosis) *doc.Table {
	t := doc.NewTable("causes", doc.Left("certainty"), doc.Left("host"), doc.Left("element"), doc.Left("title"), doc.Left("do"),
		doc.Left("plan"), doc.Left("check"), doc.Left("explains"))
	t.Media = doc.Data
	for _, c := range slices.Concat(of.Causes, of.Possible) {
		t.Add(c.Certainty, c.Host, c.Element, c.Title, strings.Join(c.Do, "; "), c.Plan, strings.Join(c.Verify, "; "),
			strings.Join(c.Hides, ", "))
	}
	return t
}

// proofs are the lines of evidence that a cause shows, and what to say of the others.
func proofs(c diagnose.Cause, all bool) (lines []string) {
	for i, e := range c.Evidence {
		if i == maxEvidence && !all {
			break
		}
		lines = append(lines, strings.Join(strings.Fields(e.Host+" $ "+commandHead(e.Command)+" "+e.Text), " "))
	}
	return lines
}

func diagnosed(d *diagnose.Diagnosis) string {
	over := "totals since the counters were reset: an earlier snapshot would show what grows now"
	if d.Seconds > 0 {
		over = fmt.Sprintf("over %.0f s, %s", d.Seconds, d.State)
	}
	unread := ""
	if len(d.Unread) > 0 {
		unread = strings.Join(d.Unread, ", ") + " could not be read; "
	}
	switch d.Verdict {
	case diagnose.Found:
		return Plural(len(d.Causes), "cause") + " found, " + over
	case diagnose.Settings:
		seen := "no fault seen"
		if d.Incomplete {
			seen += " in what could be looked at"
		}
		return unread + fmt.Sprintf("%s, %s; %s to fix", seen, over, Plural(len(limiting(d)), "setting"))
	case diagnose.NotNetwork:
		tested := "no fault seen on its path"
		if d.Incomplete {
			tested += " in what could be looked at"
		}
		seen := slices.ContainsFunc(d.Elsewhere, func(x diagnose.Elsewhere) bool { return len(x.Seen) > 0 })
		if d.Live && len(d.Load) == 0 && d.State.Kind != diagnose.InUse && !seen {
			over += "; not tested under load (--load)"
		}
		return unread + fmt.Sprintf("it is not the network: %s, %s", tested, over)
	}
	if len(d.Causes) == 0 {
		return unread + "not enough seen to say: no fault in what could be looked at, " + over
	}
	return unread + "not enough seen to say, " + over
}

// limiting are the settings that limit throughput for certain, the other ones apart.
func limiting(d *diagnose.Diagnosis) []diagnose.Cause {
	return slices.DeleteFunc(slices.Clone(d.Possible), func(c diagnose.Cause) bool { return !c.Limits })
}

// further are settings that can cost throughput, and may be meant.
func further(d *diagnose.Diagnosis) []diagnose.Cause {
	return slices.DeleteFunc(slices.Clone(d.Possible), func(c diagnose.Cause) bool { return c.Limits })
}

// sure says how sure a cause is, and what it was measured or is expected to cost.
func sure(c diagnose.Cause) string {
	if c.Speed == nil {
		return c.Certainty
	}
	e := c.Speed.Expected
	return fmt.Sprintf("%s: a stream moved %.0f Mbit/s; without this %.0f Mbit/s are expected (%.0f to %.0f), by %s",
		c.Certainty, c.Speed.Measured, e.Median, e.Low, e.High, c.Speed.By)
}

// maxReadings is how many of the readings that ruled a cause out are named.
const maxReadings = 3

// tested names what ruled a cause out.
func tested(r diagnose.RuledOut) string {
	if len(r.By) == 0 {
		return " (" + Plural(r.Seen, "setting") + " read)"
	}
	return " (" + readings(r.By, false) + ")"
}

// readings joins what was read, the first of them unless all are asked for.
func readings(by []string, all bool) string {
	if all {
		return strings.Join(by, ", ")
	}
	text := strings.Join(by[:min(maxReadings, len(by))], ", ")
	if n := len(by) - maxReadings; n > 0 {
		text += fmt.Sprintf(" and %d more", n)
	}
	return text
}

// untested says of settings that no stream was sent over whether they were tested.
func untested(d *diagnose.Diagnosis) string {
	if len(d.Load) > 0 {
		return "Settings that usually limit throughput:"
	}
	return "Settings that usually limit throughput, not tested under load (--load):"
}

func measured(m diagnose.Measured) string {
	if m.Error != "" {
		return "not measured: " + m.Error
	}
	var text []string
	if m.Sent > 0 {
		text = append(text, fmt.Sprintf("%d of %d pings lost", m.Lost, m.Sent))
	}
	if m.RTTms > 0 {
		text = append(text, fmt.Sprintf("round trip %.3g ms", m.RTTms))
	}
	if m.MTU != nil {
		text = append(text, fmt.Sprintf("packets of %d bytes: %s", m.MTU.Wanted, m.MTU.Verdict))
	}
	if m.LargePassed > 0 {
		text[len(text)-1] = fmt.Sprintf("packets of %d bytes: %d of %d pass", m.MTU.Wanted, m.LargePassed, m.LargeSent)
	}
	return strings.Join(text, ", ")
}

// streamed says what streams moved.
func streamed(of *diagnose.Diagnosis, l diagnose.Stream) string {
	what := Plural(l.Streams, "stream")
	if l.Error != "" || l.BPS == nil || l.Bytes == nil {
		return what + " could not be measured: " + cmp.Or(l.Error, "no figures")
	}
	text := fmt.Sprintf("%s moved %.4g Mbit/s over %.1f s (%.3g GB)", what, *l.BPS/1e6, l.Seconds, float64(*l.Bytes)/1e9)
	if share := of.OfLine(l); share != "" {
		text += ", " + share
	}
	if l.Retransmits != nil {
		text += ", " + Plural(int(*l.Retransmits), "segment") + " retransmitted"
	}
	return text + "."
}

// PathMTU says what passes in each direction, and what stops the rest.
func PathMTU(d *Document, ways []pathmtu.Direction) {
	t := doc.NewWrapped("pathmtu", doc.Left("from"), doc.Left("to"), doc.Right("sends"), doc.Right("passes"), doc.Left("verdict"))
	for _, w := range ways {
		t.Add(w.From, w.To, w.Wanted, choose(w.Largest == 0, "-", Count(w.Largest)), w.Verdict)
	}
	d.Table(t)
	var tested []string
	for _, w := range ways {
		for i, s := range w.Suspect {
			d.Line("%s → %s: %s%s: %s", w.From.Host, w.To.Host, choose(i > 0, "or ", ""), s.Is, s.Why)
		}
		if len(w.Suspect) == 0 {
			d.Prose("answer", answer(w.Probes))
			continue
		}
		for _, x := range w.Witnesses {
			tested = addOnce(d, tested, "tested", fmt.Sprintf("%d bytes to %s: %s", x.Size, x.String(), x.Shows))
		}
	}
	for _, w := range ways {
		d.Gap()
		d.Line("%s → %s, packets of %d bytes:", w.From, w.To, w.Wanted)
		for _, c := range certain(w.Hops) {
			d.Prose(string(c.State), c.Text)
		}
	}
}

// addOnce adds a text unless it is among those said, and returns those said since.
func addOnce(d *Document, said []string, label, text string) []string {
	if slices.Contains(said, text) {
		return said
	}
	d.Prose(label, text)
	return append(said, text)
}

// answer returns what the last probe was answered with.
func answer(probes []pathmtu.Probe) string {
	if len(probes) == 0 {
		return ""
	}
	return probes[len(probes)-1].Said
}

// certainty is how sure some elements of a way are.
type certainty struct {
	State pathmtu.State
	Text  string
}

// certain joins the elements that are alike.
func certain(hops []pathmtu.Hop) (all []certainty) {
	for i := 0; i < len(hops); {
		first, names := hops[i], []string{}
		for ; i < len(hops) && hops[i].State == first.State && hops[i].By == first.By; i++ {
			names = append(names, hops[i].String())
		}
		all = append(all, certainty{first.State, strings.Join(names, ", ") + " (" + first.By + ")"})
	}
	return all
}
