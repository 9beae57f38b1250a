package e2e

import (
	"cmp"
	"encoding/json"
	"flag"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"seaworthy/internal/app/fleet"
	"seaworthy/internal/audit/finding"
	"seaworthy/internal/change/plan"
	"seaworthy/internal/collect"
	"seaworthy/internal/inventory/model"
	"seaworthy/internal/knowledge"
	"seaworthy/internal/test/draw"
	"seaworthy/internal/test/labtest"
	"seaworthy/lab"
	"seaworthy/lab/rehearsal"
	"seaworthy/lab/replica"
)

var (
	twinSteps   = flag.Int("twin-steps", 1, "steps that are carried out in a copy and in its source, at least")
	twinSeed    = flag.Uint64("twin-seed", 1, "of the plans")
	twinResults = flag.String("twin-results", "", "a file for a line of JSON per step")
)

// twinTopologies are those whose networks are copied.
var twinTopologies = []string{"two-systems", "dual-vios", "dedicated", "etherchannel", "vlans", "three-hosts", "dedicated-mixed"}

// plansOfCopy is how many plans are tried before another topology has its turn.
const plansOfCopy = 5

// sameClassAtLeast is the share of steps whose class of outage has to be the same in the copy.
const sameClassAtLeast = 0.95

// compared is a step carried out in a copy and in its source.
type compared struct {
	Topology     string   `json:"topology"`
	Plan         int      `json:"plan"`
	Step         string   `json:"step"`
	Class        string   `json:"class"`
	Pending      bool     `json:"pending,omitempty"`
	Source       string   `json:"source"` // class of outage
	Copy         string   `json:"copy"`
	SourceMS     int64    `json:"source_ms"`
	CopyMS       int64    `json:"copy_ms"`
	SourceFelt   []string `json:"source_felt"` // pairs
	CopyFelt     []string `json:"copy_felt"`
	SourceWorse  []string `json:"source_worse,omitempty"`
	CopyWorse    []string `json:"copy_worse,omitempty"`
	SourceState  string   `json:"source_state"`
	CopyState    string   `json:"copy_state"`
	SourceEnding string   `json:"source_ending"` // values after apply and after rollback
	CopyEnding   string   `json:"copy_ending"`
}

// same says whether a person who decides by the rehearsal would have decided the same by the source.
func (c compared) same() bool {
	return c.Source == c.Copy && c.SourceState == c.CopyState && len(c.SourceWorse) > 0 == (len(c.CopyWorse) > 0)
}

// A plan costs the copy of a network what it costs the network. The plans are drawn:
//
//	go test ./lab/e2e -run TestCopyFeelsWhatItsSourceFeels -v -twin-steps 200 -twin-results FILE
func TestCopyFeelsWhatItsSourceFeels(t *testing.T) {
	if *twinSteps == 1 {
		draw.Rarely(t, 10)
	}
	var out *os.File
	if *twinResults != "" {
		var err error
		out, err = os.Create(*twinResults)
		if err != nil {
			t.Fatal(err)
		}
		defer out.Close()
	}
	var steps, same, samePairs, interrupted int
	dice := rand.New(rand.NewPCG(*twinSeed, 0))
	first := dice.IntN(len(twinTopologies))
	number := 0
	for turn := 0; steps < *twinSteps; turn++ {
		topology := twinTopologies[(first+turn)%len(twinTopologies)]
		t.Run(topology, func(t *testing.T) {
			pair := newTwins(t, topology)
			for tried := 0; tried < plansOfCopy && steps < *twinSteps && !pair.differ; tried++ {
				number++
				for _, c := range pair.try(rand.New(rand.NewPCG(*twinSeed, uint64(number)))) {
					c.Plan = number
					steps++
					if c.same() {
						same++
					}
					if c.Source != "none" {
						interrupted++
					}
					if slices.Equal(c.SourceFelt, c.CopyFelt) {
						samePairs++
					}
					text, err := json.Marshal(c)
					if err != nil {
						t.Fatal(err)
					}
					if !c.same() {
						t.Logf("differs: %s", text)
					}
					if out != nil {
						fmt.Fprintf(out, "%s\n", text)
					}
				}
			}
		})
		if t.Failed() {
			return
		}
	}
	t.Logf("of %d steps, %d of which interrupted traffic in the source, %d had the same class of outage in the copy, %d were felt by the same pairs",
		steps, interrupted, same, samePairs)
	if allowed := max(1, int(float64(steps)*(1-sameClassAtLeast))); steps-same > allowed {
		t.Errorf("%d of %d steps had the same class of outage in the copy, want %.0f %%", same, steps, 100*sameClassAtLeast)
	}
}

