package cli

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strconv"

	"seaworthy/internal/audit/finding"
	"seaworthy/internal/change/pathmtu"
	"seaworthy/internal/cli/command"
	"seaworthy/internal/diagnose"
	"seaworthy/internal/inventory/model"
	"seaworthy/internal/measure"
	"seaworthy/internal/measure/probe/load"
	"seaworthy/internal/ui/drawing"
	"seaworthy/internal/ui/report"
)

// diagnosed is a diagnosis as it is printed, with what it judged.
type diagnosed struct {
	*diagnose.Diagnosis
	in diagnose.Input
}

// PageTitle heads the page of -f html.
func (d diagnosed) PageTitle() string { return fmt.Sprintf("%s → %s: why it is slow", d.From, d.To) }

// PageSummary names the causes.
func (d diagnosed) PageSummary() []string { return report.Diagnosed(d.Diagnosis) }

// severities of causes in a drawing, by their certainty.
var severities = map[string]finding.Severity{"proved": finding.High, "likely": finding.Medium, "possible": finding.Low}

// Drawing is the path with the causes as notes, and the largest packet that was
// seen to pass both ways; nil if an end was not reached.
func (d diagnosed) Drawing() *drawing.Drawing {
	if d.in.Path == nil {
		return nil
	}
	var o drawing.Options
	for _, c := range d.Causes {
		o.Findings = append(o.Findings, finding.Finding{Verdict: finding.Found, Severity: severities[c.Certainty], Rule: c.ID, Title: c.Title,
			Element: model.Ref{Host: c.Host, Element: c.Element}})
	}
	ways := 0
	for _, m := range d.Measured {
		if m.MTU == nil || m.MTU.Verdict != pathmtu.Whole {
			continue
		}
		ways++
		if o.Proved == 0 || m.MTU.Largest < o.Proved {
			o.Proved = m.MTU.Largest
		}
	}
	if ways < 2 { // one direction is no proof of the other
		o.Proved = 0
	}
	return drawing.Path(d.in.Fleet, d.in.Path, o)
}

// streams are what --load sends, one entry after the other; each is let run up for a
// second before it is measured. One stream has no more on its way than its window: it
// takes many to fill receive buffers.
var streams = []diagnose.Stream{{Streams: 1, Seconds: 3}, {Streams: 32, Seconds: 2}}

// load sends TCP streams between the ends of a path.
func (a *app) load(ctx context.Context, p diagnose.Prober, path *model.Path, probes []string) []diagnose.Stream {
	e := measure.Experiment{From: p.Hosts[path.From.Host], To: p.Hosts[path.To.Host], Repetitions: 1, ProbeDirs: probes,
		Program: command.Built().String(), LineRate: p.Fleet.LineRate(path)}
	for _, s := range streams {
		w := measure.Workload{Name: strconv.Itoa(s.Streams), Kind: load.Stream, Streams: s.Streams, Seconds: s.Seconds}
		e.Workloads = append(e.Workloads, w)
	}
	var r *measure.Result
	var err error
	if e.Target, err = p.Fleet.Target(path); err == nil {
		r, err = measure.Run(ctx, e)
	}
	if r == nil {
		r = &measure.Result{}
	}
	out := slices.Clone(streams)
	for k, s := range out {
		i := slices.IndexFunc(r.Trials, func(t measure.Trial) bool { return t.Workload == strconv.Itoa(s.Streams) })
		switch {
		case i >= 0:
			m := r.Trials[i].Measure
			out[k].Seconds, out[k].BPS, out[k].Bytes, out[k].Retransmits = m.Seconds, m.BPS, m.Bytes, m.Retransmits
		case err != nil:
			out[k].Error = cmp.Or(context.Cause(ctx), err).Error()
		}
	}
	return out
}
