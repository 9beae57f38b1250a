package replay

import (
	"embed"
	"fmt"
	"io/fs"
	"regexp"
	"slices"
	"strings"
	"sync"

	"seaworthy/document"
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
	Workload  *Workload   `yaml:"workload"`  // measured by bench, with the CPU of the whole path
	Commands  []Command   `yaml:"commands"`  // run after that, in order
	Quotients []Quotient  `yaml:"quotients"` // of figures that were measured
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
	Port     string  `yaml:"port"`     // of the switch, to which the line of To leads; empty: no line is passed
	Cable    float64 `yaml:"cable_ms"` // delay that this line's cable gets, there and back; 0: none
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
	Streams  int `yaml:"streams"`
	Sessions int `yaml:"sessions"`
	Write    int `yaml:"write"`   // bytes
	Request  int `yaml:"request"` // bytes, and of the response
}

// Command is a line for a node's shell, in which $TO is the far end's address
// and $T the measured time in whole seconds, and the figures in what it prints.
type Command struct {
	Node    string          `yaml:"node"` // a name, "from" or "to"
	Run     string          `yaml:"run"`
	Figures map[string]Read `yaml:"figures"`
	Needed  string          `yaml:"needed"` // why there is nothing to measure where it does not print its counters
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

// Expectations: the first four of a ratio (with To), the others of a figure.
const (
	Rises    = "rises"
	Falls    = "falls"
	Same     = "same"
	NotRises = "not rises"
	Above    = "above"
	Below    = "below"
	About    = "about"
)

// All gives the experiments by id. They are not to be changed.
var All = sync.OnceValues(func() ([]Experiment, error) {
	names, err := fs.Glob(files, "experiments/*.yaml")
	if err != nil {
		return nil, err
	}
	var all []Experiment
	for _, n := range names { // in order, and so are the experiments
		text, err := files.ReadFile(n)
		if err != nil {
			return nil, err
		}
		some, err := parse(n, text)
		if err != nil {
			return nil, err
		}
		all = append(all, some...)
	}
	return all, nil
})

// parse reads and checks a file of experiments.
func parse(name string, text []byte) ([]Experiment, error) {
	var f struct {
		Experiments []Experiment `yaml:"experiments"`
	}
	if err := document.YAML(name, text, &f); err != nil {
		return nil, err
	}
	for _, e := range f.Experiments {
		if err := e.check(); err != nil {
			return nil, fmt.Errorf("%s: %w", e.ID, err)
		}
	}
	return f.Experiments, nil
}

func (e *Experiment) check() error {
	if e.ID == "" || e.Title == "" || e.Source == "" {
		return fmt.Errorf("id, title and source are needed")
	}
	if e.Workload == nil && len(e.Commands) == 0 {
		return fmt.Errorf("nothing measures it: a workload or commands are needed")
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
		known := []string{Above, Below, About}
		if c.To != "" {
			known = []string{Rises, Falls, Same, NotRises}
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
	for _, n := range names {
		var ids []string
		found := false
		for _, e := range all {
			ids = append(ids, e.ID)
			if !strings.HasPrefix(e.ID+"-", strings.ToUpper(n)+"-") {
				continue
			}
			found = true
			if !slices.ContainsFunc(out, func(o Experiment) bool { return o.ID == e.ID }) {
				out = append(out, e)
			}
		}
		if !found {
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

// kase is what one trial measures: a path in a variant.
type kase struct {
	Path
	variant Variant
	name    string
}

// cases of a topology; all of them if it is empty.
func (e *Experiment) cases(topology string) []kase {
	variants := e.Variants
	if len(variants) == 0 {
		variants = []Variant{{}}
	}
	var out []kase
	for _, p := range e.paths() {
		if p.Absent != "" || topology != "" && p.Topology != topology {
			continue
		}
		for _, v := range variants {
			out = append(out, kase{p, v, strings.Trim(p.Name+", "+v.Name, ", ")})
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
			if re.MatchString(c.name) {
				out[g.Name] = append(out[g.Name], c.name)
			}
		}
	}
	return out
}
