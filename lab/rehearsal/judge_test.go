package rehearsal

import (
	"net/netip"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"seaworthy/internal/inventory/model"
	"seaworthy/lab/watch"
)

var start = time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)

// after is a moment, in milliseconds after the start.
func after(ms int) time.Time { return start.Add(time.Duration(ms) * time.Millisecond) }

// pairOf is a pair of two hosts with what carries it.
func pairOf(a, b string, on []string, redundant ...string) *between {
	of := func(host string) end {
		return end{model.Ref{Host: host, Element: "en0"}, netip.MustParsePrefix("10.0.0.1/24")}
	}
	p := &between{a: of(a), b: of(b), on: on, redundant: map[string]bool{}}
	for _, name := range redundant {
		p.redundant[name] = true
	}
	return p
}

// clients are two partitions behind two VIOSes; lone are two behind one.
var (
	clients = pairOf("lpar1", "lpar2", []string{"lpar1", "lpar2", "vios1", "vios2"}, "vios1", "vios2")
	lone    = pairOf("lpar3", "lpar4", []string{"lpar3", "lpar4", "vios3"})
)

func TestJudge(t *testing.T) {
	const noise = 10 * time.Millisecond
	step := func(host, class string, pending bool) Step {
		return Step{ID: "x", Host: host, Class: class, Outage: "words", Began: after(0), Ended: after(1000), Pending: pending}
	}
	lost := func(p *between, from, to int) gap {
		return gap{watch.Gap{Start: after(from), Long: time.Duration(to-from) * time.Millisecond, Lost: (to - from) / 5}, p}
	}
	for _, c := range []struct {
		name  string
		step  Step
		gaps  []gap
		worse bool
	}{
		{"nothing lost", step("lpar1", "O0", false), nil, false},
		{"noise", step("lpar1", "O0", false), []gap{lost(clients, 0, 10)}, false},
		{"O0 that stops traffic", step("lpar1", "O0", false), []gap{lost(clients, 0, 50)}, true},
		{"O2 takes seconds", step("lpar1", "O2", false), []gap{lost(clients, 0, 900)}, false},
		{"O2 that writes the next boot only", step("lpar1", "O2", true), []gap{lost(clients, 0, 900)}, true},
		{"O2 whose traffic does not come back", step("lpar1", "O2", false), []gap{lost(clients, 500, 5000)}, true},
		{"O2 felt by others", step("lpar1", "O2", false), []gap{lost(lone, 0, 900)}, true},
		{"O5 of a VIOS of two", step("vios1", "O5", false), []gap{lost(clients, 0, 900)}, false},
		{"a reboot, felt by the host itself", step("lpar1", "O4", false), []gap{lost(clients, 0, 60000)}, false},
		{"a reboot of a VIOS of two", step("vios1", "O4", false), []gap{lost(clients, 0, 900)}, false},
		{"a reboot of the only VIOS", step("vios3", "O4", false), []gap{lost(lone, 0, 900)}, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			judge(&c.step, c.gaps, noise, model.VIOS, func(gap) *Step { return nil })
			if got := len(c.step.Worse) > 0; got != c.worse {
				t.Errorf("worse is %v (%v), want %v", got, c.step.Worse, c.worse)
			}
		})
	}
}

// Of steps at the same time a gap belongs to the one that its pair can feel.
func TestAttribute(t *testing.T) {
	steps := []Step{
		{ID: "lpar1", Host: "lpar1", Began: after(0), Ended: after(100)},
		{ID: "lpar3", Host: "lpar3", Began: after(0), Ended: after(100)},
		{ID: "later", Host: "lpar1", Began: after(1000), Ended: after(1100)},
		{ID: "never", Host: "lpar1"},
	}
	of := func(p *between, ms int) gap { return gap{watch.Gap{Start: after(ms), Long: time.Second}, p} }
	none := func(string) model.Platform { return "" }
	got, outside := attribute(steps, []gap{of(clients, 50), of(lone, 50), of(lone, 1050), of(clients, 1040), of(lone, 9000)}, none)
	count := map[int]int{}
	for at, gaps := range got {
		count[at] = len(gaps)
	}
	if d := cmp.Diff(map[int]int{0: 1, 1: 1, 2: 2}, count); d != "" {
		t.Errorf("gaps of each step (-want +got):\n%s", d)
	}
	if len(outside) != 1 || outside[0].Start != after(9000) {
		t.Errorf("outside all steps: got %v, want the last one", outside)
	}
}

// The second VIOS of a pair that is changed while the first is not back cuts off those behind them.
func TestAway(t *testing.T) {
	r := rehearsal{hosts: map[string]*model.Host{"vios1": {MachineID: "m"}, "vios2": {MachineID: "m"}}, result: &Result{Noise: 10 * time.Millisecond}}
	step := func(host, class string, from, to int) Step {
		return Step{ID: host + ":ent5", Host: host, Class: class, Began: after(from), Ended: after(to)}
	}
	cut := gap{watch.Gap{Start: after(500), Long: 400 * time.Millisecond}, clients}
	own := pairOf("vios1", "lpar2", []string{"lpar2", "vios1", "vios2"}, "vios1", "vios2")
	unreached := []gap{{watch.Gap{Start: after(100), Long: 700 * time.Millisecond}, own}}
	for name, c := range map[string]struct {
		first Step
		gaps  []gap // of it
		want  bool
	}{
		"the first was back":           {step("vios1", "O5", 0, 400), nil, false},
		"the first was not back":       {step("vios1", "O5", 0, 800), nil, true},
		"it could not be reached then": {step("vios1", "O5", 0, 400), unreached, true},
		"it interrupted nothing":       {step("vios1", "O0", 0, 800), nil, false},
		"it was made after the gap":    {step("vios1", "O5", 950, 1200), nil, false},
	} {
		steps := []Step{c.first, step("vios2", "O5", 450, 1000)}
		got := r.away(steps, map[int][]gap{0: c.gaps, 1: {cut}}, 1, cut)
		judge(&steps[1], []gap{cut}, r.result.Noise, model.VIOS, func(gap) *Step { return got })
		if (got != nil) != c.want || (len(steps[1].Worse) > 0) != c.want {
			t.Errorf("%s: got %v, %q", name, got, steps[1].Worse)
		}
	}
}
