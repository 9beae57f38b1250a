package report

import (
	"cmp"
	"fmt"
	"strings"

	"seaworthy/internal/predict"
	"seaworthy/internal/ui/report/doc"
)

// Predictions says what a path carries now and after a change under each load, and why.
func Predictions(d *Document, all []*predict.Prediction) {
	for i, of := range all {
		if i > 0 {
			d.Gap()
		}
		addPrediction(d, of)
	}
	d.Gap()
	addBasis(d, all)
}

func addPrediction(d *Document, of *predict.Prediction) {
	d.Heading(fmt.Sprintf("%s → %s: %s", of.From, of.To, loaded(of)))
	for _, c := range of.Changes {
		d.Line("  %s", c)
	}
	d.Gap()
	addFigures(d, of)
	why := of.Now.NoP99
	if of.After != nil {
		why = cmp.Or(why, of.After.NoP99)
	}
	if why != "" {
		d.Prose("p50, p99", "unknown, measure: "+why)
	}
	addLimits(d, "now", &of.Now)
	if of.After != nil {
		addLimits(d, "after", of.After)
	}
}

// addLimits says what limits a state, or why that is not known.
func addLimits(d *Document, label string, s *predict.State) {
	if len(s.Unknown) > 0 {
		d.Prose(label, "unknown, measure: "+strings.Join(s.Unknown, "; "))
	}
	if len(s.Limits) > 0 {
		d.Prose(label, "limited by "+likely(s.Limits))
		d.Prose("  next", "then by "+likely(s.Next))
	}
}

// addBasis says what predictions were made from, each thing once.
func addBasis(d *Document, all []*predict.Prediction) {
	var said []string
	for _, of := range all {
		published := fmt.Sprintf("published figures (%s: %s)", of.Priors, strings.Join(of.Sources, ", "))
		from := published + ", no measurement of this path: --results takes what bench measured"
		switch {
		case of.Fitted > 0:
			from = fmt.Sprintf("%s of this path, on top of %s", Plural(of.Fitted, "measurement"), published)
		case len(of.Carried) > 0:
			from = fmt.Sprintf("%s' traffic between two snapshots, on top of %s", Plural(len(of.Carried), "host"), published)
		}
		said = addOnce(d, said, "from", from)
	}
	for _, of := range all {
		for _, c := range of.Carried {
			said = addOnce(d, said, "carried", carried(c))
		}
	}
	for _, of := range all {
		for _, a := range of.Assumed {
			said = addOnce(d, said, "assumed", fmt.Sprintf("%s (from %s)", a.What, a.From))
		}
	}
	for _, of := range all {
		for _, x := range of.Elsewhere {
			said = addOnce(d, said, "off path", x)
		}
	}
	for _, of := range all {
		for _, x := range of.Unused {
			said = addOnce(d, said, "not used", x)
		}
	}
}

// loaded is the load of a prediction in words.
func loaded(of *predict.Prediction) string {
	load := Plural(of.Load.Streams, "TCP stream")
	if l := of.Load; l.Sessions > 0 {
		load = fmt.Sprintf("%s, requests of %s bytes and answers of %s", Plural(l.Sessions, "session"), Count(l.Request), Count(l.Response))
	}
	if w := of.Now.Window; w > 0 {
		load += fmt.Sprintf(", windows of %s bytes", number(w, 0))
	}
	return load
}

// carried returns what a host did between two snapshots.
func carried(c predict.Carried) string {
	return fmt.Sprintf("%s: %s Mbit/s in frames of %s bytes took %s ± %s cores over %s s",
		c.Host, number(c.BPS/1e6, 0), number(c.Frame, 0), number(c.Cores, 2), number(2*c.Off, 2), number(c.Seconds, 0))
}

// addFigures adds the figures of both states.
func addFigures(d *Document, of *predict.Prediction) {
	after := cmp.Or(of.After, &predict.State{})
	if of.Now.Cores == nil && after.Cores == nil {
		return
	}
	t := predictionTable(of)
	if of.Load.Sessions > 0 {
		t.row("transactions", of.Now.TPS, after.TPS, of.MoreTPS, 1, 0, "TPS")
		t.row("latency, mean", of.Now.Latency, after.Latency, nil, 1, 0, "µs")
		if of.Now.P99 != nil || after.P99 != nil {
			t.row("  median", of.Now.P50, after.P50, nil, 1, 0, "µs")
			t.row("  99th percentile", of.Now.P99, after.P99, nil, 1, 0, "µs")
		}
	} else {
		t.row("throughput", of.Now.BPS, after.BPS, of.Gain, 1e-6, 0, "Mbit/s")
	}
	t.row("CPU of the path", of.Now.Cores, after.Cores, nil, 1, 2, "cores")
	hosts := of.Now.Hosts
	if hosts == nil {
		hosts = after.Hosts
	}
	for i, h := range hosts {
		t.row("  "+h.Host, useOf(&of.Now, i), useOf(after, i), nil, 1, 2, "cores")
	}
	if of.Cheaper != nil {
		t.row("CPU a Gbit/s", nil, nil, of.Cheaper, 1, 2, "")
	}
	if of.PerTrans != nil {
		t.row("CPU a transaction", nil, nil, of.PerTrans, 1, 2, "")
	}
	d.Table(t.Table)
}

// estimates is a table of estimates, of one state or of two.
type estimates struct {
	*doc.Table
	two bool
}

func predictionTable(of *predict.Prediction) estimates {
	name := loaded(of)
	if of.After == nil {
		t := doc.NewTable(name, doc.Left("").Keyed("figure"), doc.Right("now"), doc.Interval("now"), doc.Left("unit"))
		t.Drop = []int{2}
		return estimates{t, false}
	}
	t := doc.NewTable(name, doc.Left("").Keyed("figure"), doc.Right("now"), doc.Interval("now"), doc.Right("after"),
		doc.Interval("after"), doc.Right("change"), doc.Interval("change"), doc.Left("unit"))
	t.Drop = []int{2, 4}
	return estimates{t, true}
}

// row adds a figure; a leading blank of its name indents it.
func (t estimates) row(name string, now, after, effect *predict.Estimate, scale float64, digits int, unit string) {
	text := strings.TrimLeft(name, " ")
	cells := []any{doc.Indent(name[:len(name)-len(text)], text), middle(now, scale, digits), around(now, scale, digits)}
	if t.two {
		change, interval := "", doc.Cell{}
		if effect != nil {
			change, interval = percent(effect.Median), percentBounds(&effect.Low, &effect.High)
		}
		cells = append(cells, middle(after, scale, digits), around(after, scale, digits), change, interval)
	}
	t.Add(append(cells, unit)...)
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

func around(e *predict.Estimate, scale float64, digits int) doc.Cell {
	if e == nil {
		return doc.Cell{}
	}
	low, high := number(e.Low*scale, digits), number(e.High*scale, digits)
	return doc.Bounds(low+" to "+high, low, high)
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
