package replay

import (
	"bytes"
	"embed"
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"
	"sync"

	"go.yaml.in/yaml/v3"

	"seaworthy/lab/fault"
)

//go:embed experiments/*.yaml
var files embed.FS

// Experiment is one experiment of a source, as data. Every case is a path in a
// variant; a block measures all of them once, in random order.
type Experiment struct {
	ID       string `yaml:"id"`
	Title    string `yaml:"title"`
	Source   string `yaml:"source"`   // key and lines: S000:L75-79
	System   string `yaml:"system"`   // what the source measured on
	Tool     string `yaml:"tool"`     // and with
	Blocks   int    `yaml:"blocks"`   // repetitions; 0: as Options have it
	Thorough int    `yaml:"thorough"` // likewise, but only if not quick, and of short trials: for claims of a few percent

	Path     `yaml:",inline"` // the only one, if there are no others
	Paths    []Path           `yaml:"paths"`
	Variants []Variant        `yaml:"variants"` // none: the lab as it starts

	Server    string      `yaml:"server"`    // started on To before the first trial
	Fault     fault.Fault `yaml:"fault"`     // broken during every trial
	Workloads []Workload  `yaml:"workloads"` // measured by bench, with the CPU of the whole path
	Commands  []Command   `yaml:"commands"`  // run after that, in order
	Quotients []Quotient  `yaml:"quotients"` // of figures that commands gave
	Frames    int         `yaml:"frames"`    // bytes whose frames are counted; 0: none are

	Groups    []Group     `yaml:"groups"`
	Published []Published `yaml:"published"`
	Claims    []Claim     `yaml:"claims"`
	Notes     []string    `yaml:"notes"`
}

// Path is a way through a topology.
type Path struct {
	Name     string  `yaml:"name"` // of its cases, if there are several
	Topology string  `yaml:"topology"`
	From     string  `yaml:"from"`
	To       string  `yaml:"to"`
	Address  string  `yaml:"address"`  // of To; empty: its first
	Cable    float64 `yaml:"cable_ms"` // delay that the cable of To gets, there and back; 0: none
	Absent   string  `yaml:"absent"`   // why no lab has it
}

// Variant is a state of the path: command lines by node ("from" and "to" are
// the path's), run as root.
type Variant struct {
	Name   string            `yaml:"name"`
	Set    map[string]string `yaml:"set"`
	Reboot string            `yaml:"reboot"` // node whose next-boot values must become the running ones
}

// Workload is traffic of a case.
type Workload struct {
	Name     string `yaml:"name"`
	Streams  int    `yaml:"streams"`
	Sessions int    `yaml:"sessions"`
	Write    int    `yaml:"write"`   // bytes
	Request  int    `yaml:"request"` // bytes, and of the response
}

// Command is a line for a node's shell, in which $TO is the far end's address
// and $T the measured time in whole seconds, and the figures in what it prints.
type Command struct {
	Node    string          `yaml:"node"` // a name, "from" or "to"
	Run     string          `yaml:"run"`
	Figures map[string]Read `yaml:"figures"`
	Needed  bool            `yaml:"needed"` // without its figures there is nothing to measure in this lab
}

// Read finds a figure: the number that the first group of an expression matches.
type Read struct {
	Match string  `yaml:"match"`
	Scale float64 `yaml:"scale"` // 0: 1
	Grew  bool    `yaml:"grew"`  // a counter: what it grew by during the trial
	If    string  `yaml:"if"`    // counter without whose growth the figure is an older trial's
}

// Quotient is a figure that follows from two others.
type Quotient struct {
	Figure string  `yaml:"figure"`
	Of     string  `yaml:"of"`
	Per    string  `yaml:"per"`
	Times  float64 `yaml:"times"`
}

// Group stands for the cases whose names match: the geometric mean of each block.
type Group struct {
	Name  string `yaml:"name"`
	Cases string `yaml:"cases"` // regular expression
}

// Published are a source's figures of a case.
type Published struct {
	Case    string             `yaml:"case"`
	Figures map[string]float64 `yaml:"figures"`
}

// Claim is what a source concludes from its figures.
type Claim struct {
	Text    string  `yaml:"text"`
	Figure  string  `yaml:"figure"`
	Of      string  `yaml:"of"` // case
	To      string  `yaml:"to"` // case it is compared with; empty: the figure itself
	Expect  string  `yaml:"expect"`
	Within  float64 `yaml:"within"`  // same, about: tolerated share
	Value   float64 `yaml:"value"`   // above, below, about
	Other   string  `yaml:"other"`   // equals: the other figure of the same case
	Printed string  `yaml:"printed"` // what the source says of it

	// Attributes decide a claim; where the lab only records them, the verdict says so.
	Attributes []Attribute `yaml:"attributes"`
	// Needs are attributes without whose effect nothing is to be measured.
	Needs []Attribute `yaml:"needs"`
}

// Attribute names one of the catalogue.
type Attribute struct {
	Layer string `yaml:"layer"`
	Name  string `yaml:"attribute"`
}

