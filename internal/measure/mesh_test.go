package measure_test

import (
	"math"
	"strings"
	"testing"

	"seaworthy/internal/measure"
	"seaworthy/internal/measure/probe/load"
	"seaworthy/internal/remote"
)

// Pairs are measured at once: each has its figure, all together theirs, and a kernel that
// all hosts share is counted once.
func TestMesh(t *testing.T) {
	e := experiment(t)
	e.LineRate = 1000 // of no mesh
	a, b, c := e.From, e.To, localHost(t, "c")
	e.Via = []remote.Host{localHost(t, "middle")}
	pairs := []measure.Pair{{a, b, "127.0.0.1"}, {b, a, "127.0.0.1"}, {a, c, "127.0.0.1"}}
	r, err := measure.Mesh(t.Context(), e, pairs)
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Trials) != 4 || len(r.Pairs) != 9 || r.Options.From != "a, b" || r.Options.To != "a, b, c" || len(r.Hosts) != 4 {
		t.Fatalf("%d trials, %d pairs, from %s to %s, %d hosts", len(r.Trials), len(r.Pairs), r.Options.From, r.Options.To, len(r.Hosts))
	}
	for _, trial := range r.Trials {
		sum, all := 0.0, trial.BPS
		if all == nil {
			all = trial.TPS
		}
		for _, p := range trial.Pairs {
			switch {
			case trial.BPS != nil:
				sum += *p.BPS
			case p.Latency == nil:
				t.Errorf("trial %d: %s to %s has no latencies", trial.Number, p.From, p.To)
			default:
				sum += *p.TPS
			}
		}
		if len(trial.Pairs) != 3 || all == nil || math.Abs(sum / *all - 1) > 1e-9 {
			t.Errorf("trial %d: %d pairs carry %g, all together %v", trial.Number, len(trial.Pairs), sum, all)
		}
		if len(trial.Connections) != 6 || len(trial.Sockets["a"]) != 6 || len(trial.CPU) != 4 {
			t.Errorf("trial %d: %d connections, %d sockets of a, %d hosts", trial.Number, len(trial.Connections), len(trial.Sockets["a"]), len(trial.CPU))
		}
		counted := 0
		for _, cpu := range trial.CPU {
			if cpu.Counted {
				counted++
			}
		}
		if f := trial.Figures()[measure.Fairness]; counted != 1 || f < 1.0/3 || f > 1 {
			t.Errorf("trial %d: %d hosts counted for one kernel, fairness %g", trial.Number, counted, f)
		}
	}
}

func TestMeshRefuses(t *testing.T) {
	e := experiment(t)
	if _, err := measure.Mesh(t.Context(), e, nil); err == nil {
		t.Error("no pair: no error")
	}
	many := e
	many.Workloads = []measure.Workload{{Kind: load.Stream, Streams: 600}}
	both := []measure.Pair{{e.From, e.To, "127.0.0.1"}, {e.To, e.From, "127.0.0.1"}}
	if _, err := measure.Mesh(t.Context(), many, both); err == nil || !strings.Contains(err.Error(), "more than 1024 connections") {
		t.Errorf("1,200 streams of each host: %v", err)
	}
	if _, err := measure.Mesh(t.Context(), e, []measure.Pair{{e.From, e.From, "127.0.0.1"}}); err == nil {
		t.Error("a host with itself: no error")
	}
}
