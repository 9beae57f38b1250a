package fault

import (
	"bytes"
	_ "embed"
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"go.yaml.in/yaml/v3"

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
	Not    string `json:"not_here,omitempty" yaml:"not_here"` // why this lab cannot do it
}

//go:embed catalogue.yaml
var catalogue []byte

// Catalogue lists all kinds, also those that field reports know and a lab does
// not have.
func Catalogue() []Entry {
	var out []Entry
	d := yaml.NewDecoder(bytes.NewReader(catalogue))
	d.KnownFields(true)
	if err := d.Decode(&out); err != nil {
		panic(fmt.Errorf("catalogue.yaml: %w", err)) // embedded, and read by tests
	}
	return out
}

// parsed is a fault that fits the topology.
type parsed struct {
	Fault
	node, adapter string
	number        float64
	period        time.Duration
	rate          uint64
}

// key is what can be broken once: a kind at a target.
func (f Fault) key() [2]string { return [2]string{f.Kind, f.Target} }

// parse checks a fault against the topology.
func parse(t *topology.Topology, f Fault) (parsed, error) {
	p := parsed{Fault: f}
	var e *Entry
	var kinds []string
	for _, x := range Catalogue() {
		kinds = append(kinds, x.Kind)
		if x.Kind == f.Kind {
			e = &x
		}
	}
	switch {
	case e == nil:
		return p, fmt.Errorf("%q: no such fault, expected one of %s", f.Kind, strings.Join(kinds, ", "))
	case e.Not != "":
		return p, fmt.Errorf("%s: not in this lab, because %s", f.Kind, e.Not)
	case e.Value == "" && f.Value != "":
		return p, fmt.Errorf("%s takes no value, got %q", f.Kind, f.Value)
	}
	if err := p.target(t, e.Target); err != nil {
		return p, err
	}
	return p, p.value()
}

func (p *parsed) target(t *topology.Topology, form string) error {
	var names []string
	kind := topology.Physical
	if p.Kind == "full-buffers" {
		kind = topology.Virtual
	}
	switch form {
	case "PORT":
		for _, x := range t.Switch.Ports {
			if names = append(names, x.Name); x.Name == p.Target {
				return nil
			}
		}
	case "SYSTEM":
		for _, s := range t.Systems {
			if names = append(names, s.Name); s.Name == p.Target {
				return nil
			}
		}
	default:
		p.node, p.adapter, _ = strings.Cut(p.Target, ":")
		for _, n := range t.Nodes() {
			if form == "NODE" {
				if names = append(names, n.Name); n.Name == p.Target {
					return nil
				}
				continue
			}
			for _, a := range n.Adapters {
				if a.Kind != kind {
					continue
				}
				if names = append(names, n.Name+":"+a.Name); n.Name == p.node && a.Name == p.adapter {
					return nil
				}
			}
		}
	}
	return fmt.Errorf("%s: target %q, expected one of %s", p.Kind, p.Target, strings.Join(names, ", "))
}

func (p *parsed) value() (err error) {
	switch p.Kind {
	case "flap":
		p.period = 2 * time.Second
		if p.Value != "" {
			p.period, err = time.ParseDuration(p.Value)
		}
		if err != nil || p.period < 100*time.Millisecond || p.period > time.Hour {
			return fmt.Errorf("flap: period %q, expected 100ms to 1h", p.Value)
		}
	case "loss":
		if p.number, err = number(p.Value, 1, 0.0001, 100); err != nil {
			return fmt.Errorf("loss: percent %q, expected 0.0001 to 100", p.Value)
		}
	case "full-buffers":
		p.rate = 100e6
		if p.Value != "" {
			p.rate, err = topology.ParseRate(p.Value)
		}
		if err != nil {
			return fmt.Errorf("full-buffers: rate %w", err)
		}
	case "duplex":
		if p.number, err = number(p.Value, 5, 0.0001, 100); err != nil {
			return fmt.Errorf("duplex: percent %q, expected 0.0001 to 100", p.Value)
		}
	case "clock-jump":
		p.period = time.Hour
		if p.Value != "" {
			p.period, err = time.ParseDuration(p.Value)
		}
		if err != nil || p.period == 0 || p.period.Abs() > 100*365*24*time.Hour {
			return fmt.Errorf("clock-jump: distance %q, expected one like 90s, -15m or 8760h", p.Value)
		}
	case "delay":
		p.period = 500 * time.Microsecond
		if p.Value != "" {
			p.period, err = topology.ParseDelay(p.Value)
		}
		if err != nil {
			return fmt.Errorf("delay: time %w", err)
		}
	case "no-jumbo":
		if p.number, err = number(p.Value, 1500, 576, 9216); err != nil {
			return fmt.Errorf("no-jumbo: MTU %q, expected 576 to 9216", p.Value)
		}
	}
	return nil
}

func number(s string, def, low, high float64) (float64, error) {
	if s == "" {
		return def, nil
	}
	v, err := strconv.ParseFloat(strings.TrimSuffix(s, "%"), 64)
	if err == nil && (math.IsNaN(v) || v < low || v > high) {
		err = errors.New("out of range")
	}
	return v, err
}
