package cli

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"seaworthy/bench"
	"seaworthy/bench/stats"
	"seaworthy/lab/replay"
	"seaworthy/report"
)

func ptr[T any](v T) *T { return &v }

func summary(n int, median float64) *stats.Summary {
	return &stats.Summary{N: n, Median: median, Low: ptr(0.9 * median), High: ptr(1.1 * median)}
}

// replayed has an outcome of every shape.
func replayed() *replay.Result {
	matrix := &replay.Matrix{Windows: []int{262144, 524288}, Options: []string{"LS", "LS,9000"}, Hosts: []replay.MatrixHost{
		{Node: "lpar1", Seed: ".243", System: "cec1"}, {Node: "lpar2", Seed: ".239", System: "cec1"}, {Node: "lpar3", Seed: ".137", System: "cec2"}}}
	for i, way := range [][4]string{{"lpar1", "LS", "lpar2", "LS"}, {"lpar1", "LS,9000", "lpar3", "LS"}, {"lpar3", "LS,9000", "lpar2", "LS,9000"}} {
		for k, w := range matrix.Windows {
			c := replay.MatrixCell{From: way[0], Option: way[1], To: way[2], Far: way[3], Window: w, Seed: float64(4+i+k) * 1e9, SeedColour: replay.Yellow}
			if i+k < 3 {
				bps := float64(1+3*i+k) * 1e9
				c.Ours, c.Colour = summary(3, bps), replay.Colour(bps)
			}
			matrix.Cells = append(matrix.Cells, c)
		}
	}
	return &replay.Result{
		Schema: replay.Schema, Seed: 7, Machine: replay.Machine{Kernel: "Linux 6.18", Arch: "amd64", CPUs: 2, Rootless: true},
		Experiments: []replay.Outcome{
			{
				ID: "E000-BW1", Title: "Largesend off and on, one TCP stream", Source: "S000:L75-79", System: "POWER8 9119-MHE, SEA on 10 Gbit/s", Tool: "iperf 2, -P1 -l1M -t60",
				Topology: "two-systems", State: replay.Interrupted, Reason: "interrupt signal received", Trials: 6, Rest: ptr(1.5),
				Cases: []replay.Case{
					{Name: "mtu_bypass=off", Limits: []string{"all 2 processors of the machine were busy (99 %)"}, Figures: []replay.Figure{
						{Figure: bench.Throughput, Seed: ptr(2.5e9), Ours: summary(3, 6.1e9)}, {Figure: bench.Cores, Seed: ptr(4.02), Ours: summary(3, 1.98)}, {Figure: replay.LineShare, Ours: summary(3, 0.64)}}},
					{Name: "mtu_bypass=on", Limits: []string{"the line of 10 Gbit/s was full (98 %)"}, Figures: []replay.Figure{
						{Figure: bench.Throughput, Seed: ptr(6.2e9), Ours: summary(3, 9.4e9)}, {Figure: bench.Cores, Seed: ptr(3.22)}}},
				},
				Claims: []replay.Verdict{
					{Claim: "largesend raises the throughput of one stream", Expect: replay.Rises, Figure: bench.Throughput, Of: "mtu_bypass=on", To: "mtu_bypass=off",
						Seed: ptr(2.48), Ours: &replay.Span{Value: 1.54, Low: ptr(1.5), High: ptr(1.6), N: 3}, Answer: replay.Holds, Less: true,
						Why: []string{"mtu_bypass=on: the line of 10 Gbit/s was full (98 %)", "mtu_bypass=off: all 2 processors of the machine were busy (99 %)"}},
					{Claim: "it does so with fewer cores", Expect: replay.Falls, Figure: bench.Cores, Of: "mtu_bypass=on", To: "mtu_bypass=off", Seed: ptr(0.8),
						Answer: replay.NotShown, Why: []string{"it was not measured: no complete block"}},
					{Claim: "turning SEA threading off saves CPU", Answer: replay.NotInLab, Why: []string{"thread is recorded only in this lab: the kernel bridges in the context that received the frame"}},
					{Claim: "the hypervisor switch has no line rate of 10 Gbit/s", Expect: replay.Above, Figure: bench.Throughput, Of: "mtu_bypass=on", Limit: ptr(1e10), Seed: ptr(11e9),
						Ours: &replay.Span{Value: 9.4e9, N: 1}, Answer: replay.Fails},
				},
				Notes: []string{"One stream is one process."},
			},
			{ID: "E002-MATRIX", Title: "Three hosts", Source: "S002:L3", System: "two Power 770", Tool: "netperf", Topology: "three-hosts", State: replay.Measured, Matrix: matrix},
			{ID: "E002-RTT", Title: "Round trips", Source: "S002:L3", System: "two Power 770", Tool: "ping", State: replay.Measured, Round: []replay.Trip{
				{Network: "10GE SEA", Reference: ptr(0.274), Seed: 0.243, Ours: summary(3, 0.04), Set: ptr(0.03), Rate: 1e10, SeedBDP: 303750.0, BDP: ptr(50000.0)},
				{Network: "10GE VMXNET3", Seed: 0.149, SeedBDP: 186250, Absent: "no ESX"},
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
	for name, print := range map[string]func(*report.Printer){
		"replay":      func(p *report.Printer) { printReplay(p, replayed()) },
		"experiments": func(p *report.Printer) { printExperiments(p, all) },
	} {
		var out bytes.Buffer
		p := report.Printer{W: &out, Width: 120}
		print(&p)
		if p.Err != nil {
			t.Fatal(p.Err)
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
