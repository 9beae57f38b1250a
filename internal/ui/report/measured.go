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

// Measured says of a saved result what was said when it was measured.
func Measured(d *Document, r *measure.Result) {
	switch r.Mode {
	case "compare":
		Comparison(d, r, nil)
		d.Gap()
		Controls(d, r)
	case "matrix":
		Trials(d, r)
		d.Gap()
		MatrixDelta(d, r)
	case "mesh":
		Mesh(d, r)
	default:
		Trials(d, r)
	}
	Conditions(d, r)
}

// Conditions says what a reader must know to believe the figures.
func Conditions(d *Document, r *measure.Result) {
	addDecisions(d, r)
	var hosts []string
	for _, h := range r.Hosts {
		hosts = append(hosts, fmt.Sprintf("%s (%s, CPU by %s)", h.Name, h.Role, h.Meter))
	}
	d.Prose("hosts", strings.Join(hosts, ", "))
	o := r.Options
	order := fmt.Sprintf("%s, driver %s, target %s, seed %d", Plural(len(r.Trials), "trial"), o.Driver, o.Target, o.Seed)
	if r.Mode == "mesh" {
		order = fmt.Sprintf("%s, each of all pairs at once, driver %s, seed %d", Plural(len(r.Trials), "trial"), o.Driver, o.Seed)
	}
	if r.Mode == "compare" && !o.UntilDecided {
		blocks := Plural(o.Repetitions, "block")
		if o.OutOfTime > 0 {
			blocks = fmt.Sprintf("%s (%d planned)", Plural(o.OutOfTime, "block"), o.Repetitions)
		}
		order = fmt.Sprintf("%s in %s, random order, %d of them with an A/A control, driver %s, target %s, seed %d",
			Plural(len(r.Trials), "trial"), blocks, o.Control, o.Driver, o.Target, o.Seed)
	}
	d.Prose("order", order)
	for _, c := range o.Changes {
		d.Prose("compared", fmt.Sprintf("%s is plan %.12s: %s", c.Variant, c.Plan, strings.Join(c.Values, "; ")))
	}
	if !r.Started.IsZero() && o.Program != "" {
		d.Prose("measured", fmt.Sprintf("%s, by %s", r.Started.UTC().Format("2006-01-02 15:04 UTC"), o.Program))
	}
	if o.DriverReason != "" {
		d.Prose("driver", o.DriverReason)
	}
	if r.Mode != "mesh" { // whose streams share their hosts
		addWindowLimited(d, r)
	}
	addLatencies(d, r)
	for _, c := range r.Controls {
		if c.Verdict == stats.Unsteady {
			d.Prose("control", fmt.Sprintf("%s, %s: unsteady: equal states differ by %s (%s)",
				c.Workload, label(c.Figure), ratio(&c.Effect), ratios(&c.Effect)))
		}
	}
	if r.Error != "" {
		d.Prose("error", r.Error)
	}
}

// addWindowLimited says which streams a window limited, and how large it would
// have to be.
func addWindowLimited(d *Document, r *measure.Result) {
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
		d.Prose("window", fmt.Sprintf("%s: the sender was limited by %s of the time. A round trip takes %.2f ms: "+
			"1 Gbit/s needs %s bytes of window%s (bandwidth-delay product)",
			strings.TrimSpace(h.Workload+" "+h.Variant), strings.Join(by, ", by "), h.RoundMS, number(h.Needs(1e9), 0), each))
	}
	if len(all) > 0 {
		d.Prose("", strings.TrimSpace("seaworthy diagnose "+r.Options.From+" "+r.Options.To+" "+r.Options.Lookup)+" looks for the cause")
	}
}

// addDecisions says of every workload after how many blocks it was decided, or why it was not.
func addDecisions(d *Document, r *measure.Result) {
	for _, row := range r.Results {
		x := row.Decision
		if x == nil {
			continue
		}
		looks := fmt.Sprintf("look %d of at most %d; intervals allow for the looks", x.Look, x.Looks)
		switch {
		case x.Decided:
			d.Prose("decided", fmt.Sprintf("%s after %d of at most %s (%s)", row.Workload, x.Blocks, Plural(x.Most, "block"), looks))
		case x.Look == 0:
			d.Prose("open", fmt.Sprintf("%s: not decided in %s: too few for a first look", row.Workload, Plural(x.Blocks, "block")))
		default:
			spent := Plural(x.Blocks, "block")
			if b := r.Options.Budget; b > 0 && x.Blocks < x.Most {
				spent = fmt.Sprintf("%s (%s)", time.Duration(b*float64(time.Second)).Round(time.Second), spent)
			}
			d.Prose("open", fmt.Sprintf("%s: not decided in %s: %s (%s)", row.Workload, spent,
				cmp.Or(row.Effect.Reason, string(row.Effect.Verdict)), looks))
		}
	}
}

// reached is the part of the requests asked for from which on a path is said to
// have answered them.
const reached = 0.99

// addLatencies says from when latencies count, and where a path did not keep up.
func addLatencies(d *Document, r *measure.Result) {
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
				d.Prose("latency", fmt.Sprintf("%s: %s/s were due, %s/s were answered: requests queue up, so latencies grow with the time measured",
					strings.TrimSpace(w.Name+" "+v), number(w.Rate, 0), number(tps.Median, 0)))
			}
		}
	}
	if closed {
		d.Prose("latency", "each session waits for an answer before its next request, so a stall counts once for each session, "+
			"however long; --rate sends requests when they are due and counts from then")
	}
}