// twins are a lab and its copy.
type twins struct {
	*site
	copy   *lab.Lab
	fleet  *model.Fleet
	differ bool // one of them is not as it was at the start
}

func newTwins(t *testing.T, topology string) *twins {
	t.Helper()
	s := start(t, topology, "padmin")
	c, err := fleet.Access{HostsFile: s.lab.HostsFile()}.Open(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	c.DropHMCs()
	read, err := c.Read(t.Context(), collect.Options{})
	if err != nil || len(read.Failed) > 0 {
		t.Fatal(err, read)
	}
	made, err := replica.Of(read.Fleet, s.cat, replica.Options{Name: "twin"})
	if err != nil {
		t.Fatal(err)
	}
	return &twins{site: s, fleet: read.Fleet, copy: labtest.Up(t, lab.Options{Name: "twin", Text: made.Text}, "delay of")}
}

// try applies a drawn plan to both and takes it back.
func (w *twins) try(dice *rand.Rand) []compared {
	w.t.Helper()
	wanted := drawSettings(w.t, w.fleet, w.cat, dice)
	p, err := plan.Build(w.fleet, w.cat, wanted)
	if err != nil {
		w.t.Fatal(err)
	}
	if len(p.Steps) == 0 {
		return nil
	}
	source, copied := w.rehearse(w.lab, p), w.rehearse(w.copy, p)
	ended := func(r *rehearsal.Result) string {
		var out []string
		for _, phase := range r.Phases {
			out = append(out, cmp.Or(phase.Error, phase.Values))
		}
		return strings.Join(out, ", ")
	}
	w.differ = !rolledBack(source) || !rolledBack(copied)
	var out []compared
	for i := range p.Steps {
		a, b := source.Steps[i], copied.Steps[i]
		if p.Steps[i].Manual != nil || a.State == "waiting" && b.State == "waiting" {
			continue // nothing was carried out
		}
		out = append(out, compared{Topology: w.lab.Name, Step: a.ID + ": " + a.What, Class: a.Class, Pending: a.Pending,
			Source: a.Measured(source.Noise), Copy: b.Measured(copied.Noise), SourceMS: a.Longest.Milliseconds(), CopyMS: b.Longest.Milliseconds(),
			SourceFelt: pairsOf(a), CopyFelt: pairsOf(b), SourceWorse: a.Worse, CopyWorse: b.Worse, SourceState: a.State, CopyState: b.State,
			SourceEnding: ended(source), CopyEnding: ended(copied)})
	}
	return out
}

func (w *twins) rehearse(l *lab.Lab, p *plan.Plan) *rehearsal.Result {
	w.t.Helper()
	r, err := rehearsal.Run(w.t.Context(), rehearsal.Options{Lab: l, Plan: p, Dir: w.t.TempDir(), Within: 20 * time.Second, Brief: true})
	if err != nil {
		w.t.Fatal(err)
	}
	return r
}

// rolledBack says whether a brief rehearsal left the lab as it found it.
func rolledBack(r *rehearsal.Result) bool {
	last := r.Phases[len(r.Phases)-1]
	return len(r.Phases) == 2 && last.OK()
}

// pairsOf are the pairs that felt a step, without their times.
func pairsOf(s rehearsal.Step) []string {
	out := []string{}
	for _, felt := range s.Felt {
		words := strings.Fields(felt)
		out = append(out, strings.Join(words[:3], " ")) // A – B
	}
	return out
}

// drawSettings draws what a plan is to set, of all that the catalogue allows: more often than not what interrupts traffic.
func drawSettings(t *testing.T, f *model.Fleet, catalogue *knowledge.Catalog, dice *rand.Rand) (out []plan.DesiredSetting) {
	t.Helper()
	byClass := settingsOf(f, catalogue)
	classes := slices.Sorted(maps.Keys(byClass))
	want := 2 + dice.IntN(4)
	for draws := 0; len(out) < want && draws < 500; draws++ {
		of := byClass[classes[dice.IntN(len(classes))]]
		one := plan.DesiredSetting{Setting: of[dice.IntN(len(of))]}
		p, err := plan.Build(f, catalogue, []plan.DesiredSetting{one})
		if err != nil {
			t.Fatal(err)
		}
		quiet := !slices.ContainsFunc(p.Steps, func(s plan.Step) bool {
			return s.Manual == nil && !s.Pending && s.Class != string(knowledge.O0) && s.Class != string(knowledge.O1)
		})
		if len(p.Steps) > 0 && (!quiet || dice.IntN(8) == 0) {
			out = append(out, one)
		}
	}
	return out
}

// settingsOf are the settings that the hosts could have, in a fixed order.
func settingsOf(f *model.Fleet, catalogue *knowledge.Catalog) map[knowledge.Class][]finding.Setting {
	byClass := map[knowledge.Class][]finding.Setting{}
	for _, h := range f.Hosts {
		for _, name := range slices.Sorted(maps.Keys(h.Elements)) {
			el := h.Elements[name]
			if !carries(h, el) {
				continue
			}
			for _, attr := range slices.Sorted(maps.Keys(el.Attrs)) {
				a, known := catalogue.Attribute(string(el.Kind), attr)
				if known {
					add(byClass, a, el.Driver, finding.Setting{Ref: model.Ref{Host: h.Name, Element: name}, Attr: attr})
				}
			}
		}
		for _, attr := range slices.Sorted(maps.Keys(h.Tunables)) {
			a, known := catalogue.Attribute("no", attr)
			if known {
				add(byClass, a, "", finding.Setting{Ref: model.Ref{Host: h.Name, Element: "no"}, Attr: attr})
			}
		}
	}
	return byClass
}

// carries says whether an element has packets that a watch sees: one of an address, below one, or an SEA.
func carries(h *model.Host, el *model.Element) bool {
	if el.Kind == model.SEA || len(el.Addrs) > 0 {
		return true
	}
	for _, above := range h.Elements {
		if above.On == el.Name && len(above.Addrs) > 0 {
			return true
		}
	}
	return false
}

// unfit are attributes that no lab changes, and one after which there is nothing to watch.
var unfit = []string{"pvid", "state"}

// add notes the values of an attribute that a plan may ask for.
func add(byClass map[knowledge.Class][]finding.Setting, a *knowledge.Attribute, driver string, at finding.Setting) {
	if a.ReadOnly || slices.Contains(unfit, a.Name) || !slices.Contains([]string{"int", "bool", "enum"}, a.Type) {
		return
	}
	values := slices.Clone(a.Values)
	if len(values) == 0 && a.Tuning != nil {
		values = slices.Clone(a.Tuning.Levels)
	}
	if len(values) == 0 && a.Min != nil && a.Max != nil {
		values = []string{strconv.FormatInt(*a.Min, 10), strconv.FormatInt(*a.Max, 10)}
	}
	if a.Name == "mtu" {
		values = []string{"1400", "1500", "9000"}
	}
	for _, v := range values {
		at.Value = v
		class := a.ClassOf(driver)
		byClass[class] = append(byClass[class], at)
	}
}
