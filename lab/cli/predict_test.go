package cli_test

import (
	"encoding/json"
	"os"
	"slices"

	"github.com/rogpeppe/go-internal/testscript"

	"seaworthy/internal/measure"
	"seaworthy/internal/predict"
)

// before COMPARISON RESULT keeps only the trials before the change.
func before(ts *testscript.TestScript, _ bool, args []string) {
	var r measure.Result
	ts.Check(json.Unmarshal([]byte(ts.ReadFile(args[0])), &r))
	r.Trials = slices.DeleteFunc(r.Trials, func(t measure.Trial) bool { return t.Variant != "before" })
	text, err := json.Marshal(r)
	ts.Check(err)
	ts.Check(os.WriteFile(ts.MkAbs(args[1]), text, 0o600))
}

// within PREDICTION COMPARISON: the medians measured with the change are near their
// predicted intervals: these hold 95 of 100 on a quiet machine, and what else a machine
// does while tests run is in what is measured.
func within(ts *testscript.TestScript, _ bool, args []string) {
	var p predict.Prediction
	var r measure.Result
	ts.Check(json.Unmarshal([]byte(ts.ReadFile(args[0])), &p))
	ts.Check(json.Unmarshal([]byte(ts.ReadFile(args[1])), &r))
	if p.After == nil || p.After.BPS == nil {
		ts.Fatalf("nothing is predicted: %+v", p.After)
	}
	const steady, busy = 1.5, 4
	check := func(figure, host string, e predict.Estimate, slack float64) {
		for _, f := range r.Figures {
			if f.Variant == "after" && f.Figure == figure && f.Host == host {
				ts.Logf("%s %s: measured %.4g, predicted %.4g (%.4g to %.4g)", figure, host, f.Median, e.Median, e.Low, e.High)
				if f.Median < e.Low/slack || f.Median > e.High*slack {
					ts.Fatalf("%s %s: measured %.4g, predicted %.4g to %.4g", figure, host, f.Median, e.Low, e.High)
				}
				return
			}
		}
		ts.Fatalf("%s %s was not measured", figure, host)
	}
	check(measure.Throughput, "", *p.After.BPS, steady)
	if !slices.ContainsFunc(r.Figures, func(f measure.Figure) bool { return f.Figure == measure.Cores && f.Host != "" }) {
		ts.Logf("this lab does not say what its hosts' cores do: lab effects says why")
		return
	}
	for _, h := range p.After.Hosts {
		check(measure.Cores, h.Host, h.Cores, busy)
	}
}

// carries PREDICTION RESULT: what hosts carried between two snapshots is what the load was, and their cores are predicted
// around what was measured.
func carries(ts *testscript.TestScript, _ bool, args []string) {
	var carried predict.Prediction
	var r measure.Result
	for i, into := range []any{&carried, &r} {
		ts.Check(json.Unmarshal([]byte(ts.ReadFile(args[i])), into))
	}
	if len(carried.Carried) == 0 && len(carried.Unused) == len(carried.Now.Hosts) {
		ts.Logf("the load took too little of this machine to be seen: %v", carried.Unused)
		return
	}
	t, load := r.Trials[0], r.Options.Workloads[0]
	sent := *t.BPS * (load.Seconds + load.Warmup)
	for _, c := range carried.Carried {
		ts.Logf("%+v, the load %.4g bit", c, sent)
		if all := c.BPS * c.Seconds; all < 0.5*sent || all > 2*sent {
			ts.Fatalf("%s: carried %.4g bit, the load was %.4g", c.Host, all, sent)
		}
		cpu := t.CPU[c.Host]
		own := cpu.Alone()
		if own == nil || *t.BPS < carried.Now.BPS.Low { // a machine that is busier than when the priors were measured
			continue
		}
		const busy = 4
		i := slices.IndexFunc(carried.Now.Hosts, func(h predict.HostUse) bool { return h.Host == c.Host })
		if e := carried.Now.Hosts[i].Cores; *own < e.Low/busy || *own > e.High*busy {
			ts.Fatalf("%s: %.3f cores, predicted %+v", c.Host, *own, e)
		}
	}
}
