package report_test

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"seaworthy/internal/inventory/model"
	"seaworthy/internal/measure"
	"seaworthy/internal/ui/drawing"
	"seaworthy/internal/ui/report"
)

// A result's page draws the path that it was measured on with what is compared,
// and what happened within the trials, also from a file. One without them, as
// earlier versions wrote, or one that says nonsense has a page all the same.
func TestMeasuredPath(t *testing.T) {
	page := func(r *measure.Result) string {
		t.Helper()
		text, err := json.Marshal(r)
		if err != nil {
			t.Fatal(err)
		}
		var back measure.Result
		if err := json.Unmarshal(text, &back); err != nil {
			t.Fatal(err)
		}
		var b bytes.Buffer
		if err := report.Print(report.Output{W: &b}, "html", report.Result{Data: &back, Text: func(d *report.Document) { report.Measured(d, &back) }}); err != nil {
			t.Fatal(err)
		}
		return b.String()
	}
	const path, change, course = `class="sea"`, "mtu_bypass: off → on</text>", "Throughput over time within each trial"
	walk, fleet := walked(t)
	r := comparison(t)
	r.Path = drawing.Excerpt(fleet, walk.Path)
	r.Options.Changes = []measure.Change{{Variant: "after", Values: []string{"lpar1:en0 mtu_bypass: off → on"}}}
	whole := page(r)
	for _, want := range []string{path, change, course} {
		if !strings.Contains(whole, want) {
			t.Errorf("the page lacks %q", want)
		}
	}
	const unknown = "over time is unknown for"
	if strings.Contains(whole, unknown) {
		t.Errorf("the page says %q, but all trials have a course", unknown)
	}
	r.Path = nil
	for i := range r.Trials {
		r.Trials[i].Course = nil
	}
	for _, broken := range []*model.Excerpt{nil, {}, {Fleet: &model.Fleet{Hosts: []*model.Host{nil}}, Path: *walk.Path},
		{Fleet: &model.Fleet{}, Path: model.Path{Hops: []model.Hop{{}}}}} {
		r.Path = broken
		got := page(r)
		if strings.Contains(got, path) || strings.Contains(got, course) || !strings.Contains(got, "Throughput, every trial") || !strings.Contains(got, unknown) {
			t.Errorf("%+v: the page draws what the result does not have, or lacks the trials or what is unknown", broken)
		}
	}
}
