package knowledge

import (
	"errors"
	"fmt"
	"io/fs"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"

	"seaworthy/internal/base/decode"
)

// Assumption is one thing that the tool takes for granted about a platform.
type Assumption struct {
	ID        string    `yaml:"id"`
	Area      string    `yaml:"area"` // login, watchdog, devices, packets, measuring, linux
	Statement string    `yaml:"statement"`
	On        []string  `yaml:"on"`               // logins: aix, vios, padmin, linux, hmc
	Root      bool      `yaml:"root,omitempty"`   // padmin needs oem_setup_env for the test
	Levels    string    `yaml:"levels,omitempty"` // what is known to differ between levels
	Source    string    `yaml:"source"`           // a key of sources.yaml, or "unproven"
	Witness   Witness   `yaml:"witness"`
	Test      *Trial    `yaml:"test,omitempty"` // nil: nothing harmless shows it
	Examples  Examples  `yaml:"examples,omitempty"`
	Features  []Leaning `yaml:"features"`
}

// Witness holds what an assumption rests on.
type Witness string

const (
	Page     Witness = "page"   // the vendor documents it
	Output   Witness = "output" // published outputs of real systems show it
	Use      Witness = "use"    // published scripts rely on it
	Kernel   Witness = "kernel" // run on a real Linux kernel
	Unproven Witness = "unproven"
)

// Leaning is a feature that leans on an assumption, and what it does where the
// assumption is broken.
type Leaning struct {
	Feature Feature `yaml:"name" json:"feature"`
	Broken  Way     `yaml:"broken" json:"broken"`
	Why     string  `yaml:"why" json:"why"` // the harm, or the other way
}

// Feature is a part of the tool that leans on assumptions.
type Feature string

const (
	Collecting    Feature = "collect"
	Applying      Feature = "apply"
	ConfirmWithin Feature = "confirm-within" // apply --confirm-within
	ProbingMTU    Feature = "probe-mtu"
	Benchmarking  Feature = "bench"
)

// Features are all of them, in the order in which they are shown.
var Features = []Feature{Collecting, Applying, ConfirmWithin, ProbingMTU, Benchmarking}

// Way holds what a feature does where an assumption is broken.
type Way string

const (
	Refuse   Way = "refuse"
	OtherWay Way = "other"
)

// Trial is a harmless command line and how to read its answer.
type Trial struct {
	Run   string        `yaml:"run"`
	Limit time.Duration `yaml:"limit,omitempty"` // 0: TrialLimit
	Raw   bool          `yaml:"raw,omitempty"`   // with what the login files print
	Held  Match         `yaml:"held"`
	// Broken, if given, is what shows that it is broken; else every answer that
	// does not show that it holds.
	Broken *Match `yaml:"broken,omitempty"`
}

// TrialLimit bounds one trial.
const TrialLimit = 10 * time.Second

// Match is a condition on an answer: all that is given must hold.
type Match struct {
	Exit   *int   `yaml:"exit,omitempty"`
	Stdout string `yaml:"stdout,omitempty"` // regular expressions
	Stderr string `yaml:"stderr,omitempty"`
}

// Holds reports whether an answer fulfils the condition.
func (m Match) Holds(a Answer) bool {
	return (m.Exit == nil || *m.Exit == a.Exit) && matches(m.Stdout, a.Stdout) && matches(m.Stderr, a.Stderr)
}

func matches(expression, text string) bool {
	return expression == "" || regexp.MustCompile(expression).MatchString(text) // compiled once by check
}

// Answer holds what a command printed, and its exit status.
type Answer struct {
	Stdout string `yaml:"stdout,omitempty" json:"stdout,omitempty"`
	Stderr string `yaml:"stderr,omitempty" json:"stderr,omitempty"`
	Exit   int    `yaml:"exit,omitempty" json:"exit"`
}

// Examples are answers of hosts where an assumption holds and where it is broken.
type Examples struct {
	Held   Answer `yaml:"held"`
	Broken Answer `yaml:"broken"`
}

// assumptionsFile is read only when somebody asks.
const assumptionsFile = "assumptions.yaml"

var loadAssumptions = sync.OnceValues(func() ([]Assumption, error) { return readAssumptions(builtIn) })

// Assumptions are those built into the program, in the order of the file.
func Assumptions() ([]Assumption, error) { return loadAssumptions() }

func readAssumptions(tree fs.FS) ([]Assumption, error) {
	const name = assumptionsFile
	text, err := fs.ReadFile(tree, name)
	if err != nil {
		return nil, err
	}
	var f struct {
		Assumptions []Assumption `yaml:"assumptions"`
	}
	if err := decode.YAML(name, text, &f); err != nil {
		return nil, err
	}
	var errs []error
	seen := map[string]bool{}
	for _, a := range f.Assumptions {
		for _, wrong := range a.check() {
			errs = append(errs, fmt.Errorf("%s: %s: %s", name, a.ID, wrong))
		}
		if seen[a.ID] {
			errs = append(errs, fmt.Errorf("%s: %s is listed twice", name, a.ID))
		}
		seen[a.ID] = true
	}
	return f.Assumptions, errors.Join(errs...)
}

// check gives what is wrong with an assumption.
func (a Assumption) check() (w wrong) {
	w.unless(a.ID != "" && a.Statement != "" && a.Source != "" && len(a.On) > 0, "id, statement, source and on are needed")
	w.unless(slices.Contains([]Witness{Page, Output, Use, Kernel, Unproven}, a.Witness), "unknown witness %q", a.Witness)
	for _, on := range a.On {
		w.unless(slices.Contains([]string{"aix", "vios", "padmin", "linux", "hmc"}, on), "unknown login %q", on)
	}
	for _, f := range a.Features {
		w.unless(slices.Contains(Features, f.Feature), "unknown feature %q", f.Feature)
		w.unless(f.Broken == Refuse || f.Broken == OtherWay, "%s: broken is %q: refuse or other", f.Feature, f.Broken)
		w.unless(f.Why != "", "%s: why is missing", f.Feature)
	}
	if a.Test == nil {
		return w
	}
	ms := []Match{a.Test.Held}
	if a.Test.Broken != nil {
		ms = append(ms, *a.Test.Broken)
	}
	for _, m := range ms {
		_, err := regexp.Compile(m.Stdout)
		_, also := regexp.Compile(m.Stderr)
		w.unless(err == nil && also == nil, "%v", errors.Join(err, also))
		w.unless(m != Match{}, "a condition is empty")
	}
	w.unless(strings.TrimSpace(a.Test.Run) != "", "the test runs nothing")
	return w
}

// Verdict on an assumption.
type Verdict string

const (
	Held     Verdict = "held"
	Broken   Verdict = "broken"
	Unknown  Verdict = "unknown"  // the host did not answer, or the answer shows neither
	Untested Verdict = "untested" // nothing harmless shows it
)

// Read is the verdict that an answer shows.
func (t *Trial) Read(a Answer) Verdict {
	switch {
	case t.Held.Holds(a):
		return Held
	case t.Broken == nil || t.Broken.Holds(a):
		return Broken
	}
	return Unknown
}
