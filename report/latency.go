package report

import (
	"fmt"
	"strings"

	"seaworthy/bench"
	"seaworthy/probe/load"
)

// reached is the part of the requests asked for from which on a path is said to
// have answered them.
const reached = 0.99

// latencies says from when latencies count, and where a path did not keep up.
func latencies(p *Printer, r *bench.Result) {
	closed := false
	for _, w := range r.Options.Workloads {
		if w.Kind != load.RequestResponse {
			continue
		}
		for _, v := range variants(r) {
			if figure(r, w.Name, v, bench.LatencyP99, "") == nil {
				continue
			}
			closed = closed || w.Rate == 0
			tps := figure(r, w.Name, v, bench.Transactions, "")
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
