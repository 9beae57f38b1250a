package report

import (
	"cmp"
	"fmt"
	"strings"
	"time"

	"seaworthy/internal/measure"
	"seaworthy/internal/measure/probe/load"
	"seaworthy/internal/measure/stats"
)

// Measured prints a saved result as it was printed when it was measured.
func Measured(p *Printer, r *measure.Result) {
	switch r.Mode {
	case "compare":
		Comparison(p, r, nil)
		p.Line("")
		Controls(p, r)
	case "matrix":
		Trials(p, r)
		p.Line("")
		MatrixDelta(p, r)
	case "mesh":
		Mesh(p, r)
	default:
		Trials(p, r)
	}
	Conditions(p, r)
}

// Conditions prints what a reader must know to believe the figures.
func Conditions(p *Printer, r *measure.Result) {
	decisions(p, r)
	var hosts []string
	for _, h := range r.Hosts {
		hosts = append(hosts, fmt.Sprintf("%s (%s, CPU by %s)", h.Name, h.Role, h.Meter))
	}
	p.Prose("hosts", strings.Join(hosts, ", "))
	o := r.Options
	order := fmt.Sprintf("%s, driver %s, target %s, seed %d", Plural(len(r.Trials), "trial"), o.Driver, o.Target, o.Seed)
	if r.Mode == "mesh" {
		order = fmt.Sprintf("%s, each of all pairs at once, driver %s, seed %d", Plural(len(r.Trials), "trial"), o.Driver, o.Seed)
	}
	if r.Mode == "compare" && !o.UntilDecided {
		blocks := Plural(o.Repetitions, "block")
		if o.OutOfTime > 0 {
			blocks = fmt.Sprintf("%d of %s (no time was left)", o.OutOfTime, blocks)
		}
		order = fmt.Sprintf("%s in %s, random order, %d of them with an A/A control, driver %s, target %s, seed %d",
			Plural(len(r.Trials), "trial"), blocks, o.Control, o.Driver, o.Target, o.Seed)
	}
	p.Prose("order", order)
	for _, c := range o.Changes {
		p.Prose("compared", fmt.Sprintf("%s is plan %.12s: %s", c.Variant, c.Plan, strings.Join(c.Values, "; ")))
	}
	if !r.Started.IsZero() && o.Program != "" {
		p.Prose("measured", fmt.Sprintf("%s, by %s", r.Started.UTC().Format("2006-01-02 15:04 UTC"), o.Program))
	}
	if o.DriverReason != "" {
		p.Prose("driver", o.DriverReason)
	}
	if r.Mode != "mesh" { // whose streams share their hosts
		windowLimited(p, r)
	}
	latencies(p, r)
	for _, c := range r.Controls {
		if c.Verdict == stats.Unsteady {
			p.Prose("control", fmt.Sprintf("%s, %s: unsteady: equal states differ by %s (%s)",
				c.Workload, label(c.Figure), ratio(&c.Effect), ratios(&c.Effect)))
		}
	}
	if r.Error != "" {
		p.Prose("error", r.Error)
	}
}

// windowLimited prints which streams a window limited, and how large it would
// have to be.
func windowLimited(p *Printer, r *measure.Result) {
	all := measure.WindowLimited(r)
	for _, h := range all {
		var by []string
		if h.Peer > 0.005 {
			by = append(by, fmt.Sprintf("the receiver's window for %.0f %%", 100*h.Peer))
		}
		if h.Buffer > 0.005 {
			by = append(by, fmt.Sprintf("the send buffer for %.0f %%", 100*h.Buffer))
		}
		each := ""
		if h.Streams > 1 {
			each = fmt.Sprintf(" for each of %d streams", h.Streams)
		}
		p.Prose("window", fmt.Sprintf("%s: the sender was limited by %s of the time. A round trip takes %.2f ms: "+
			"1 Gbit/s needs %s bytes of window%s (bandwidth-delay product)",
			strings.TrimSpace(h.Workload+" "+h.Variant), strings.Join(by, ", by "), h.RoundMS, number(h.Needs(1e9), 0), each))
	}
	if len(all) > 0 {
		p.Prose("", strings.TrimSpace("seaworthy diagnose "+r.Options.From+" "+r.Options.To+" "+r.Options.Lookup)+" says what to set")
	}
}

// decisions says of every workload after how many blocks it was decided, or why it was not.
func decisions(p *Printer, r *measure.Result) {
	for _, row := range r.Results {
		d := row.Decision
		if d == nil {
			continue
		}
		looks := fmt.Sprintf("look %d of at most %d; intervals allow for the looks", d.Look, d.Looks)
		switch {
		case d.Decided:
			p.Prose("decided", fmt.Sprintf("%s after %d of at most %s (%s)", row.Workload, d.Blocks, Plural(d.Most, "block"), looks))
		case d.Look == 0:
			p.Prose("open", fmt.Sprintf("%s: not decided in %s: too few for a first look", row.Workload, Plural(d.Blocks, "block")))
		default:
			spent := Plural(d.Blocks, "block")
			if b := r.Options.Budget; b > 0 && d.Blocks < d.Most {
				spent = fmt.Sprintf("%s (%s)", time.Duration(b*float64(time.Second)).Round(time.Second), spent)
			}
			p.Prose("open", fmt.Sprintf("%s: not decided in %s: %s (%s)", row.Workload, spent,
				cmp.Or(row.Effect.Reason, string(row.Effect.Verdict)), looks))
		}
	}
}

// reached is the part of the requests asked for from which on a path is said to
// have answered them.
const reached = 0.99

// latencies says from when latencies count, and where a path did not keep up.
func latencies(p *Printer, r *measure.Result) {
	closed := false
	for _, w := range r.Options.Workloads {
		if w.Kind != load.RequestResponse {
			continue
		}
		for _, v := range variants(r) {
			if figure(r, w.Name, v, measure.LatencyP99, "") == nil {
				continue
			}
			closed = closed || w.Rate == 0
			tps := figure(r, w.Name, v, measure.Transactions, "")
			if w.Rate > 0 && tps != nil && tps.Median < reached*w.Rate {
				p.Prose("latency", fmt.Sprintf("%s: %s/s were due, %s/s were answered: requests queue up, so latencies grow with the time measured",
					strings.TrimSpace(w.Name+" "+v), number(w.Rate, 0), number(tps.Median, 0)))
			}
		}
	}
	if closed {
		p.Prose("latency", "each session waits for an answer before its next request, so a stall counts once for each session, "+
			"however long; --rate sends requests when they are due and counts from then")
	}
}
