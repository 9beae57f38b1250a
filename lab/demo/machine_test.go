package demo

import (
	"strings"
	"testing"

	"seaworthy/internal/change/plan"
	"seaworthy/internal/change/task"
	"seaworthy/internal/inventory/model"
	"seaworthy/internal/measure"
	"seaworthy/internal/measure/stats"
	"seaworthy/internal/ui/report"
	"seaworthy/internal/ui/report/doc"
)

// On a machine with other work nothing is called worse, and that work is said first; the last line says what
// was changed and what it brought.
func TestBusyMachine(t *testing.T) {
	for _, c := range []struct {
		name        string
		load, steal float64
		busy        bool
	}{
		{"idle", 0.2, 0, false},
		{"other work", 9, 0, true},
		{"other guests", 0.1, 20, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			before, after := 2.6e9, 9.2e9
			r := &Result{Machine: Machine{Processors: 2, Load: &c.load, Steal: &c.steal}, Plan: &plan.Plan{Hosts: []string{"lpar1"},
				Steps: []plan.Step{{Class: "O0", Task: task.Task{Host: "lpar1", Changes: []task.Change{{}}}}}}}
			r.Bench = &measure.Result{Results: []measure.Row{
				{Workload: "1 TCP stream", Before: measure.Short{BPS: &before}, After: measure.Short{BPS: &after},
					Effect: &stats.Effect{Ratio: 3.5, Verdict: stats.Improved}},
				{Workload: "10 sessions", Effect: &stats.Effect{Ratio: 0.85, Verdict: stats.Worse}},
			}}
			if busy := r.Machine.Busy(); busy != "" {
				notWorse(r.Bench, busy)
			}
			got := r.Bench.Results[1].Effect.Verdict
			if (got == stats.Worse) == c.busy {
				t.Errorf("got verdict %s, want worse: %v", got, !c.busy)
			}
			r.Path = &model.Path{}
			var d report.Document
			Report(&d, r, nil)
			var text strings.Builder
			err := doc.WriteMarkdown(&text, &d)
			if err != nil || strings.HasPrefix(text.String(), "This machine had other work") != c.busy {
				t.Errorf("the report begins, %v:\n%.200s", err, text.String())
			}
			short := InShort(r)
			if !strings.Contains(short, "1 TCP stream 2.6 → 9.2 Gbit/s.") || !strings.Contains(short, "1 change on 1 host, no outage") {
				t.Errorf("in short: %s", short)
			}
		})
	}
}
