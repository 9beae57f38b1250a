package report

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"seaworthy/internal/change/pathmtu"
	"seaworthy/internal/diagnose"
)

// maxEvidence is how many lines of evidence a cause shows; -v shows all.
const maxEvidence = 4

// Diagnosis prints why a path is slow.
func Diagnosis(p *Printer, d *diagnose.Diagnosis, verbose bool) {
	p.Lay("diagnosis", struct {
		*diagnose.Diagnosis
		Verbose, Whole bool
		CostMB         float64
	}{d, verbose, verbose || d.Verdict == diagnose.Inconclusive || d.Verdict == diagnose.Settings && d.Incomplete, float64(d.CostBytes) / 1e6})
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
	switch d.Verdict {
	case diagnose.Found:
		return Plural(len(d.Causes), "cause") + " found, " + over
	case diagnose.Settings:
		seen := "no fault seen"
		if d.Incomplete {
			seen += " in what could be looked at"
		}
		return fmt.Sprintf("%s, %s; %s to fix", seen, over, Plural(len(limiting(d)), "setting"))
	case diagnose.Nothing:
		return fmt.Sprintf("nothing wrong, %s; %s ruled out", over, Plural(len(d.RuledOut), "cause"))
	}
	return "not enough seen to say, " + over
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
	text := Safe(strings.Join(r.By[:min(maxReadings, len(r.By))], ", "))
	if n := len(r.By) - maxReadings; n > 0 {
		text += fmt.Sprintf(" and %d more", n)
	}
	return " (" + text + ")"
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
func PathMTU(p *Printer, ways []pathmtu.Way) { p.Lay("pathmtu", ways) }

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
