package report

import (
	"cmp"
	"fmt"
	"strings"

	"seaworthy/change/pathmtu"
	"seaworthy/diagnose"
)

// maxEvidence is how many lines of evidence a cause shows; -v shows all.
const maxEvidence = 4

// Diagnosis prints why a path is slow.
func Diagnosis(p *Printer, d *diagnose.Diagnosis, verbose bool) {
	p.Lay("diagnosis", struct {
		*diagnose.Diagnosis
		Verbose, Whole bool
		CostMB         float64
	}{d, verbose, verbose || d.Verdict == diagnose.Inconclusive, float64(d.CostBytes) / 1e6})
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
		return what + " could not be measured: " + Safe(cmp.Or(l.Error, "no figures"))
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

// PathMTU prints what passes in each direction, and what stops the rest.
func PathMTU(p *Printer, ways []pathmtu.Way) {
	t := Table{Head: []string{"from", "to", " sends", " passes", "verdict"}, Wrap: true}
	for _, w := range ways {
		passes := "-"
		if w.Largest > 0 {
			passes = Count(w.Largest)
		}
		t.Add(Safe(w.From.String()), Safe(w.To.String()), Count(w.Wanted), passes, string(w.Verdict))
	}
	t.Print(p)
	asked := map[string]bool{}
	for _, w := range ways {
		if len(w.Suspect) == 0 {
			if n := len(w.Probes); n > 0 && w.Probes[n-1].Said != "" {
				p.Prose("answer", Safe(w.Probes[n-1].Said))
			}
			continue
		}
		label := fmt.Sprintf("%s → %s", w.From.Host, w.To.Host)
		for i, s := range w.Suspect {
			text := s.Is + ": " + s.Why
			if i > 0 {
				text = "or " + text
			}
			p.Line("%s: %s", Safe(label), Safe(text))
		}
		for _, x := range w.Witnesses {
			// The way back has mostly the same witnesses.
			line := fmt.Sprintf("%d bytes to %s: %s", x.Size, &x, x.Shows)
			if !asked[line] {
				asked[line] = true
				p.Prose("tested", Safe(line))
			}
		}
	}
	for i := range ways {
		hops(p, &ways[i])
	}
}

// hops prints how sure each element of a way is, those alike in one line.
func hops(p *Printer, w *pathmtu.Way) {
	p.Line("")
	p.Line("%s → %s, packets of %d bytes:", Safe(w.From.String()), Safe(w.To.String()), w.Wanted)
	for i := 0; i < len(w.Hops); {
		first, names := w.Hops[i], []string{}
		for ; i < len(w.Hops) && w.Hops[i].State == first.State && w.Hops[i].By == first.By; i++ {
			names = append(names, w.Hops[i].String())
		}
		p.Prose(string(first.State), Safe(strings.Join(names, ", ")+" ("+first.By+")"))
	}
}
