package knowledge

import (
	"cmp"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"
	"sync"

	"seaworthy/internal/base/decode"
)

// ownFiles have loaders of their own.
var ownFiles = []string{assumptionsFile, defectsFile, aparsFile, countersFile}

//go:embed attributes/*.yaml rules/*.yaml fleets/*.yaml *.yaml
var builtIn embed.FS

var load = sync.OnceValues(func() (*Catalog, error) { return read(builtIn) })

// Load gives the catalogue built into the program. It reads it once; all
// callers share the result.
func Load() (*Catalog, error) { return load() }

// BuiltIn is Load where an error cannot be reported. The tests load what is built
// in, so it fails in no program that passed them.
func BuiltIn() *Catalog {
	c, err := load()
	if err != nil {
		panic(err)
	}
	return c
}

// file is one YAML file of a catalogue, of whatever folder.
type file struct {
	Layer      string         `yaml:"layer"`
	Attributes []Attribute    `yaml:"attributes"`
	Rules      []Rule         `yaml:"rules"`
	Sources    []Source       `yaml:"sources"`
	Hosts      map[string]any `yaml:"hosts"`
	HMC        any            `yaml:"hmc"`
	Causes     []Cause        `yaml:"causes"`
	Costs      []Costs        `yaml:"costs"`
	Spreads    *Spreads       `yaml:"spreads"`

	Measurements []Measurement `yaml:"measurements"`
	Messages     []Message     `yaml:"messages"`
	PortCounters []PortCounter `yaml:"port_counters"`
	Ranking      *Ranking      `yaml:"ranking"`
	Display      *Display      `yaml:"display"`

	Innocence   *Innocence    `yaml:"innocence"`
	Unexplained []Unexplained `yaml:"unexplained"`

	Expressions expressions `yaml:",inline"`
}

// read builds a catalogue from a tree laid out as doc.go says. Errors of all
// files come together, each with file and line.
func read(tree fs.FS) (*Catalog, error) {
	var names []string
	for _, pattern := range []string{"*.yaml", "attributes/*.yaml", "fleets/*.yaml", "rules/*.yaml"} {
		found, err := fs.Glob(tree, pattern)
		if err != nil {
			return nil, err
		}
		names = append(names, slices.DeleteFunc(found, func(n string) bool { return slices.Contains(ownFiles, n) })...)
	}
	// Every command waits for this: all processors help.
	files, errs := make([]file, len(names)), make([]error, len(names))
	var wait sync.WaitGroup
	for i, name := range names {
		wait.Go(func() {
			text, err := fs.ReadFile(tree, name)
			if err == nil {
				err = decode.YAML(name, text, &files[i])
			}
			errs[i] = err
		})
	}
	wait.Wait()
	c := &Catalog{attributes: map[string][]Attribute{}, sources: map[string]Source{}, fleets: map[string]map[string]any{},
		costs: map[string]*Costs{}}
	for i, f := range files {
		errs = append(errs, c.add(names[i], f))
	}
	for _, list := range c.attributes {
		slices.SortFunc(list, func(a, b Attribute) int { return cmp.Compare(a.Name, b.Name) })
	}
	slices.SortFunc(c.rules, func(a, b Rule) int { return cmp.Compare(a.ID, b.ID) })
	if err := errors.Join(errs...); err != nil {
		return nil, err
	}
	return c, nil
}

func (c *Catalog) add(name string, f file) error {
	for i := range f.Attributes {
		f.Attributes[i].Layer = f.Layer
	}
	if f.Layer != "" {
		c.attributes[f.Layer] = append(c.attributes[f.Layer], f.Attributes...)
	}
	for _, r := range f.Rules {
		r.File, r.BuiltIn = name, true
		c.rules = append(c.rules, r)
	}
	if f.Hosts != nil {
		fleet := map[string]any{"hosts": f.Hosts}
		if f.HMC != nil {
			fleet["hmc"] = f.HMC
		}
		c.fleets[strings.TrimSuffix(path.Base(name), ".yaml")] = fleet
	}
	if f.Expressions.Definitions != nil {
		c.expressions = f.Expressions
	}
	c.causes = append(c.causes, f.Causes...)
	c.measurements = append(c.measurements, f.Measurements...)
	c.messages = append(c.messages, f.Messages...)
	c.portCounters = append(c.portCounters, f.PortCounters...)
	if f.Innocence != nil {
		c.innocence = *f.Innocence
	}
	c.unexplained = append(c.unexplained, f.Unexplained...)
	if f.Ranking != nil {
		c.ranking = *f.Ranking
	}
	if f.Display != nil {
		c.display = *f.Display
	}
	for i := range f.Costs {
		f.Costs[i].Spreads = f.Spreads
		c.costs[f.Costs[i].Profile] = &f.Costs[i]
	}
	for _, s := range f.Sources {
		if _, known := c.sources[s.Key]; known {
			return fmt.Errorf("%s: source %s is listed twice", name, s.Key)
		}
		c.sources[s.Key] = s
	}
	return nil
}
