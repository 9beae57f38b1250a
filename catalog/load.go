package catalog

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

	"seaworthy/document"
)

//go:embed attributes/*.yaml rules/*.yaml fleets/*.yaml *.yaml
var builtIn embed.FS

// Catalog is everything known, checked and indexed. It is not to be changed.
type Catalog struct {
	attributes  map[string][]Attribute // by layer, in name order
	rules       []Rule                 // in id order
	sources     map[string]Source
	fleets      map[string]map[string]any // what cases start from
	expressions expressions
	causes      []Cause
}

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
		names = append(names, slices.DeleteFunc(found, func(n string) bool { return n == assumptionsFile })...)
	}
	// Every command waits for this: all processors help.
	files, errs := make([]file, len(names)), make([]error, len(names))
	var wait sync.WaitGroup
	for i, name := range names {
		wait.Go(func() {
			text, err := fs.ReadFile(tree, name)
			if err == nil {
				err = document.YAML(name, text, &files[i])
			}
			errs[i] = err
		})
	}
	wait.Wait()
	c := &Catalog{attributes: map[string][]Attribute{}, sources: map[string]Source{}, fleets: map[string]map[string]any{}}
	for i, f := range files {
		errs = append(errs, c.add(names[i], f))
	}
	for _, list := range c.attributes {
		slices.SortFunc(list, func(a, b Attribute) int { return cmp.Compare(a.Name, b.Name) })
	}
	slices.SortFunc(c.rules, func(a, b Rule) int { return cmp.Compare(a.ID, b.ID) })
	errs = append(errs, c.check()...)
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
	for _, r := range placed(name, f.Rules) {
		r.BuiltIn = true
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
	for _, s := range f.Sources {
		if _, known := c.sources[s.Key]; known {
			return fmt.Errorf("%s: source %s is listed twice", name, s.Key)
		}
		c.sources[s.Key] = s
	}
	return nil
}

// Attribute gives one attribute of a layer, or false. It is shared: not to be
// changed. Linux settings are also found under the kind of the element they
// belong to, and under "sysctl" and "ethtool".
func (c *Catalog) Attribute(layer, name string) (*Attribute, bool) {
	for _, l := range []string{layer, "linux"} {
		list := c.attributes[l]
		i, ok := slices.BinarySearchFunc(list, name, func(a Attribute, n string) int { return cmp.Compare(a.Name, n) })
		if ok {
			return &list[i], true
		}
		if layer == "no" || layer == "sea" {
			break
		}
	}
	return nil, false
}

// reported are attributes that nobody sets: entstat prints them of the members of
// an aggregation.
var reported = []string{"partner_system", "partner_key", "synchronization"}

// Knows says whether any element has an attribute of that name.
func (c *Catalog) Knows(name string) bool {
	if slices.Contains(reported, name) {
		return true
	}
	for _, list := range c.attributes {
		if _, ok := slices.BinarySearchFunc(list, name, func(a Attribute, n string) int { return cmp.Compare(a.Name, n) }); ok {
			return true
		}
	}
	return false
}

// Attributes gives all attributes of a layer in name order; of every layer, one
// layer after the other, if it is empty. The slice is the caller's, what it
// points to is not.
func (c *Catalog) Attributes(layer string) []Attribute {
	if layer != "" {
		return slices.Clone(c.attributes[layer])
	}
	var all []Attribute
	for _, l := range c.Layers() {
		all = append(all, c.attributes[l]...)
	}
	return all
}

// Layers gives the layers that have attributes, sorted.
func (c *Catalog) Layers() []string {
	var names []string
	for l := range c.attributes {
		names = append(names, l)
	}
	slices.Sort(names)
	return names
}

// Rules gives all rules in id order.
func (c *Catalog) Rules() []Rule { return slices.Clone(c.rules) }

// Rule gives one rule, or false.
func (c *Catalog) Rule(id string) (Rule, bool) {
	i, ok := slices.BinarySearchFunc(c.rules, id, func(r Rule, id string) int { return cmp.Compare(r.ID, id) })
	if !ok {
		return Rule{}, false
	}
	return c.rules[i], true
}

// Reason says in words why findings, given by their ids, ask for a change: the
// titles of their rules, each once with its id. A rule that is not built in is
// named by its finding's id.
func (c *Catalog) Reason(findings []string) string {
	var out []string
	for _, id := range findings {
		text := id
		rule, _, _ := strings.Cut(id, "/")
		if r, ok := c.Rule(rule); ok {
			text = r.Title + " (" + rule + ")"
		}
		if !slices.Contains(out, text) {
			out = append(out, text)
		}
	}
	return strings.Join(out, "; ")
}

// Fleet gives the compact inventory that cases start from, or false.
func (c *Catalog) Fleet(name string) (map[string]any, bool) {
	f, ok := c.fleets[name]
	return f, ok
}

// Source resolves a citation such as "IBM-LSO" or "S000:L58".
func (c *Catalog) Source(cited string) (Source, bool) {
	key, _, _ := strings.Cut(cited, ":")
	s, ok := c.sources[key]
	return s, ok
}
