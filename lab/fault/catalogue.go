package fault

import (
	"cmp"
	_ "embed"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"seaworthy/internal/base/decode"
	"seaworthy/lab/effect"
	"seaworthy/lab/topology"
)

// Fault is one thing that is broken.
type Fault struct {
	Kind   string `json:"kind"`            // crash, port-down, …
	Target string `json:"target"`          // vios1a, vios1a:ent0, sw1/1, cec1
	Value  string `json:"value,omitempty"` // as the kind has it; empty: its default
}

func (f Fault) String() string { return strings.TrimSpace(f.Target + " " + f.Kind + " " + f.Value) }

// Entry describes a kind of fault.
type Entry struct {
	Kind   string `json:"kind"`
	Target string `json:"target"`
	Value  string `json:"value,omitempty"`
	What   string `json:"what"`
	// Virtual: of NODE:entN, virtual adapters instead of physical ports.
	Virtual bool `json:"-" yaml:"virtual"`
}

//go:embed catalogue.yaml
var catalogue []byte

// Catalogue lists all kinds.
func Catalogue() []Entry {
	var out []Entry
	if err := decode.YAML("catalogue.yaml", catalogue, &out); err != nil {
		panic(err) // embedded, and read by tests
	}
	return out
}

// key identifies a fault: each kind can be broken once at a target.
func (f Fault) key() [2]string { return [2]string{f.Kind, f.Target} }

// parse checks a fault against the topology, and gives its place and value as package
// effect has them.
func parse(t *topology.Topology, f Fault) (at effect.Fault, value int64, err error) {
	all := Catalogue()
	i := slices.IndexFunc(all, func(e Entry) bool { return e.Kind == f.Kind })
	if i < 0 {
		var kinds []string
		for _, x := range all {
			kinds = append(kinds, x.Kind)
		}
		return at, 0, fmt.Errorf("%q: no such fault, expected one of %s", f.Kind, strings.Join(kinds, ", "))
	}
	e := all[i]
	targets := e.targets(t)
	place, fits := targets[f.Target]
	switch {
	case e.Value == "" && f.Value != "":
		err = fmt.Errorf("%s takes no value, got %q", f.Kind, f.Value)
	case !fits:
		err = fmt.Errorf("%s: target %q, expected one of %s", f.Kind, f.Target, strings.Join(slices.Sorted(maps.Keys(targets)), ", "))
	}
	at, value = effect.Fault{Kind: effect.FaultKind(f.Kind), At: place}, 1
	if err != nil || e.Value == "" {
		return at, value, err
	}
	unit, def, _ := strings.Cut(e.Value, ", ")
	if value, err = units[unit](cmp.Or(f.Value, def)); err != nil {
		err = fmt.Errorf("%s: %s %w", f.Kind, unit, err)
	}
	return at, value, err
}

// targets are the places where a fault can be, by the name of each.
func (e Entry) targets(t *topology.Topology) map[string][2]string {
	out := map[string][2]string{}
	switch e.Target {
	case "PORT":
		for _, p := range t.Switch.Ports {
			out[p.Name] = [2]string{p.Name}
		}
	case "SYSTEM":
		for _, s := range t.Systems {
			out[s.Name] = [2]string{s.Name}
		}
	case "NODE":
		for _, n := range t.Nodes() { // one with Linux does not reboot: guests do
			out[n.Name] = [2]string{n.Name}
		}
	case "NODE:DEVICE":
		for _, n := range t.Nodes() {
			if n.OS != "" {
				continue
			}
			out[n.Name+":no"] = [2]string{n.Name, "no"}
			for _, a := range n.Adapters {
				out[n.Name+":"+a.Name] = [2]string{n.Name, a.Name}
			}
			for _, i := range n.Interfaces {
				out[n.Name+":"+i.Name] = [2]string{n.Name, i.Name}
			}
		}
	default:
		kind := topology.Physical
		if e.Virtual {
			kind = topology.Virtual
		}
		for _, n := range t.Hosts() {
			for _, a := range n.Adapters {
				if a.Kind == kind && (kind == topology.Physical || n.OS == "") {
					out[n.Name+":"+a.Name] = [2]string{n.Name, a.Name}
				}
			}
		}
	}
	return out
}

// units read the values of the catalogue's kinds, by the name of what they are.
var units = map[string]func(text string) (int64, error){
	"period":   duration("100ms to 1h", 100*time.Millisecond, time.Hour),
	"distance": duration("one like 90s, -15m or 8760h", -century, century),
	"percent":  number("0.0001 to 100", 0.0001, 100, 1e4), // in millionths
	"change":   number("1 to 1000", 1, 1000, 1),
	"MTU":      number("576 to 9216", 576, 9216, 1),
	"time": func(text string) (int64, error) {
		d, err := topology.ParseDelay(text)
		return int64(d), err
	},
	"bit/s": func(text string) (int64, error) {
		rate, err := topology.ParseRate(text)
		return int64(rate), err
	},
}

const century = 100 * 365 * 24 * time.Hour

func duration(expected string, low, high time.Duration) func(string) (int64, error) {
	return func(text string) (int64, error) {
		d, err := time.ParseDuration(text)
		if err != nil || d < low || d > high || d == 0 {
			return 0, fmt.Errorf("%q, expected %s", text, expected)
		}
		return int64(d), nil
	}
}

func number(expected string, low, high, times float64) func(string) (int64, error) {
	return func(text string) (int64, error) {
		v, err := strconv.ParseFloat(strings.TrimSuffix(text, "%"), 64)
		if err != nil || !(v >= low && v <= high) {
			return 0, fmt.Errorf("%q, expected %s", text, expected)
		}
		return int64(v * times), nil
	}
}
