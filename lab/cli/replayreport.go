package cli

import (
	"fmt"
	"math"
	"strings"

	"seaworthy/bench"
	"seaworthy/lab/replay"
	"seaworthy/report"
)

// printExperiments lists what can be units.
func printExperiments(p *report.Printer, all []replay.Experiment) {
	t := report.Table{Head: []string{"experiment", "source", "what it is"}, Wrap: true}
	for _, e := range all {
		t.Add(e.ID, e.Source, e.Title)
	}
	t.Print(p)
	p.Line("")
	p.Line("seaworthy lab replay E000 --quick replays those of one source, all every one.")
}

// printReplay prints every experiment: the source's figures and ours, and which
// claims hold.
func printReplay(p *report.Printer, r *replay.Result) {
	for i := range r.Experiments {
		e := &r.Experiments[i]
		p.Entry(p.Style("head", report.Safe(e.ID)), e.Title)
		p.Prose("source", fmt.Sprintf("%s; %s (%s)", e.System, e.Tool, e.Source))
		p.Prose("ours", where(r, e))
		if e.Reason != "" {
			p.Prose("state", e.State+": "+e.Reason)
		}
		if e.Rest != nil && *e.Rest > busyAtRest*float64(r.Machine.CPUs) {
			p.Prose("caution", fmt.Sprintf("before the trials %.1f of %d processors were busy with other work: "+
				"what is measured is less than this machine can do, and its CPU is not all the path's", *e.Rest, r.Machine.CPUs))
		}
		p.Line("")
		cases(p, e)
		claims(p, e)
		for _, n := range e.Notes {
			p.Prose("note", n)
		}
		p.Line("")
	}
}

func where(r *replay.Result, e *replay.Outcome) string {
	privilege := "root"
	if r.Machine.Rootless {
		privilege = "no privilege"
	}
	on := "labs"
	if e.Topology != "" {
		on = "lab " + e.Topology
	}
	return fmt.Sprintf("%s, %s, %d processors, %s, %s; %d trials, random order, seed %d",
		on, r.Machine.Kernel, r.Machine.CPUs, r.Machine.Arch, privilege, e.Trials, r.Seed)
}

// busyAtRest is the share of the processors above which other work is reported.
const busyAtRest = 0.1

// units of figures that a replay has beyond those of a measurement.
var units = map[string]struct {
	label string
	scale float64
	digit int
}{
	bench.Throughput:   {"Gbit/s", 1e-9, 2},
	bench.Transactions: {"TPS", 1, 0},
	bench.Cores:        {"cores of the path", 1, 2},
	bench.PerCore:      {"Gbit/s per core", 1, 2},
	bench.PerGbps:      {"cores per Gbit/s", 1, 3},
	bench.PerTrans:     {"core-µs per transaction", 1, 1},
	replay.LineShare:   {"% of the line", 100, 0},
	bench.LatencyP50:   {"µs latency, median", 1, 0},
	bench.LatencyP99:   {"µs latency, 99 %", 1, 0},
	bench.Retransmits:  {"retransmits/s", 1, 1},
	"rtt":              {"round trip, ms", 1, 3},
	"rtt_own":          {"without the cable's delay, ms", 1, 3},
	"rtt_ibm":          {"IBM's round trip, ms", 1, 3},
	"bdp":              {"bandwidth-delay product, bytes", 1, 0},
}

// quantity prints a figure's value without its unit.
func quantity(figure string, v *float64) string {
	if v == nil {
		return "-"
	}
	k, ok := units[figure]
	if !ok {
		if math.Abs(*v) >= 1000 || *v == math.Trunc(*v) {
			return fmt.Sprintf("%.0f", *v)
		}
		return fmt.Sprintf("%.3g", *v)
	}
	return fmt.Sprintf("%.*f", k.digit, *v*k.scale)
}

func unit(figure string) string {
	if k, ok := units[figure]; ok {
		return k.label
	}
	return strings.ReplaceAll(figure, "_", " ")
}

// many is how many cases are too many to show more than what the source has.
const many = 20

// cases is the table of figures: the source's and ours, with our interval.
func cases(p *report.Printer, e *replay.Outcome) {
	t := report.Table{Head: []string{"case", "figure", " source", " ours", " 95 % interval", " n"}, Wrap: true}
	for _, c := range e.Cases {
		name := c.Name
		for _, f := range c.Figures {
			quiet := f.Figure == bench.PerCore || f.Figure == bench.Retransmits || f.Figure == bench.LatencyP99
			if f.Published == nil && (quiet || len(e.Cases) > many) {
				continue // in the JSON
			}
			ours, interval, n := (*float64)(nil), "", ""
			if f.Ours != nil {
				ours, n = &f.Ours.Median, report.Count(f.Ours.N)
				interval = between(f.Figure, f.Ours.Low, f.Ours.High)
			}
			t.Add(report.Safe(name), report.Safe(unit(f.Figure)), quantity(f.Figure, f.Published), quantity(f.Figure, ours), interval, n)
			name = ""
		}
	}
	if len(t.Rows) > 0 {
		t.Print(p)
		p.Line("")
	}
}

func between(figure string, low, high *float64) string {
	if low == nil || high == nil {
		return ""
	}
	return quantity(figure, low) + " to " + quantity(figure, high)
}
