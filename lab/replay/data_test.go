package replay

import (
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"

	"seaworthy/internal/knowledge"
	"seaworthy/internal/measure"
	"seaworthy/lab/effect"
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
	cat, err := knowledge.Load()
	if err != nil {
		t.Fatal(err)
	}
	lab := map[Attribute]bool{}
	for _, e := range effect.Table(cat.Attributes(""), effect.Machine{}) {
		lab[Attribute{e.Layer, e.Attribute}] = true
	}
	for _, e := range all(t) {
		if e.ID == "" || e.Title == "" || len(e.cases("")) == 0 || len(e.Claims) == 0 || e.Workload == nil && len(e.Commands) == 0 {
			t.Errorf("%s: want a title, a path, a variant, a claim and what measures it", e.ID)
		}
		for _, p := range e.Paths {
			top, err := topology.Load(t.Context(), p.Topology)
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
			known := []string{Above, Below, Equals}
			if c.To != "" {
				known = []string{Rises, Falls, Same, NotRises}
			}
			if c.Figure != "" && !slices.Contains(known, c.Expect) {
				t.Errorf("%s: claim %q: expect %q, want one of %q", e.ID, c.Text, c.Expect, known)
			}
			for _, name := range []string{c.Of, c.To} {
				if name != "" && c.Absent == "" && !slices.Contains(cases, name) {
					t.Errorf("%s: claim %q is on %q, none of %q", e.ID, c.Text, name, cases)
				}
			}
			for _, a := range append(slices.Clone(c.Needs), c.Attributes...) {
				if !lab[a] {
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
	for _, c := range e.Claims {
		if c.Absent != "" {
			out = append(out, c.Of, c.To)
		}
	}
	s := newSamples()
	for _, c := range e.cases("") {
		s.add(c.name, measure.Throughput, 1, 1)
	}
	e.addGroups(s)
	return append(out, s.cases...)
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
		{"E002-RTT E002", "E002-MATRIX E002-NETPERF-16384 E002-RTT"},
		{"E003-ENTSTAT", "E003-ENTSTAT"},
	} {
		got, err := Find(strings.Fields(tt.names))
		if err != nil || ids(got) != tt.want {
			t.Errorf("%s: got %s, %v; want %s", tt.names, ids(got), err, tt.want)
		}
	}
	for _, bad := range []string{"E00", "E999", "", "E000-", "E000 E999"} {
		if got, err := Find(strings.SplitN(bad, " ", 2)); err == nil {
			t.Errorf("%q: got %s, want an error", bad, ids(got))
		}
	}
}

func TestParseRefuses(t *testing.T) {
	const head = "experiments: [{id: X, title: t, source: S000:L1, workload: {streams: 1}"
	for name, text := range map[string]string{
		"unknown key":       head + ", colour: red}]",
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

// What follows from a source's figures is compared too.
func TestDerived(t *testing.T) {
	pub := experiment(t, "E000-BW1").published()
	for f, want := range map[string]float64{measure.PerGbps: 1.608, measure.PerCore: 0.62189} {
		if got := pub.of("mtu_bypass=off", f); len(got) != 1 || math.Abs(got[0]-want) > 1e-4 {
			t.Errorf("%s: got %v, want %v", f, got, want)
		}
	}
	if got := experiment(t, "E002-MATRIX").published().of("lpar3 to lpar2, LS to LS, 524288", measure.PerGbps); got != nil {
		t.Errorf("without cores: got %v, want nothing derived", got)
	}
}

// Where the source measured between two data centres the lab's cable has a
// delay, and where it measured inside a system there is no cable.
func TestCables(t *testing.T) {
	for _, e := range all(t) {
		pub := e.published()
		for _, p := range e.Paths {
			if rtt := pub.of(p.Name, roundTrip); rtt != nil {
				if inside := strings.HasSuffix(p.Name, "Hyp"); inside != (p.Cable == 0) || p.Cable > rtt[0] {
					t.Errorf("%s %s: got a cable of %g ms of %g ms in all", e.ID, p.Name, p.Cable, rtt[0])
				}
			}
		}
	}
}
