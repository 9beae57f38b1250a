package measure_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"seaworthy/internal/measure"
	"seaworthy/internal/measure/probe/load"
	"seaworthy/internal/measure/stats"
	"seaworthy/internal/remote"
	"seaworthy/internal/remote/local"
	"seaworthy/internal/test/needs"
	"seaworthy/internal/test/remotetest"
)

// helperDir builds the helper once for all tests of the package.
var helperDir = sync.OnceValues(func() (string, error) {
	dir := filepath.Join(tempRoot, "bin")
	if err := os.Mkdir(dir, 0o755); err != nil {
		return "", err
	}
	return dir, needs.Programs(dir, "seaworthy-probe")
})

// localHost is this machine under a name, with the helper installed.
func localHost(t *testing.T, name string) remote.Host {
	t.Helper()
	dir, err := helperDir()
	if err != nil {
		t.Fatal(err)
	}
	return newLocal(name, dir)
}

func newLocal(name, dir string) remote.Host {
	return local.New(name, "PATH="+dir+":/usr/sbin:/usr/bin:/sbin:/bin")
}

func experiment(t *testing.T) measure.Experiment {
	return measure.Experiment{
		From: localHost(t, "a"), To: localHost(t, "b"), Target: "127.0.0.1", Seed: 7, Repetitions: 2,
		Workloads: []measure.Workload{
			{Name: "bulk", Kind: load.Stream, Streams: 2, Write: 64 << 10, Seconds: 0.15, Warmup: 0.05},
			{Name: "ask", Kind: load.RequestResponse, Sessions: 2, Request: 700, NoDelay: true, Seconds: 0.15, Warmup: 0.05},
		},
	}
}

func TestRun(t *testing.T) {
	e := experiment(t)
	e.Via = []remote.Host{localHost(t, "middle")}
	calls := map[string]uint64{}
	var mu sync.Mutex
	e.Counters = func(_ context.Context, h remote.Host) (map[string]map[string]uint64, error) {
		mu.Lock()
		defer mu.Unlock()
		if h.Name() == "middle" {
			return nil, errors.New("entstat: not root")
		}
		calls[h.Name()]++
		return map[string]map[string]uint64{"ent0": {"moves": 10 * calls[h.Name()], "stands": 5}}, nil
	}
	events := 0
	e.Progress = func(measure.Event) { events++ }
	r, err := measure.Run(t.Context(), e)
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Trials) != 4 || events != 8 {
		t.Errorf("got %d trials and %d events, want 4 and 8", len(r.Trials), events)
	}
	for _, tr := range r.Trials {
		switch tr.Workload {
		case "bulk":
			if tr.BPS == nil || *tr.BPS <= 0 || tr.TPS != nil || len(tr.Connections) != 2 {
				t.Errorf("trial %d: got bps %v, tps %v, connections %v; want bps of two connections", tr.Number, tr.BPS, tr.TPS, tr.Connections)
			}
		case "ask":
			if tr.TPS == nil || *tr.TPS <= 0 || tr.BPS != nil || tr.Latency == nil {
				t.Errorf("trial %d: got tps %v, bps %v, latency %v; want tps and latency", tr.Number, tr.TPS, tr.BPS, tr.Latency)
			}
		}
		// What moved over the time of the trial is what moved in all.
		if c := tr.Course; c == nil || len(c.Until) != len(c.Rates) || len(c.Rates) < 3 || len(c.Rates) > 60 {
			t.Errorf("trial %d: course %+v, want 3 to 60 points", tr.Number, c)
		} else {
			sum, at, all := 0.0, 0.0, tr.Figures()[tr.CourseOf()]*tr.Seconds
			for i, until := range c.Until {
				sum, at = sum+c.Rates[i]*(until-at), until
			}
			if math.Abs(at-tr.Seconds) > 0.02 || math.Abs(sum/all-1) > 0.1 {
				t.Errorf("trial %d: its course has %g in %g s, the trial %g in %g s", tr.Number, sum, at, all, tr.Seconds)
			}
		}
		if len(tr.Sockets["a"]) != 2 || len(tr.Sockets["b"]) != 2 {
			t.Errorf("trial %d: got sockets of %d and %d connections, want 2 and 2", tr.Number, len(tr.Sockets["a"]), len(tr.Sockets["b"]))
		}
		// All three hosts are one kernel: its CPU counts once.
		if tr.Cores == nil || len(tr.CPU) != 3 {
			t.Fatalf("trial %d: got cores %v of %d hosts, want 3 hosts", tr.Number, tr.Cores, len(tr.CPU))
		}
		if got, want := *tr.Cores, tr.CPU["b"].Cores; got != want {
			t.Errorf("trial %d: got %g cores on the path, want %g, those of the shared kernel once", tr.Number, got, want)
		}
		if len(tr.Counters) != 2 || tr.Counters[0].Counter != "moves" || tr.Counters[0].Delta != 10 {
			t.Errorf("trial %d: got counters %+v, want the moving one of a and of b", tr.Number, tr.Counters)
		}
		if len(tr.NoCount) != 1 || !strings.Contains(tr.NoCount[0], "not root") {
			t.Errorf("trial %d: got unknown counters %q, want those of middle", tr.Number, tr.NoCount)
		}
	}
	for _, want := range []string{"bulk bps", "bulk cores_per_gbps", "bulk gbps_per_core", "ask tps", "ask core_us_per_trans", "ask latency_p99_us"} {
		if !slices.ContainsFunc(r.Figures, func(f measure.Figure) bool { return f.Workload+" "+f.Figure == want && f.N == 2 && f.Low != nil }) {
			t.Errorf("figure %s with n 2 and an interval is missing", want)
		}
	}
}

