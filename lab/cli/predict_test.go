package cli_test

import (
	"encoding/json"
	"os"
	"slices"

	"github.com/rogpeppe/go-internal/testscript"

	"seaworthy/bench"
	"seaworthy/predict"
)

// before COMPARISON RESULT keeps only the trials before the change.
func before(ts *testscript.TestScript, _ bool, args []string) {
	var r bench.Result
	ts.Check(json.Unmarshal([]byte(ts.ReadFile(args[0])), &r))
	r.Trials = slices.DeleteFunc(r.Trials, func(t bench.Trial) bool { return t.Variant != "before" })
	text, err := json.Marshal(r)
	ts.Check(err)
	ts.Check(os.WriteFile(ts.MkAbs(args[1]), text, 0o600))
}

// within PREDICTION COMPARISON: the medians measured with the change are near their
// predicted intervals: these hold 95 of 100 on a quiet machine, and what else a machine
// does while tests run is in what is measured.
func within(ts *testscript.TestScript, _ bool, args []string) {
	var p predict.Prediction
	var r bench.Result
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
	check(bench.Throughput, "", *p.After.BPS, steady)
	if !slices.ContainsFunc(r.Figures, func(f bench.Figure) bool { return f.Figure == bench.Cores && f.Host != "" }) {
		ts.Logf("this lab does not say what its hosts' cores do: lab effects says why")
		return
	}
	for _, h := range p.After.Hosts {
		check(bench.Cores, h.Host, h.Cores, busy)
	}
}