// expectations a claim can have of a ratio (with To) or of a figure.
var (
	ofRatios  = []string{Rises, Falls, Same, NotRises}
	ofFigures = []string{Above, Below, About, Equals}
)

// Expectations.
const (
	Rises    = "rises"
	Falls    = "falls"
	Same     = "same"
	NotRises = "not rises"
	Above    = "above"
	Below    = "below"
	About    = "about"
	Equals   = "equals"
)

// All gives the experiments by id. They are not to be changed.
var All = sync.OnceValues(func() ([]Experiment, error) {
	names, err := files.ReadDir("experiments")
	if err != nil {
		return nil, err
	}
	var all []Experiment
	for _, n := range names {
		text, err := files.ReadFile(path.Join("experiments", n.Name()))
		if err != nil {
			return nil, err
		}
		some, err := parse(text)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", n.Name(), err)
		}
		all = append(all, some...)
	}
	slices.SortStableFunc(all, func(a, b Experiment) int { return strings.Compare(a.ID, b.ID) })
	return all, nil
})

// parse reads and checks a file of experiments.
func parse(text []byte) ([]Experiment, error) {
	var f struct {
		Experiments []Experiment `yaml:"experiments"`
	}
	d := yaml.NewDecoder(bytes.NewReader(text))
	d.KnownFields(true)
	if err := d.Decode(&f); err != nil {
		return nil, err
	}
	for i := range f.Experiments {
		if err := f.Experiments[i].check(); err != nil {
			return nil, fmt.Errorf("%s: %w", f.Experiments[i].ID, err)
		}
	}
	return f.Experiments, nil
}

func (e *Experiment) check() error {
	if e.ID == "" || e.Title == "" || e.Source == "" {
		return fmt.Errorf("id, title and source are needed")
	}
	if len(e.Workloads)+len(e.Commands) == 0 {
		return fmt.Errorf("nothing measures it: workloads or commands are needed")
	}
	for _, c := range e.Commands {
		for f, r := range c.Figures {
			if re, err := regexp.Compile(r.Match); err != nil || re.NumSubexp() == 0 {
				return fmt.Errorf("figure %s: %q is not an expression with a group: %w", f, r.Match, err)
			}
		}
	}
	for _, g := range e.Groups {
		if _, err := regexp.Compile(g.Cases); err != nil {
			return fmt.Errorf("group %s: %w", g.Name, err)
		}
	}
	for _, c := range e.Claims {
		known := ofFigures
		if c.To != "" {
			known = ofRatios
		}
		if len(c.Needs) == 0 && !slices.Contains(known, c.Expect) {
			return fmt.Errorf("claim %q: expect %q, wanted one of %s", c.Text, c.Expect, strings.Join(known, ", "))
		}
	}
	return nil
}

// Find gives the experiments that names mean: an id, or how ids begin (E000).
func Find(names []string) ([]Experiment, error) {
	all, err := All()
	if err != nil {
		return nil, err
	}
	var out []Experiment
	chosen := map[string]bool{}
	for _, n := range names {
		found := false
		for _, e := range all {
			id, want := strings.ToUpper(e.ID), strings.ToUpper(n)
			if id != want && !strings.HasPrefix(id, want+"-") {
				continue
			}
			found = true
			if !chosen[e.ID] {
				chosen[e.ID] = true
				out = append(out, e)
			}
		}
		if !found {
			var ids []string
			for _, e := range all {
				ids = append(ids, e.ID)
			}
			return nil, fmt.Errorf("no experiment %s: there are %s, and E000 means all of E000", n, strings.Join(ids, ", "))
		}
	}
	return out, nil
}

// paths are the experiment's, the only one without a name.
func (e *Experiment) paths() []Path {
	if len(e.Paths) > 0 {
		return e.Paths
	}
	return []Path{e.Path}
}

// kase is what one trial measures.
type kase struct {
	Path
	variant Variant
}

// name is that of the path and the variant, and with several workloads that of
// the workload.
func (c kase) name(e *Experiment, workload string) string {
	parts := []string{c.Name, c.variant.Name}
	if len(e.Workloads) > 1 {
		parts = append(parts, workload)
	}
	return strings.Join(slices.DeleteFunc(parts, func(p string) bool { return p == "" }), ", ")
}

// cases of a topology; all of them if it is empty.
func (e *Experiment) cases(topology string) []kase {
	var out []kase
	for _, p := range e.paths() {
		if p.Absent != "" || topology != "" && p.Topology != topology {
			continue
		}
		if len(e.Variants) == 0 {
			out = append(out, kase{p, Variant{}})
		}
		for _, v := range e.Variants {
			out = append(out, kase{p, v})
		}
	}
	return out
}

// members are the cases of every group.
func (e *Experiment) members() map[string][]string {
	out := map[string][]string{}
	for _, g := range e.Groups {
		re := regexp.MustCompile(g.Cases) // parse has checked it
		for _, c := range e.cases("") {
			if name := c.name(e, ""); re.MatchString(name) {
				out[g.Name] = append(out[g.Name], name)
			}
		}
	}
	return out
}