func TestCompare(t *testing.T) {
	e := experiment(t)
	e.Workloads = e.Workloads[:1]
	e.Repetitions, e.Control = 3, 2
	var applied []string
	variant := func(name string) measure.Variant {
		return measure.Variant{Name: name, Apply: func(context.Context) error {
			applied = append(applied, name)
			return nil
		}}
	}
	r, err := measure.Compare(t.Context(), e, variant("off"), variant("on"))
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Trials) != 8 {
		t.Errorf("got %d trials, want 3 of each variant and 2 controls", len(r.Trials))
	}
	if last := applied[len(applied)-1]; len(applied) != 9 || last != "off" {
		t.Errorf("got %d applications, the last %s; want 9 and off, as found", len(applied), last)
	}
	var order []string
	for _, tr := range r.Trials {
		order = append(order, tr.Variant)
	}
	if !slices.Equal(order, applied[:8]) {
		t.Errorf("got trials in order %v, applied were %v", order, applied)
	}
	if len(r.Results) != 1 || r.Results[0].Before.BPS == nil || r.Results[0].After.BPS == nil || r.Results[0].Effect == nil {
		t.Fatalf("got results %+v, want one row with before, after and effect", r.Results)
	}
	if !slices.ContainsFunc(r.Controls, func(c measure.Contrast) bool { return c.Figure == measure.Throughput && c.Blocks == 2 }) {
		t.Errorf("got controls %+v, want one of bps over 2 blocks", r.Controls)
	}
	text, err := json.Marshal(r)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{`"schema":"seaworthy.result/1"`, `"results":[{"workload":"bulk","before":{"bps":`, `"effect":{"blocks":3,"ratio":`, `"verdict":`} {
		if !strings.Contains(string(text), want) {
			t.Errorf("JSON lacks %s: %.300s", want, text)
		}
	}
	again, err := measure.Compare(t.Context(), e, variant("off"), variant("on"))
	if err != nil {
		t.Fatal(err)
	}
	for i, tr := range again.Trials {
		if tr.Variant != order[i] {
			t.Errorf("same seed: got %s at trial %d, want %s", tr.Variant, i+1, order[i])
		}
	}
}

