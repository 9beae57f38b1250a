package report

import (
	"cmp"
	"fmt"
	"strings"

	"seaworthy/internal/predict"
)

// Predictions prints what a path carries now and after a change under each load, and why.
func Predictions(p *Printer, all []*predict.Prediction) {
	for i, of := range all {
		if i > 0 {
			p.Line("")
		}
		p.Lay("prediction", of)
	}
	p.Lay("basis", all)
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

// stateOf is a state with its label.
type stateOf struct {
	Label string
	predict.State
}

// carried is what a host did between two snapshots.
func carried(c predict.Carried) string {
	return fmt.Sprintf("%s: %s Mbit/s in frames of %s bytes took %s ± %s cores over %s s",
		c.Host, number(c.BPS/1e6, 0), number(c.Frame, 0), number(c.Cores, 2), number(2*c.Off, 2), number(c.Seconds, 0))
}

// predicted prints the figures of both states.
func predicted(p *Printer, of *predict.Prediction) {
	after := cmp.Or(of.After, &predict.State{})
	if of.Now.Cores == nil && after.Cores == nil {
		return
	}
	const span = " 95 % interval"
	t := Table{Head: []string{"", " now", span, " after", span, " change", span, "unit"}, Drop: []int{2, 4}}
	if of.After == nil {
		t.Head, t.Drop = []string{"", " now", span, "unit"}, []int{2}
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
