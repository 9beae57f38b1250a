package cli

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"seaworthy/internal/measure"
	"seaworthy/internal/measure/stats"
	"seaworthy/internal/ui/report"
	"seaworthy/internal/ui/report/doc"
	"seaworthy/lab/replay"
)

func summary(n int, median float64) *stats.Summary {
	return &stats.Summary{N: n, Median: median, Low: new(0.9 * median), High: new(1.1 * median)}
}

// replayed has an outcome of every shape.
func replayed() *replay.Result {
	return &replay.Result{
		Schema: replay.Schema, Seed: 7, Machine: replay.Machine{Kernel: "Linux 6.18", Arch: "amd64", CPUs: 2, Rootless: true},
		Experiments: []replay.Outcome{
			{
				About: replay.About{ID: "E000-BW1", Title: "Largesend off and on, one TCP stream", Source: "S000:L75-79",
					System: "POWER8 9119-MHE, SEA on 10 Gbit/s", Tool: "iperf 2, -P1 -l1M -t60",
					Topology: "two-systems", Notes: []string{"One stream is one process."}},
				State: replay.Interrupted, Reason: "interrupt signal received", Trials: 6, Load: new(1.5),
				Cases: []replay.Case{
					{Name: "mtu_bypass=off", Limits: []string{"all processors of the machine were busy (99 %)"}, Figures: []replay.Figure{
						{Figure: measure.Throughput, Published: new(2.5e9), Ours: summary(3, 6.1e9)},
						{Figure: measure.Cores, Published: new(4.02), Ours: summary(3, 1.98)}, {Figure: replay.LineShare, Ours: summary(3, 0.64)}}},
					{Name: "mtu_bypass=on", Limits: []string{"the line was full (98 %)"}, Figures: []replay.Figure{
						{Figure: measure.Throughput, Published: new(6.2e9), Ours: summary(3, 9.4e9)}, {Figure: measure.Cores, Published: new(3.22)}}},
				},
				Claims: []replay.Verdict{
					{Claim: replay.Claim{Text: "largesend raises the throughput of one stream", Expect: replay.Rises,
						Figure: measure.Throughput, Of: "mtu_bypass=on", To: "mtu_bypass=off"},
						Published: new(2.48), Ours: &replay.Span{Value: 1.54, Low: new(1.5), High: new(1.6), N: 3}, Answer: replay.Holds, Less: true},
					{Claim: replay.Claim{Text: "it does so with fewer cores", Expect: replay.Falls, Figure: measure.Cores,
						Of: "mtu_bypass=on", To: "mtu_bypass=off"}, Published: new(0.8),
						Answer: replay.NotShown, Why: []string{"it was not measured: no complete block"}},
					{Claim: replay.Claim{Text: "turning SEA threading off saves CPU"}, Answer: replay.NotInLab,
						Why: []string{"thread is recorded only in this lab: the kernel bridges in the context that received the frame"}},
					{Claim: replay.Claim{Text: "the hypervisor switch has no line rate of 10 Gbit/s", Expect: replay.Above,
						Figure: measure.Throughput, Of: "mtu_bypass=on"}, Limit: new(1e10), Published: new(11e9),
						Ours: &replay.Span{Value: 9.4e9, N: 1}, Answer: replay.Fails},
				},
			},
			{About: replay.About{ID: "E002-RTT", Title: "Round trips", Source: "S002:L3", System: "two Power 770", Tool: "ping"},
				State: replay.Measured, Cases: []replay.Case{
					{Name: "10GE SEA", Figures: []replay.Figure{
						{Figure: "rtt", Published: new(0.243), Ours: summary(3, 0.04)}, {Figure: "bdp", Published: new(303750.0), Ours: summary(3, 50000)}}},
					{Name: "10GE VMXNET3", Figures: []replay.Figure{{Figure: "rtt", Published: new(0.149)}}},
				}},
		},
	}
}

var update = flag.Bool("update", false, "rewrite golden files")

func TestGolden(t *testing.T) {
	all, err := replay.All()
	if err != nil {
		t.Fatal(err)
	}
	for name, print := range map[string]func(*report.Document){
		"replay":      func(p *report.Document) { printReplay(p, replayed()) },
		"experiments": func(p *report.Document) { printExperiments(p, all) },
	} {
		var out bytes.Buffer
		var d report.Document
		print(&d)
		if err := doc.WriteText(&out, &d, doc.Screen{Width: 120}); err != nil {
			t.Fatal(err)
		}
		file := filepath.Join("testdata", name+".golden")
		if *update {
			if err := os.WriteFile(file, out.Bytes(), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(string(want), out.String()); diff != "" {
			t.Errorf("%s: want -, got + (go test ./lab/cli -update rewrites it)\n%s", name, diff)
		}
	}
}

// The page of a replay has the source's figures beside ours, and what every text
// said is text.
func TestReplayPage(t *testing.T) {
	r := replayed()
	r.Experiments[0].Title = "<script>alert(1)</script>"
	var b bytes.Buffer
	err := report.Print(report.Output{W: &b}, "html", report.Result{Data: replayPage{r}, Text: func(p *report.Document) { printReplay(p, r) }})
	if err != nil {
		t.Fatal(err)
	}
	page := b.String()
	for _, want := range []string{"2 published experiments replayed", "of 4 claims 1 holds, 1 does not hold, 1 not shown, 1 not in this lab.",
		"Ratios that the source claims", "Gbit/s, every trial", "Round trip, ms, every trial", "&lt;script&gt;"} {
		if !strings.Contains(page, want) {
			t.Errorf("the page lacks %q", want)
		}
	}
	if strings.Contains(page, "<script") {
		t.Error("a title became an element")
	}
}
