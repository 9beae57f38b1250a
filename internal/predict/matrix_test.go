package predict

import (
	"encoding/json"
	"math"
	"os"
	"slices"
	"testing"

	"seaworthy/internal/knowledge"
	"seaworthy/internal/measure"
)

// resultsOf are those of bench in the lab.
func resultsOf(t testing.TB, name string) []*measure.Result {
	t.Helper()
	text, err := os.ReadFile("testdata/" + name + ".json")
	if err != nil {
		t.Fatal(err)
	}
	var results []*measure.Result
	if err := json.Unmarshal(text, &results); err != nil {
		t.Fatal(err)
	}
	return results
}

// matrix are the cells measured in the lab, by topology: mtu_bypass, large_receive, MTU,
// streams and window in every combination.
func matrix(t *testing.T) map[string][]Observation {
	t.Helper()
	out := map[string][]Observation{}
	for _, r := range resultsOf(t, "matrix") {
		seen, unused := Observe(r, &r.Path.Path)
		if len(unused) > 0 {
			t.Errorf("%s: not used: %v", r.Name, unused)
		}
		out[r.Name] = append(out[r.Name], seen...)
	}
	return out
}

// score collects how far predictions are from what was measured.
type score struct {
	off  []float64
	held int
}

func (s *score) add(e *Estimate, measured float64) {
	s.off = append(s.off, math.Abs(e.Median/measured-1))
	if e.Low <= measured && measured <= e.High {
		s.held++
	}
}

func (s *score) median() float64 {
	slices.Sort(s.off)
	return s.off[len(s.off)/2]
}

func (s *score) coverage() float64 { return float64(s.held) / float64(len(s.off)) }

// Each cell of the lab is predicted from all others of its topology; the priors are those
// of POWER, which know nothing of it.
func TestMatrixLeftOut(t *testing.T) {
	costs, _ := knowledge.BuiltIn().Costs("power")
	var bps, cores score
	for name, cells := range matrix(t) {
		if len(cells) < 48 {
			t.Errorf("%s: got %d cells", name, len(cells))
		}
		var topology, topologyCores score
		for i, o := range cells {
			p, err := predict(costs, o.Setup, nil, slices.Delete(slices.Clone(cells), i, i+1), 400)
			if err != nil {
				t.Fatal(err)
			}
			used := 0.0
			for _, c := range o.Cores {
				used += c
			}
			for _, s := range []*score{&bps, &topology} {
				s.add(p.Now.BPS, o.BPS)
			}
			for _, s := range []*score{&cores, &topologyCores} {
				s.add(p.Now.Cores, used)
			}
			if testing.Verbose() {
				n := p.Now
				t.Logf("%s sent %5.0f received %5.0f window %6.0f streams %d: %.2f Gbit/s (%.2f to %.2f), measured %.2f; %.2f cores (%.2f to %.2f), measured %.2f",
					name, o.Setup.Sent, o.Setup.Received, o.Setup.Window, o.Setup.Streams, n.BPS.Median/1e9, n.BPS.Low/1e9, n.BPS.High/1e9, o.BPS/1e9,
					n.Cores.Median, n.Cores.Low, n.Cores.High, used)
			}
		}
		t.Logf("%s: %d cells, throughput off by %.1f %%, %.0f %% held, cores by %.1f %%, %.0f %% held", name, len(cells),
			100*topology.median(), 100*topology.coverage(), 100*topologyCores.median(), 100*topologyCores.coverage())
	}
	t.Logf("all: throughput off by %.1f %%, %.0f %% held, cores by %.1f %%, %.0f %% held",
		100*bps.median(), 100*bps.coverage(), 100*cores.median(), 100*cores.coverage())
	const most, least = 0.10, 0.90
	if bps.median() > most || cores.median() > most || bps.coverage() < least || cores.coverage() < least {
		t.Errorf("want medians within %v and %v of the cells in their intervals", most, least)
	}
}

// Whatever a file of results says, it is read or passed over, and what is made of it is
// a number or none.
func FuzzObserve(f *testing.F) {
	for _, name := range []string{"matrix", "transactions"} {
		short := resultsOf(f, name)[0] // mutations of a long one are slow
		short.Trials, short.Options.Workloads = short.Trials[:1], short.Options.Workloads[:1]
		short.Options.Workloads[0].Name = short.Trials[0].Workload
		text, err := json.Marshal(short)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(text)
	}
	f.Add([]byte(`{"path":{"path":{"hops":[{"ref":{"host":"a","element":"b"}},{}]},"fleet":{"hosts":[]}}}`))
	costs, _ := knowledge.BuiltIn().Costs("power")
	f.Fuzz(func(t *testing.T, text []byte) {
		var r measure.Result
		if json.Unmarshal(text, &r) != nil || r.Path == nil {
			return
		}
		seen, _ := Observe(&r, &r.Path.Path)
		if len(seen) == 0 || len(seen) > 10 {
			return
		}
		p, err := predict(costs, seen[0].Setup, nil, seen, 20)
		if err != nil {
			return
		}
		for _, e := range []*Estimate{p.Now.BPS, p.Now.TPS, p.Now.Latency} {
			if e != nil && !(e.Low <= e.Median && e.Median <= e.High) {
				t.Fatalf("got %+v", e)
			}
		}
	})
}
