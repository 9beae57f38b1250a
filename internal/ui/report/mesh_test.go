package report_test

import (
	"strings"
	"testing"

	"seaworthy/internal/measure"
	"seaworthy/internal/measure/probe/load"
	"seaworthy/internal/measure/stats"
	"seaworthy/internal/ui/report"
	"seaworthy/internal/ui/report/doc"
)

// pairsOf are all pairs of hosts, each with so many Mbit/s more than the one before.
func pairsOf(hosts ...string) *measure.Result {
	r := &measure.Result{Mode: "mesh", Options: measure.Options{Workloads: []measure.Workload{{Name: "1 stream", Kind: load.Stream}}}}
	for _, from := range hosts {
		for _, to := range hosts {
			if from != to {
				r.Pairs = append(r.Pairs, measure.PairFigure{Workload: "1 stream", From: from, To: to, Figure: measure.Throughput,
					Summary: stats.Summary{N: 3, Median: float64(len(r.Pairs)+1) * 1e6}})
			}
		}
	}
	return r
}

// Few hosts are a matrix, many a list; names of hosts are text.
func TestMesh(t *testing.T) {
	print := func(r *measure.Result) string {
		return printed(t, func(d *report.Document) { report.Mesh(d, r) }, doc.Screen{})
	}
	want := "1 stream, Mbit/s  to a  to b  to c\nfrom a               -     1     2\nfrom b               3     -     4\nfrom c               5     6     -\n"
	if got := print(pairsOf("a", "b", "c")); !strings.HasPrefix(got, want) {
		t.Errorf("got\n%swant\n%s", got, want)
	}
	names := strings.Split("abcdefghij", "")
	if got := print(pairsOf(names...)); strings.Count(got, "to ") != 90 || !strings.Contains(got, "\nj         to i      90") {
		t.Errorf("90 pairs are not listed:\n%s", got)
	}
	if got := print(pairsOf("a\x1b[2J", "b", "c")); strings.Contains(got, "\x1b") {
		t.Errorf("%q", got)
	}
}
