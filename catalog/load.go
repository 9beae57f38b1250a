package catalog

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"
	"sync"

	"github.com/goccy/go-yaml"
)

// The YAML is for people; reading it takes longer than most commands run. The
// program carries its compiled form, which a test keeps equal to it
// (go test ./catalog -update writes it anew).
//
//go:embed attributes.json
var attributesText []byte

//go:embed rules.json
var rulesText []byte

// The rules' own test cases are half of it and only rules test asks for them.
//
//go:embed cases.json
var trialsText []byte

//go:embed schema/*.json
var schemas embed.FS

// Catalog is everything known, checked and indexed. It is not to be changed.
type Catalog struct {
	attributes map[string][]Attribute // by layer, in name order
	rules      []Rule                 // in id order, without cases; see WithCases
	sources    map[string]Source
	version    string
	trials     func() (*trials, error)
}

// trials are what rules are tested by.
type trials struct {
	Cases  map[string][]Case         // by rule
	Fleets map[string]map[string]any // what cases start from
}

// ruled is a catalogue as rules.json holds it, without attributes.
type ruled struct {
	Version string
	Rules   []Rule
	Sources map[string]Source
}

// texts are the compiled form: attributes.json, rules.json and cases.json.
type texts struct{ attributes, rules, cases []byte }

var load = sync.OnceValues(func() (*Catalog, error) {
	return decodeCompiled(texts{attributesText, rulesText, trialsText})
})

// decodeCompiled reads both halves at once: many commands do little else.
func decodeCompiled(t texts) (*Catalog, error) {
	var k ruled
	var attributes map[string][]Attribute
	var wrong error
	var other sync.WaitGroup
	other.Go(func() { wrong = json.Unmarshal(t.attributes, &attributes) })
	err := json.Unmarshal(t.rules, &k)
	other.Wait()
	if err != nil {
		return nil, fmt.Errorf("rules.json: %w", err)
	}
	if wrong != nil {
		return nil, fmt.Errorf("attributes.json: %w", wrong)
	}
	return &Catalog{attributes, k.Rules, k.Sources, k.Version, sync.OnceValues(func() (*trials, error) {
		d := json.NewDecoder(bytes.NewReader(t.cases))
		d.UseNumber() // numbers in fleets keep the form they were written in
		d.DisallowUnknownFields()
		all := &trials{}
		if err := d.Decode(all); err != nil {
			return nil, fmt.Errorf("cases.json: %w", err)
		}
		return all, nil
	})}, nil
}

// Load gives the catalogue built into the program. It reads it once; all
// callers share the result.
func Load() (*Catalog, error) { return load() }

// compile gives the form that Load reads.
func (c *Catalog) compile() (out texts, err error) {
	t, err := c.trials()
	if err != nil {
		return out, err
	}
	for _, x := range []struct {
		into *[]byte
		what any
	}{{&out.attributes, c.attributes}, {&out.rules, ruled{c.version, c.rules, c.sources}}, {&out.cases, t}} {
		if *x.into, err = json.MarshalIndent(x.what, "", " "); err != nil {
			return out, err
		}
	}
	return out, nil
}

// read builds a catalogue from the YAML of a tree laid out as doc.go says. All errors of
// all files come together, each with file and line.
func read(tree fs.FS) (*Catalog, error) {
	t := &trials{Cases: map[string][]Case{}, Fleets: map[string]map[string]any{}}
	c := &Catalog{
		attributes: map[string][]Attribute{},
		sources:    map[string]Source{},
		trials:     func() (*trials, error) { return t, nil },
	}
	digest := sha256.New()
	var errs []error
	each := func(pattern string, use func(name string, text []byte) error) {
		names, err := fs.Glob(tree, pattern)
		if err != nil {
			errs = append(errs, err)
			return
		}
		for _, name := range names {
			text, err := fs.ReadFile(tree, name)
			if err == nil {
				fmt.Fprintf(digest, "%s %d\n%s", name, len(text), text)
				err = use(name, text)
			}
			errs = append(errs, err)
		}
	}
	each("sources.yaml", c.addSources)
	each("attributes/*.yaml", c.addAttributes)
	each("fleets/*.yaml", t.addFleet)
	each("rules/*.yaml", c.addRules)
	for _, list := range c.attributes {
		slices.SortFunc(list, func(a, b Attribute) int { return cmp.Compare(a.Name, b.Name) })
	}
	slices.SortFunc(c.rules, func(a, b Rule) int { return cmp.Compare(a.ID, b.ID) })
	errs = append(errs, c.check()...)
	for i := range c.rules {
		r := &c.rules[i]
		t.Cases[r.ID], r.Cases = r.Cases, nil
	}
	if err := errors.Join(errs...); err != nil {
		return nil, err
	}
	c.version = hex.EncodeToString(digest.Sum(nil))[:12]
	return c, nil
}

