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
		d.Line("  %s between them while they were watched", Plural(n, "connection end"))
	}
	if of.CostBytes > 0 {
		d.Line("  The pings put %.1f MB on the line, %.2g %% of it.", float64(of.CostBytes)/1e6, of.CostPercent)
	}
	for _, l := range of.Load {
		d.Line("  %s", streamed(l, of.LineMbit))
	}
	for i, c := range of.Causes {
		d.Gap()
		addCause(d, i+1, c, verbose)
	}
	if len(of.Possible) > 0 {
		d.Gap()
		d.Line("Settings that can cost throughput, but that nothing measured blames:")
		for _, x := range of.Possible {
			d.Line("  %s:%s: %s (%s)", x.Host, x.Element, x.Title, strings.Join(x.Findings, ", "))
		}
	}
	if verbose && len(of.RuledOut) > 0 {
		d.Gap()
		d.Line("Ruled out:")
		for _, x := range of.RuledOut {
			d.Line("  %s: %s", x.ID, x.Title)
		}
	}
	addNotSeen(d, of, verbose)
	d.Table(causesTable(of))
}

// addCause says what a cause is, how sure it is, and what to do.
func addCause(d *Document, number int, c diagnose.Cause, verbose bool) {
	d.Line("%d. %s: %s", number, strings.TrimSuffix(c.Host+" "+c.Element, " host"), c.Title)
	d.Prose("sure", fmt.Sprintf("%s; costs a stream about %.0f %% of its throughput", c.Certainty, 100*c.Harm))
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
		d.Prose("", fmt.Sprintf("%d more lines: -v", more))
	}
	d.Prose("do", c.Do...)
	d.Prose("check", strings.Join(c.Verify, "; "))
	if len(c.Hides) > 0 {
		d.Prose("explains", strings.Join(c.Hides, ", "))
	}
}

// addNotSeen names what could not be looked at. It matters if nothing could be judged.
func addNotSeen(d *Document, of *diagnose.Diagnosis, verbose bool) {
	if len(of.NotSeen) == 0 {
		return
	}
	d.Gap()
	list := func(d *Document) {
		d.Line("Could not be looked at:")
		for _, x := range of.NotSeen {
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
	if verbose || of.Verdict == diagnose.Inconclusive {
		list(d)
		return
	}
	d.On(doc.Terminal, func(d *Document) {
		d.Line("%s could not be looked at: -v lists them.", Plural(len(of.NotSeen), "thing"))
	})
	d.On(doc.Page, list)
}

// causesTable has a row a cause, for programs that read tables.
func causesTable(of *diagnose.Diagnosis) *doc.Table {
	t := doc.NewTable("causes", doc.Left("certainty"), doc.Left("host"), doc.Left("element"), doc.Left("title"), doc.Right("harm").In("%"),
		doc.Left("do"), doc.Left("explains"))
	t.Media = doc.Data
	for _, c := range of.Causes {
		t.Add(c.Certainty, c.Host, c.Element, c.Title, fmt.Sprintf("%.0f", 100*c.Harm), strings.Join(c.Do, "; "), strings.Join(c.Hides, ", "))
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
		over = fmt.Sprintf("over %.0f s", d.Seconds)
	}
	switch d.Verdict {
	case diagnose.Found:
		return Plural(len(d.Causes), "cause") + " found, " + over
	case diagnose.Nothing:
		return fmt.Sprintf("nothing wrong, %s; %d causes ruled out", over, len(d.RuledOut))
	}
	return "not enough seen to say, " + over
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
	return strings.Join(text, ", ")
}

// streamed says what streams moved.
func streamed(l diagnose.Stream, lineMbit float64) string {
	what := Plural(l.Streams, "stream")
	if l.Error != "" || l.BPS == nil || l.Bytes == nil {
		return what + " could not be measured: " + cmp.Or(l.Error, "no figures")
	}
	text := fmt.Sprintf("%s moved %.4g Mbit/s over %.1f s (%.3g GB)", what, *l.BPS/1e6, l.Seconds, float64(*l.Bytes)/1e9)
	if lineMbit > 0 {
		text += fmt.Sprintf(", %.3g %% of the slowest port", *l.BPS/1e4/lineMbit)
	}
	if l.Retransmits != nil {
		text += ", " + Plural(int(*l.Retransmits), "segment") + " sent again"
	}
	return text + "."
}

// PathMTU says what passes in each direction, and what stops the rest.
func PathMTU(d *Document, ways []pathmtu.Way) {
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

// answer is what the last probe was answered with.
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
