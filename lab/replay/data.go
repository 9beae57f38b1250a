package replay

import (
	"cmp"
	"embed"
	"fmt"
	"io/fs"
	"regexp"
	"slices"
	"strings"
	"sync"

	"seaworthy/internal/base/decode"
	"seaworthy/internal/measure"
	"seaworthy/lab/fault"
)

//go:embed experiments/*.yaml
var files embed.FS

// Experiment is one experiment of a source, as data. Every case is a path in a
// variant; a block measures all of them once, in random order.
type Experiment struct {
	About       `yaml:",inline"`
	Blocks      int     `yaml:"blocks"`       // repetitions; 0: 9
	QuickBlocks int     `yaml:"quick_blocks"` // 0: 5
	Seconds     float64 `yaml:"seconds"`      // measured of a trial, if not quick; 0: 2

	Paths    []Path    `yaml:"paths"`
	Variants []Variant `yaml:"variants"`

	Workload  *measure.Workload `yaml:"workload"`  // measured by bench, with the CPU of the whole path
	Commands  []Command         `yaml:"commands"`  // run after that, in order
	Quotients []Quotient        `yaml:"quotients"` // of figures that were measured
	Frames    int               `yaml:"frames"`    // bytes whose frames are counted; 0: none are

	Groups []struct { // each stands for the cases that match: the geometric mean of each block
		Name  string         `yaml:"name"`
		Cases *regexp.Regexp `yaml:"cases"`
	} `yaml:"groups"`
	Published []struct {
		Case    string             `yaml:"case"`
		Figures map[string]float64 `yaml:"figures"`
	} `yaml:"published"`
	Claims []Claim `yaml:"claims"`
}

// About describes an experiment, as its source does.
type About struct {
	ID       string   `yaml:"id" json:"id"`
	Title    string   `yaml:"title" json:"title"`
	Source   string   `yaml:"source" json:"source"`               // key and lines: S000:L75-79
	System   string   `yaml:"system" json:"system"`               // what the source measured on
	Tool     string   `yaml:"tool" json:"tool"`                   // and with
	Topology string   `yaml:"topology" json:"topology,omitempty"` // of paths that name no other
	Notes    []string `yaml:"notes" json:"notes,omitempty"`       // on the source, and on how the replay differs
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
}

// Variant is a state of the path: command lines by node ("from" and "to" are
// the path's), run as root.
type Variant struct {
	Name   string            `yaml:"name"`
	Set    map[string]string `yaml:"set"`
	Reboot string            `yaml:"reboot"` // node whose next-boot values must become the running ones
	Fault  fault.Fault       `yaml:"fault"`  // broken from then on
}

// Command is a line for a node's shell, in which $TO is the far end's address
// and $T the measured time in whole seconds, and the figures in what it prints.
type Command struct {
	Node    string          `yaml:"node"` // a name, "from" or "to"
	Run     string          `yaml:"run"`
	Figures map[string]Read `yaml:"figures"`
}

// Read finds a figure: the number that the first group of an expression matches.
type Read struct {
	Match *regexp.Regexp `yaml:"match"`
	Scale float64        `yaml:"scale"` // 0: 1
	Grew  bool           `yaml:"grew"`  // a counter: what it grew by during the trial
	If    string         `yaml:"if"`    // counter without whose growth the figure is an older trial's
}

// Quotient is a figure that follows from two others.
type Quotient struct {
	Figure string  `yaml:"figure"`
	Of     string  `yaml:"of"`
	Per    string  `yaml:"per"`
	Times  float64 `yaml:"times"`
}

// Claim is a conclusion that a source draws from its figures.
type Claim struct {
	Text    string  `yaml:"text" json:"claim"`
	Printed string  `yaml:"printed" json:"printed,omitempty"` // the source's words or numbers on it
	Expect  string  `yaml:"expect" json:"expect,omitempty"`
	Figure  string  `yaml:"figure" json:"figure,omitempty"`
	Of      string  `yaml:"of" json:"of,omitempty"` // case
	To      string  `yaml:"to" json:"to,omitempty"` // case it is compared with; empty: the figure itself
	Within  float64 `yaml:"within" json:"-"`        // same, about: tolerated share
	Value   float64 `yaml:"value" json:"-"`         // above, below, about

	// Attributes decide a claim; where the lab only records them, the verdict says so.
	Attributes []Attribute `yaml:"attributes" json:"-"`
	// Needs are attributes without whose effect nothing is to be measured.
	Needs  []Attribute `yaml:"needs" json:"-"`
	Absent string      `yaml:"absent" json:"-"` // why no lab can show it
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
	Equals   = "about"
)

// All gives the experiments by id. They are not to be changed.
var All = sync.OnceValues(func() (all []Experiment, err error) {
	names, err := fs.Glob(files, "experiments/*.yaml")
	for _, n := range names { // in order, and so are the experiments
		text, bad := files.ReadFile(n)
		some, wrong := parse(n, text)
		if err = cmp.Or(err, bad, wrong); err != nil {
			return nil, err
		}
		all = append(all, some...)
	}
	return all, err
})

// parse reads a file of experiments.
func parse(name string, text []byte) ([]Experiment, error) {
	var f struct {
		Experiments []Experiment `yaml:"experiments"`
	}
	if err := decode.YAML(name, text, &f); err != nil {
		return nil, err
	}
	for _, e := range f.Experiments {
		for i, p := range e.Paths {
			e.Paths[i].Topology = cmp.Or(p.Topology, e.Topology)
		}
	}
	return f.Experiments, nil
}

// Find gives the experiments that names mean: an id, how ids begin (E000), or all.
func Find(names []string) ([]Experiment, error) {
	all, err := All()
	if err != nil {
		return nil, err
	}
	means := func(name string, e Experiment) bool {
		return name == "all" || strings.HasPrefix(e.ID+"-", strings.ToUpper(name)+"-")
	}
	for _, n := range names {
		if !slices.ContainsFunc(all, func(e Experiment) bool { return means(n, e) }) {
			return nil, fmt.Errorf("no experiment %s: seaworthy lab replay lists them, and E000 means all of E000", n)
		}
	}
	return slices.DeleteFunc(slices.Clone(all), func(e Experiment) bool {
		return !slices.ContainsFunc(names, func(n string) bool { return means(n, e) })
	}), nil
}

// kase is the case that one trial measures: a path in a variant.
type kase struct {
	Path
	variant Variant
	name    string
}

// cases of a topology; all of them if it is empty.
func (e *Experiment) cases(topology string) []kase {
	var out []kase
	for _, p := range e.Paths {
		for _, v := range e.Variants {
			if topology == "" || topology == p.Topology {
				out = append(out, kase{p, v, strings.Trim(p.Name+", "+v.Name, ", ")})
			}
		}
	}
	return out
}

// addGroups adds the cases that stand for several.
func (e *Experiment) addGroups(s *samples) {
	for _, g := range e.Groups {
		var members []string
		for _, c := range e.cases("") {
			if g.Cases.MatchString(c.name) {
				members = append(members, c.name)
			}
		}
		s.group(g.Name, members)
	}
}
