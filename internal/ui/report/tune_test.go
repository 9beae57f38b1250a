package report_test

import (
	"seaworthy/internal/knowledge"
	"seaworthy/internal/measure"
	"seaworthy/internal/measure/stats"
	"seaworthy/internal/tune"
	"seaworthy/internal/tune/space"
)

// studied is a study of three factors that found one, or nothing.
func studied(found bool) *tune.Result {
	s := &space.Space{Left: []space.Left{{What: "jumbo frames", Why: "outage class O5: failover (--max-outage O5)"}}}
	for _, name := range []string{"lpar1:en0 mtu_bypass", "window", "lpar2:en0 thread"} {
		s.Factors = append(s.Factors, space.Factor{Name: name, Class: knowledge.O0, Levels: []space.Level{{Label: "off"}, {Label: "on"}}})
	}
	interval := func(low, high float64) *stats.Summary {
		return &stats.Summary{N: 4, Median: (low + high) / 2, Low: &low, High: &high}
	}
	r := &tune.Result{Schema: tune.Schema, From: "lpar1:en0", To: "lpar2:en0", Goal: "throughput", Unit: "Mbit/s", Trials: 80, Seconds: 251, Budget: 300,
		Margin: 0.02, Space: s, Noise: tune.Noise{Blocks: 5, Share: 0.057, Value: 980, Smallest: new(0.117)},
		Design: &tune.Design{Kind: "full factorial", Runs: []string{"as found", "window=on"}, Replicates: 2, Blocks: 4, Trials: 20, OneByOne: 38, Seconds: 62,
			Words: []string{"every main effect is free of the others and of two-factor interactions"}, Repaired: 1,
			Outages: map[knowledge.Class]int{knowledge.O2: 4}},
		Effects: []tune.Effect{
			{Factors: []string{"lpar1:en0 mtu_bypass"}, Level: "on", Ratio: 2.1, Low: new(1.9), High: new(2.3), P: 1e-9, Shown: true},
			{Factors: []string{"window"}, Level: "on", Ratio: 1.01, P: 0.4}},
		Pairs: []tune.Effect{{Factors: []string{"lpar1:en0 mtu_bypass", "window"}, Ratio: 0.97, Low: new(0.9), High: new(1.05), P: 0.31,
			Aliases: []string{"window×lpar2:en0 thread"}}},
		Raced: []tune.Candidate{{Settings: "lpar1:en0 mtu_bypass=on", Blocks: 4, Ratio: new(2.0)}, {Settings: "window=on", Blocks: 3, Dropped: true}},
		Cells: []tune.Cell{{Settings: "lpar1:en0 mtu_bypass=on", N: 6, Median: 2011, Low: new(1800.0), High: new(2200.0), Ratio: interval(1.9, 2.1)},
			{Settings: "as found", N: 2, Median: 980, Low: new(1.0), High: new(9e5)}},
		Barred: []tune.Barred{{Settings: "lpar2:en0 thread=on", Why: "p99 latency in µs: 900, at most 400 allowed (as found: 200)"}},
	}
	r.Unwatched = []string{"cores of vios1"}
	look := &stats.Look{Effect: stats.Effect{Blocks: 4, Ratio: 1.99, Low: new(1.8), High: new(2.2), Verdict: stats.Improved}, Decided: true}
	r.Winner = &tune.Winner{Words: "lpar1:en0 mtu_bypass=on", Before: 975, After: 1940, Look: look, Most: 12, Also: []tune.Also{
		{Figure: measure.Cores, Before: 1.2, After: 1.31, Ratio: 1.09, Low: new(1.05), High: new(1.13)},
		{Figure: measure.PerCore, Before: 0.81, After: 1.48, Ratio: 1.83, Low: new(1.7), High: new(1.95)}}, Parts: []tune.Part{
		{Factor: "lpar1:en0 mtu_bypass", Level: "on", Kept: true, Ratio: new(1.97), Low: new(1.7), High: new(2.3)},
		{Factor: "window", Level: "on", Ratio: new(1.0), Low: new(0.9), High: new(1.1)}}}
	r.Found = found
	if found {
		r.Plan, r.PlanFile = samplePlan(), "tune-lpar1-lpar2.plan.json"
		return r
	}
	look.Effect = stats.Effect{Blocks: 12, Ratio: 1.01, Low: new(0.98), High: new(1.04), Verdict: stats.NoDifference}
	r.Reason = "the leader of the race was not confirmed on fresh blocks"
	return r
}
