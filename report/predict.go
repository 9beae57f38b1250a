package report

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"seaworthy/predict"
)

// Predictions prints what a path carries now and after a change under each load, and why.
func Predictions(p *Printer, all []*predict.Prediction) {
	for i, of := range all {
		if i > 0 {
			p.Line("")
		}
		prediction(p, of)
	}
	basis(p, all)
}

func prediction(p *Printer, of *predict.Prediction) {
	load := Plural(of.Load.Streams, "TCP stream")
	if l := of.Load; l.Sessions > 0 {
		load = fmt.Sprintf("%s, requests of %s bytes and answers of %s", Plural(l.Sessions, "session"), Count(l.Request), Count(l.Response))
	}
	if w := of.Now.Window; w > 0 {
		load += fmt.Sprintf(", windows of %s bytes", number(w, 0))
	}
	p.Heading(fmt.Sprintf("%s → %s: %s", of.From, of.To, load))
	for _, c := range of.Changes {
		p.Line("  %s", Safe(c))
	}
	p.Line("")
	after := of.After
	if after == nil {
		after = &predict.State{}
	}
	if of.Now.Cores != nil || after.Cores != nil {
		predicted(p, of, after)
	}
	if why := cmp.Or(of.Now.NoP99, after.NoP99); why != "" {
		p.Prose("p50, p99", "unknown, measure: "+why)
	}
	for _, s := range []struct {
		label string
		state *predict.State
	}{{"now", &of.Now}, {"after", after}} {
		if len(s.state.Unknown) > 0 {
			p.Prose(s.label, "unknown, measure: "+strings.Join(s.state.Unknown, "; "))
		}
		if len(s.state.Limits) > 0 {
			p.Prose(s.label, "limited by "+likely(s.state.Limits))
			p.Prose("  next", "then by "+likely(s.state.Next))
		}
	}
}

// basis prints what predictions rest on: what several have in common once.
func basis(p *Printer, all []*predict.Prediction) {
	var from, carried, assumed, elsewhere, unused []string
	add := func(list *[]string, text string) {
		if !slices.Contains(*list, text) {
			*list = append(*list, text)
		}
	}
	for _, of := range all {
		published := fmt.Sprintf("published figures (%s: %s)", of.Priors, strings.Join(of.Sources, ", "))
		switch {
		case of.Fitted > 0:
			add(&from, Plural(of.Fitted, "measurement")+" of this path, on top of "+published)
		case len(of.Carried) > 0:
			add(&from, Plural(len(of.Carried), "host")+"' traffic between two snapshots, on top of "+published)
		default:
			add(&from, published+", no measurement of this path: --results takes what bench measured")
		}
		for _, c := range of.Carried {
			add(&carried, fmt.Sprintf("%s: %s Mbit/s in frames of %s bytes took %s ± %s cores over %s s",
				c.Host, number(c.BPS/1e6, 0), number(c.Frame, 0), number(c.Cores, 2), number(2*c.Off, 2), number(c.Seconds, 0)))
		}
		for _, x := range of.Assumed {
			add(&assumed, x.What+" (from "+x.From+")")
		}
		for _, x := range of.Elsewhere {
			add(&elsewhere, x)
		}
		for _, x := range of.Unused {
			add(&unused, x)
		}
	}
	p.Line("")
	for _, part := range []struct {
		label string
		lines []string
	}{{"from", from}, {"carried", carried}, {"assumed", assumed}} {
		for _, x := range part.lines {
			p.Prose(part.label, x)
		}
	}
	p.Prose("off path", elsewhere...)
	p.Prose("not used", unused...)
}

// predicted prints the figures of both states.
func predicted(p *Printer, of *predict.Prediction, after *predict.State) {
	const span = " 95 % interval"
	t := Table{Head: []string{"", " now", span, " after", span, " change", span, "unit"}, Drop: []int{2, 4}}
	if of.After == nil {
		t.Head = []string{"", " now", span, "unit"}
	}
	row := func(name string, a, b, effect *predict.Estimate, scale float64, digits int, unit string) {
		if of.After == nil {
			t.Add(name, middle(a, scale, digits), around(a, scale, digits), unit)
			return
		}
		change, interval := "", ""
		if effect != nil {
			change, interval = percent(effect.Median), percent(effect.Low)+" to "+percent(effect.High)
		}
		t.Add(name, middle(a, scale, digits), around(a, scale, digits), middle(b, scale, digits), around(b, scale, digits),
			change, interval, unit)
	}
	if of.Load.Sessions > 0 {
		row("transactions", of.Now.TPS, after.TPS, of.MoreTPS, 1, 0, "TPS")
		row("latency, mean", of.Now.Latency, after.Latency, nil, 1, 0, "µs")
		if of.Now.P99 != nil || after.P99 != nil {
			row("  median", of.Now.P50, after.P50, nil, 1, 0, "µs")
			row("  99th percentile", of.Now.P99, after.P99, nil, 1, 0, "µs")
		}
	} else {
		row("throughput", of.Now.BPS, after.BPS, of.Gain, 1e-6, 0, "Mbit/s")
	}
	row("CPU of the path", of.Now.Cores, after.Cores, nil, 1, 2, "cores")
	hosts := of.Now.Hosts
	if hosts == nil {
		hosts = after.Hosts
	}
	for i, h := range hosts {
		row("  "+Safe(h.Host), useOf(&of.Now, i), useOf(after, i), nil, 1, 2, "cores")
	}
	if of.Cheaper != nil {
		row("CPU a Gbit/s", nil, nil, of.Cheaper, 1, 2, "")
	}
	if of.PerTrans != nil {
		row("CPU a transaction", nil, nil, of.PerTrans, 1, 2, "")
	}
	t.Print(p)
}

func useOf(s *predict.State, i int) *predict.Estimate {
	if i >= len(s.Hosts) {
		return nil
	}
	return &s.Hosts[i].Cores
}

func middle(e *predict.Estimate, scale float64, digits int) string {
	if e == nil {
		return "-"
	}
	return number(e.Median*scale, digits)
}

func around(e *predict.Estimate, scale float64, digits int) string {
	if e == nil {
		return ""
	}
	return number(e.Low*scale, digits) + " to " + number(e.High*scale, digits)
}

// mostLimits are the limits that are named.
const mostLimits = 3

// likely lists limits with their shares of the draws: the line 82 %, vios2's entitlement 18 %.
func likely(all []predict.Share) string {
	var out []string
	rest := 0.0
	for i, s := range all {
		if i >= mostLimits {
			rest += s.Share
			continue
		}
		out = append(out, fmt.Sprintf("%s %.0f %%", s.What, 100*s.Share))
	}
	if rest >= 0.005 {
		out = append(out, fmt.Sprintf("others %.0f %%", 100*rest))
	}
	return strings.Join(out, ", ")
}