func TestCompareFailureKeepsTrialsAndRestores(t *testing.T) {
	e := experiment(t)
	e.Workloads = e.Workloads[:1]
	e.Control = -1
	e.Repetitions = 3
	n := 0
	broken := measure.Variant{Name: "on", Apply: func(context.Context) error {
		n++
		if n == 2 {
			return errors.New("vios1 ent8: chdev largesend: busy")
		}
		return nil
	}}
	restored := false
	e.Restore = func(ctx context.Context) error { restored = ctx.Err() == nil; return nil }
	r, err := measure.Compare(t.Context(), e, measure.Variant{Name: "off"}, broken)
	if err == nil || !strings.Contains(err.Error(), "vios1 ent8") {
		t.Fatalf("got %v, want the error of the variant", err)
	}
	if len(r.Trials) < 2 || !restored || r.Error == "" {
		t.Errorf("got %d trials, restored %v, error %q; want the finished trials, true and the reason", len(r.Trials), restored, r.Error)
	}
	if len(r.Results) != 1 || r.Results[0].Effect == nil || r.Results[0].Effect.Verdict != stats.Inconclusive {
		t.Errorf("got results %+v, want the one complete block, inconclusive", r.Results)
	}
}

func TestCancel(t *testing.T) {
	e := experiment(t)
	e.Repetitions = 50
	ctx, cancel := context.WithCancel(t.Context())
	e.Progress = func(ev measure.Event) {
		if ev.Done == 2 && !ev.Finished {
			time.AfterFunc(150*time.Millisecond, cancel)
		}
	}
	r, err := measure.Run(ctx, e)
	if !errors.Is(err, context.Canceled) {
		t.Fatalf("got %v, want context.Canceled", err)
	}
	if len(r.Trials) != 2 || !strings.HasPrefix(r.Error, "interrupted") {
		t.Errorf("got %d trials, error %q; want the 2 finished ones, interrupted", len(r.Trials), r.Error)
	}
}

func TestHostDies(t *testing.T) {
	dir, err := helperDir()
	if err != nil {
		t.Fatal(err)
	}
	shell := func(ctx context.Context, c *remotetest.Call) int {
		c.Line = "PATH=" + dir + ":$PATH; " + c.Line
		return remotetest.Shell(ctx, c)
	}
	f := remotetest.Start(t, map[string]remotetest.Handler{"a": shell, "b": shell})
	e := experiment(t)
	e.From, e.To, e.Repetitions = f.Host("a"), f.Host("b"), 3
	e.Progress = func(ev measure.Event) {
		if ev.Done == 1 && !ev.Finished {
			time.AfterFunc(200*time.Millisecond, f.Server("b").Cut)
		}
	}
	r, err := measure.Run(t.Context(), e)
	if err == nil || !strings.Contains(err.Error(), "b: seaworthy-probe") {
		t.Fatalf("got %v, want an error that names host b and its helper", err)
	}
	if len(r.Trials) != 1 {
		t.Errorf("got %d trials, want the finished one", len(r.Trials))
	}
}

// A VIOS where no helper can run is metered by its own lparstat, which padmin's
// shell does not find: all goes through oem_setup_env, whatever its exit status.
func TestViaWithoutHelper(t *testing.T) {
	handler := func(_ context.Context, c *remotetest.Call) int {
		switch {
		case !strings.HasSuffix(c.Line, " | oem_setup_env"):
			fmt.Fprintln(c.Stderr, "rksh: "+strings.Fields(c.Line)[0]+": not found.")
			return 127
		case strings.Contains(c.Line, "uname"):
			fmt.Fprintln(c.Stdout, "seaworthy|AIX|00F6ABCD4C00|7.2|7 vios1|PowerPC_POWER9|")
		case regexp.MustCompile(`lparstat \d+ 1`).MatchString(c.Line):
			_, _ = io.WriteString(c.Stdout, "\nSystem configuration: type=Shared mode=Uncapped smt=4 lcpu=8 mem=8192MB psize=4 ent=1.00 \n\n"+
				"%user  %sys  %wait  %idle physc %entc\n----- ----- ------ ------ ----- -----\n  5.0  45.0    0.0   50.0  1.25 125.0\n")
		}
		return 4
	}
	f := remotetest.Start(t, map[string]remotetest.Handler{"vios1": handler})
	e := experiment(t)
	e.Workloads, e.Repetitions = e.Workloads[:1], 1
	e.Via = []remote.Host{f.Host("vios1")}
	r, err := measure.Run(t.Context(), e)
	if err != nil {
		t.Fatal(err)
	}
	tr := r.Trials[0]
	if c, ok := tr.CPU["vios1"]; !ok || c.Cores != 1.25 || c.Scope != "lpar:00F6ABCD4C00:7" {
		t.Errorf("got %+v, want 1.25 cores of the partition", c)
	}
	if tr.Cores == nil || *tr.Cores != 1.25+tr.CPU["b"].Cores {
		t.Errorf("got cores %v, want those of both scopes", tr.Cores)
	}
}

