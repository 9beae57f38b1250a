package report_test

import (
	"bytes"
	"encoding/xml"
	"io"
	"regexp"
	"strings"
	"testing"
	"time"

	"seaworthy/internal/measure"
	"seaworthy/internal/measure/history"
	"seaworthy/internal/measure/stats"
	"seaworthy/internal/ui/report"
)

func series() []history.Series {
	at := func(h int) time.Time { return time.Date(2026, 5, 1, h, 0, 0, 0, time.UTC) }
	return []history.Series{
		{From: "lpar1", To: "lpar2", Driver: "builtin", Workload: "8 TCP streams", Figure: measure.Throughput, Points: []history.Point{
			{File: "r/monday.json", Started: at(7), Summary: stats.Summary{N: 5, Median: 5.6e9, Low: new(5.5e9), High: new(5.7e9)}},
			{File: "r/tuesday.json", Started: at(8), Summary: stats.Summary{N: 5, Median: 9.4e9, Low: new(9.3e9), High: new(9.5e9)},
				Effect: &stats.Effect{Ratio: 1.68, Low: new(1.66), High: new(1.7), Verdict: stats.Improved}},
			{File: "r/once.json", Summary: stats.Summary{N: 1, Median: 5.4e9}, Effect: &stats.Effect{Ratio: 0.96, Verdict: stats.Inconclusive}},
		}},
		{From: "lpar1", To: "lpar2", Workload: "10 sessions", Variant: "before", Figure: measure.LatencyP99, Points: make([]history.Point, 2)}, // in no table
	}
}

func saved() history.Saved {
	return history.Saved{File: "r/monday.json", Started: time.Date(2026, 5, 1, 7, 0, 0, 0, time.UTC), Result: measured()}
}

func reportOf(d *report.Document) {
	d.Heading(report.SavedTitle(saved()))
	report.Measured(d, measured())
	report.Series(d, series())
	report.PassedOver(d, []history.Passed{{File: "r/x.json", Reason: "no saved result"}})
}

func TestGoldenPage(t *testing.T) {
	var b bytes.Buffer
	if err := report.Page(&b, report.MeasuredTitle([]history.Saved{saved()}), reportOf); err != nil {
		t.Fatal(err)
	}
	compareGolden(t, "report.html", regexp.MustCompile(`sha256-[^']*|(?s)<style>.*</style>`).ReplaceAllString(b.String(), "…"))
}

// Nothing that a file says becomes an element of the page or ends one.
func TestPageOfHostileNames(t *testing.T) {
	const evil = "<script>alert(1)</script>\x01good\x02\"'&\x03\x01head onload=x\x02y\x03"
	r := measured()
	r.Options.From = evil
	r.Options.Workloads[0].Name = evil
	r.Mode = evil
	r.Error = evil
	r.Hosts[0].Name = evil
	r.Figures[0].Workload = evil
	r.Options.Variants = []string{"before", evil}
	s := series()
	s[0].From, s[0].Workload, s[0].Points[0].File = evil, evil, evil
	var b bytes.Buffer
	err := report.Page(&b, evil, func(d *report.Document) {
		d.Heading(report.SavedTitle(history.Saved{File: evil, Result: r}))
		report.Measured(d, r)
		r.Mode = "matrix"
		report.Measured(d, r)
		report.Series(d, s)
		report.PassedOver(d, []history.Passed{{File: evil, Reason: evil}})
	})
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(b.String(), "<script") || strings.ContainsAny(b.String(), "\x01\x02\x03") {
		t.Errorf("a name became part of the page:\n%s", b.String())
	}
	// Elements are closed in the order that they were opened.
	text := strings.NewReplacer("<!DOCTYPE html>\n", "", `<meta charset="utf-8">`, "", `<meta name="viewport" content="width=device-width">`, "").Replace(b.String())
	text = regexp.MustCompile(`(<meta http-equiv="[^>]*)>`).ReplaceAllString(text, "$1/>")
	d := xml.NewDecoder(strings.NewReader(text))
	for {
		if _, err := d.Token(); err == io.EOF {
			break
		} else if err != nil {
			t.Fatalf("%v in\n%s", err, text)
		}
	}
}
