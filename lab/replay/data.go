package replay

import (
	"embed"
	"fmt"
	"path"
	"slices"
	"strings"
	"sync"

	"github.com/goccy/go-yaml"
)

//go:embed experiments/*.yaml
var files embed.FS

// Experiment is one experiment of a source.
type Experiment struct {
	ID       string `yaml:"id"`
	Title    string `yaml:"title"`
	Source   string `yaml:"source"` // key and lines: S000:L75-79
	System   string `yaml:"system"` // what the source measured on
	Tool     string `yaml:"tool"`   // and with
	Method   string `yaml:"method"` // how it is replayed, see methods
	Topology string `yaml:"topology"`
	From     string `yaml:"from"`
	To       string `yaml:"to"`
	Blocks   int    `yaml:"blocks"`   // repetitions; 0: as Options have it
	Thorough int    `yaml:"thorough"` // likewise, but only if not quick, and of short trials: for claims of a few percent

	Variants  []Variant   `yaml:"variants"`
	Workloads []Workload  `yaml:"workloads"`
	Frames    int         `yaml:"frames"` // compare: bytes of which the frames are counted; 0: none are
	Seed      []Published `yaml:"seed"`
	Claims    []Claim     `yaml:"claims"`
	Notes     []string    `yaml:"notes"`

	Hosts   map[string]string `yaml:"hosts"`   // matrix: node -> name in the source
	Windows []int             `yaml:"windows"` // matrix: bytes
	Cells   []Cell            `yaml:"cells"`   // matrix
	Window  int               `yaml:"window"`  // rtt: bytes that should cover the bandwidth-delay product
	Rows    []Row             `yaml:"rows"`    // rtt

	Cable float64 `yaml:"cable_ms"` // window, ftp: delay that the cable of To gets, there and back; 0: none
}

// Variant is a state of the path: command lines by node, run as root.
type Variant struct {
	Name string            `yaml:"name"`
	Set  map[string]string `yaml:"set"`
}

// Workload is traffic of a case.
type Workload struct {
	Name     string `yaml:"name"`
	Streams  int    `yaml:"streams"`
	Sessions int    `yaml:"sessions"`
	Write    int    `yaml:"write"`   // bytes
	Request  int    `yaml:"request"` // bytes, and of the response
}

// Published are a source's figures of a case.
type Published struct {
	Case    string             `yaml:"case"`
	Figures map[string]float64 `yaml:"figures"`
}

// Cell is one of a matrix of hosts and their options.
type Cell struct {
	From   string    `yaml:"from"`
	Option string    `yaml:"option"` // of the sender: LS, or LS,9000
	To     string    `yaml:"to"`
	Far    string    `yaml:"far"`  // of the receiver
	Mbps   []float64 `yaml:"mbps"` // by window
}

// Row is one network of a table of round trips.
type Row struct {
	Network   string  `yaml:"network"`
	Reference float64 `yaml:"reference_ms"` // 0: none
	Measured  float64 `yaml:"measured_ms"`
	Topology  string  `yaml:"topology"`
	From      string  `yaml:"from"`
	To        string  `yaml:"to"`
	Address   string  `yaml:"address"`
	Cable     float64 `yaml:"cable_ms"` // delay that the cables get, there and back; 0: none
	Absent    string  `yaml:"absent"`   // why no lab has it
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

	// Attributes decide a claim; where the lab only records them, that is told.
	Attributes []Attribute `yaml:"attributes"`
	// Needs are attributes without whose effect nothing is to be measured.
	Needs []Attribute `yaml:"needs"`

	absent string // why no lab can have one of its cases
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
	if err := yaml.UnmarshalWithOptions(text, &f, yaml.Strict()); err != nil {
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
	if methods[e.Method] == nil {
		return fmt.Errorf("method %q is not known", e.Method)
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