// decode reads strict YAML. Its error names file, line and what was expected.
func decode(name string, text []byte, into any) (err error) {
	// The library panics on some malformed tags.
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("%s: not readable as YAML: %v", name, r)
		}
	}()
	err = yaml.UnmarshalWithOptions(text, into, yaml.Strict())
	var placed yaml.Error
	switch {
	case err == nil:
		return nil
	case errors.As(err, &placed) && placed.GetToken() != nil && placed.GetToken().Position != nil:
		return fmt.Errorf("%s:%d: %s", name, placed.GetToken().Position.Line, placed.GetMessage())
	}
	return fmt.Errorf("%s: %w", name, err)
}

func (c *Catalog) addSources(name string, text []byte) error {
	var file struct {
		Sources []Source `yaml:"sources"`
	}
	if err := decode(name, text, &file); err != nil {
		return err
	}
	for _, s := range file.Sources {
		if _, twice := c.sources[s.Key]; twice {
			return fmt.Errorf("%s: source %s stands twice", name, s.Key)
		}
		c.sources[s.Key] = s
	}
	return nil
}

func (c *Catalog) addAttributes(name string, text []byte) error {
	var file struct {
		Layer      string      `yaml:"layer"`
		Attributes []Attribute `yaml:"attributes"`
	}
	if err := decode(name, text, &file); err != nil {
		return err
	}
	for i := range file.Attributes {
		file.Attributes[i].Layer = file.Layer
	}
	c.attributes[file.Layer] = append(c.attributes[file.Layer], file.Attributes...)
	return nil
}

func (t *trials) addFleet(name string, text []byte) error {
	var fleet map[string]any
	if err := decode(name, text, &fleet); err != nil {
		return err
	}
	t.Fleets[strings.TrimSuffix(path.Base(name), ".yaml")] = fleet
	return nil
}

func (c *Catalog) addRules(name string, text []byte) error {
	rules, err := decodeRules(name, text)
	c.rules = append(c.rules, rules...)
	return err
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

// Rules gives all rules in id order, without their test cases.
func (c *Catalog) Rules() []Rule { return slices.Clone(c.rules) }

// Rule gives one rule, without its test cases, or false.
func (c *Catalog) Rule(id string) (Rule, bool) {
	i, ok := slices.BinarySearchFunc(c.rules, id, func(r Rule, id string) int { return cmp.Compare(r.ID, id) })
	if !ok {
		return Rule{}, false
	}
	return c.rules[i], true
}

// WithCases gives rules with the test cases of those that are the catalogue's; the
// others have theirs already.
func (c *Catalog) WithCases(rules []Rule) ([]Rule, error) {
	t, err := c.trials()
	if err != nil {
		return nil, err
	}
	out := slices.Clone(rules)
	for i := range out {
		if own, ok := c.Rule(out[i].ID); ok && own.File == out[i].File && out[i].Cases == nil {
			out[i].Cases = t.Cases[own.ID]
		}
	}
	return out, nil
}

// Fleet gives the compact inventory that cases start from, or false.
func (c *Catalog) Fleet(name string) (map[string]any, bool) {
	t, err := c.trials()
	if err != nil {
		return nil, false
	}
	f, ok := t.Fleets[name]
	return f, ok
}

// Source resolves a citation such as "IBM-LSO" or "S000:L58".
func (c *Catalog) Source(cited string) (Source, bool) {
	key, _, _ := strings.Cut(cited, ":")
	s, ok := c.sources[key]
	return s, ok
}

// Version is a digest of the catalogue's content: two programs with the same
// version judge alike.
func (c *Catalog) Version() string { return c.version }

// Schema gives a JSON Schema by name: "attributes", "rules" or "sources".
func Schema(name string) ([]byte, error) {
	text, err := schemas.ReadFile("schema/" + path.Base(name) + ".schema.json")
	if err != nil {
		return nil, fmt.Errorf("no schema %q: attributes, rules, sources", name)
	}
	return text, nil
}
