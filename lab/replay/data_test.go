package replay

import (
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"

	"seaworthy/bench"
	"seaworthy/catalog"
	"seaworthy/lab/topology"
)

func all(t *testing.T) []Experiment {
	t.Helper()
	e, err := All()
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// Everything that an experiment names has to be there.
func TestExperimentsAreWhole(t *testing.T) {
	cat, err := catalog.Load()
	if err != nil {
		t.Fatal(err)
	}
	known := table(cat)
	for _, e := range all(t) {
		for _, p := range e.paths() {
			if p.Absent != "" {
				continue
			}
			top, err := topology.Load(p.Topology)
			if err != nil {
				t.Fatalf("%s: %v", e.ID, err)
			}
			if !slices.ContainsFunc(top.Switch.Ports, func(x topology.Port) bool { return x.Name == p.Port }) && p.Port != "" {
				t.Errorf("%s: %s has no port %s", e.ID, p.Topology, p.Port)
			}
			from, _, known := top.Node(p.From)
			to, _, alike := top.Node(p.To)
			if !known || !alike {
				t.Errorf("%s: %s has not both of %s and %s", e.ID, p.Topology, p.From, p.To)
			} else if e.Workload != nil && (from == to) != (p.Port == "") {
				t.Errorf("%s: %s to %s: port %q, but a line is passed between systems only", e.ID, p.From, p.To, p.Port)
			}
		}
		if key, lines, ok := strings.Cut(e.Source, ":"); !ok || len(lines) < 2 {
			t.Errorf("%s: source %q, want a key and lines", e.ID, e.Source)
		} else if _, ok := cat.Source(key); !ok {
			t.Errorf("%s: source %s is not in the catalogue", e.ID, key)
		}
		cases := caseNames(&e)
		for _, p := range e.Published {
			if !slices.Contains(cases, p.Case) {
				t.Errorf("%s: published case %q is none of %q", e.ID, p.Case, cases)
			}
		}
		for _, c := range e.Claims {
			for _, name := range []string{c.Of, c.To} {
				if name != "" && !slices.Contains(cases, name) {
					t.Errorf("%s: claim %q is on %q, none of %q", e.ID, c.Text, name, cases)
				}
			}
			for _, a := range append(slices.Clone(c.Needs), c.Attributes...) {
				if _, ok := known(a); !ok {
					t.Errorf("%s: claim %q names attribute %+v, which the lab does not know", e.ID, c.Text, a)
				}
			}
		}
	}
}

// caseNames are all cases that replaying an experiment can give.
func caseNames(e *Experiment) []string {
	var out []string
	for _, c := range e.cases("") {
		out = append(out, c.name)
	}
	for _, p := range e.paths() {
		if p.Absent != "" {
			out = append(out, p.Name)
		}
	}
	for name, members := range e.members() {
		if len(members) > 0 {
			out = append(out, name)
		}
	}
	return out
}

func TestFind(t *testing.T) {
	ids := func(list []Experiment) string {
		var out []string
		for _, e := range list {
			out = append(out, e.ID)
		}
		return strings.Join(out, " ")
	}
	for _, tt := range []struct{ names, want string }{
		{"E000", "E000-BW1 E000-BW8 E000-TPS10 E000-TPS50"},
		{"e004", "E004-100G"},
		{"E002-RTT E002", "E002-RTT E002-MATRIX E002-NETPERF-16384"},
		{"E003-ENTSTAT", "E003-ENTSTAT"},
	} {
		got, err := Find(strings.Fields(tt.names))
		if err != nil || ids(got) != tt.want {
			t.Errorf("%s: got %s, %v; want %s", tt.names, ids(got), err, tt.want)
		}
	}
	for _, bad := range []string{"E00", "E999", "", "E000-"} {
		if got, err := Find([]string{bad}); err == nil {
			t.Errorf("%q: got %s, want an error", bad, ids(got))
		}
	}
}

func TestParseRefuses(t *testing.T) {
	const head = "experiments: [{id: X, title: t, source: S000:L1, workload: {streams: 1}"
	for name, text := range map[string]string{
		"unknown key":       head + ", colour: red}]",
		"nothing to do":     "experiments: [{id: X, title: t, source: S000:L1}]",
		"no source":         "experiments: [{id: X, title: t, workload: {streams: 1}}]",
		"expectation":       head + ", claims: [{text: c, figure: bps, of: a, to: b, expect: above}]}]",
		"figure, no group":  head + ", commands: [{run: x, figures: {f: {match: abc}}}]}]",
		"figure, no regexp": head + ", commands: [{run: x, figures: {f: {match: '(['}}}]}]",
		"group":             head + ", groups: [{name: g, cases: '(['}]}]",
		"not YAML":          "experiments: [",
	} {
		if got, err := parse("x.yaml", []byte(text)); err == nil {
			t.Errorf("%s: got %+v, want an error", name, got)
		}
	}
}

// The collection of published figures that stands beside the repository has
// every number that the experiments have.
func TestFiguresAreThePublishedOnes(t *testing.T) {
	file := filepath.Join("..", "..", "..", "shared", "knowledge", "seed_results.yaml")
	text, err := os.ReadFile(file)
	if err != nil {
		t.Skipf("the published figures are not here: %v", err)
	}
	var known struct {
		Experiments []map[string]any `yaml:"experiments"`
	}
	if err := yaml.Unmarshal(text, &known); err != nil {
		t.Fatal(err)
	}
	list := all(t)
	if len(known.Experiments) != len(list) {
		t.Errorf("got %d experiments, want the %d that are known", len(list), len(known.Experiments))
	}
	for _, k := range known.Experiments {
		id, _ := k["id"].(string)
		i := slices.IndexFunc(list, func(e Experiment) bool { return e.ID == id })
		if i < 0 {
			t.Errorf("experiment %s is missing", id)
			continue
		}
		e := list[i]
		numbers := map[float64]bool{}
		collectNumbers(k, numbers)
		has := func(v float64) bool {
			for n := range numbers {
				for _, scale := range []float64{1, 1e6, 1e9} {
					if math.Abs(n*scale-v) < 1e-6*math.Abs(v)+1e-12 {
						return true
					}
				}
			}
			return v == 0
		}
		for _, p := range e.Published {
			for f, v := range p.Figures {
				switch f {
				case "ticks_per_gb", "kernel_ticks_per_gb", "sea_parts", "sea_packets", "below_packets", bdp:
					continue // follow from others
				}
				// The last two are of another experiment of the source, or in prose.
				if !has(v) && !(e.ID == "E003-PROSE") && !(e.ID == "E002-NETPERF-16384" && v == 4000.52e6) {
					t.Errorf("%s %s: %s is %v, which the source does not have", id, p.Case, f, v)
				}
			}
		}
	}
}

func collectNumbers(v any, to map[float64]bool) {
	switch x := v.(type) {
	case map[string]any:
		for _, v := range x {
			collectNumbers(v, to)
		}
	case []any:
		for _, v := range x {
			collectNumbers(v, to)
		}
	case float64:
		to[x] = true
	case int:
		to[float64(x)] = true
	}
}

func TestDerived(t *testing.T) {
	got := derived(map[string]float64{bench.Throughput: 2.5e9, bench.Cores: 4.02})
	for f, want := range map[string]float64{bench.PerGbps: 1.608, bench.PerCore: 0.62189} {
		if math.Abs(got[f]-want) > 1e-4 {
			t.Errorf("%s: got %v, want %v", f, got[f], want)
		}
	}
	if got := derived(map[string]float64{bench.Throughput: 1e9}); len(got) != 1 {
		t.Errorf("without cores: got %v, want nothing derived", got)
	}
}

// Where the source measured between two data centres the lab's cable has a
// delay, and where it measured inside a system there is no cable.
func TestCables(t *testing.T) {
	for _, e := range all(t) {
		pub, _ := e.published()
		for _, p := range e.Paths {
			if own, there := pub[p.Name][roundTrip]; there && p.Absent == "" {
				if inside := strings.HasSuffix(p.Name, "Hyp"); inside != (p.Cable == 0) || p.Cable > own {
					t.Errorf("%s %s: got a cable of %g ms of %g ms in all", e.ID, p.Name, p.Cable, own)
				}
			}
		}
	}
}