func TestWrongExperiments(t *testing.T) {
	for name, change := range map[string]func(*measure.Experiment){
		"no host":        func(e *measure.Experiment) { e.To = nil },
		"no target":      func(e *measure.Experiment) { e.Target = "" },
		"no workload":    func(e *measure.Experiment) { e.Workloads = nil },
		"same name":      func(e *measure.Experiment) { e.Workloads[1].Name = e.Workloads[0].Name },
		"unknown kind":   func(e *measure.Experiment) { e.Workloads[0].Kind = "udp" },
		"too many":       func(e *measure.Experiment) { e.Workloads[0].Streams = 1 << 20 },
		"no time":        func(e *measure.Experiment) { e.Workloads[0].Seconds = -1 },
		"backward ask":   func(e *measure.Experiment) { e.Workloads[1].Reverse = true },
		"negative count": func(e *measure.Experiment) { e.Repetitions = -1 },
	} {
		e := experiment(t)
		change(&e)
		if r, err := measure.Run(t.Context(), e); err == nil || r != nil {
			t.Errorf("%s: got %v and %v, want an error and no result", name, r, err)
		}
	}
}

// A matrix measures every variant once a block, and compares each with the first.
func TestMatrix(t *testing.T) {
	e := experiment(t)
	e.Workloads = e.Workloads[:1]
	e.Repetitions = 3
	var applied []string
	variant := func(name string) measure.Variant {
		return measure.Variant{Name: name, Apply: func(context.Context) error {
			applied = append(applied, name)
			return nil
		}}
	}
	r, err := measure.Matrix(t.Context(), e, variant("a"), variant("b"), variant("c"))
	if err != nil {
		t.Fatal(err)
	}
	if len(applied) != 10 || applied[9] != "a" {
		t.Errorf("got %q applied, want every variant three times and the first one at the end", applied)
	}
	seen := map[string]int{}
	for _, tr := range r.Trials {
		seen[fmt.Sprint(tr.Block, tr.Variant)]++
	}
	if len(r.Trials) != 9 || len(seen) != 9 {
		t.Errorf("got %d trials in %v, want one of each variant in each block", len(r.Trials), seen)
	}
	for _, want := range []string{"b", "c"} {
		i := slices.IndexFunc(r.Contrast, func(c measure.Contrast) bool { return c.Variant == want && c.Figure == measure.Throughput })
		if i < 0 || r.Contrast[i].Blocks != 3 || len(r.Contrast[i].Ratios) != 3 {
			t.Fatalf("%s against a: no effect on throughput over three blocks", want)
		}
		var a, b float64
		for _, tr := range r.Trials {
			if tr.Block == 1 && tr.Variant == "a" {
				a = *tr.BPS
			}
			if tr.Block == 1 && tr.Variant == want {
				b = *tr.BPS
			}
		}
		if got := r.Contrast[i].Ratios[0]; got != b/a {
			t.Errorf("%s against a in block 1: got %g, want %g", want, got, b/a)
		}
	}
	for _, bad := range [][]measure.Variant{nil, {variant("a"), variant("a")}, {{}}} {
		if _, err := measure.Matrix(t.Context(), e, bad...); err == nil {
			t.Errorf("%v: got no error, want one", bad)
		}
	}
}
