package catalog

import "slices"

// Fact is a number that rules ask for and that no configuration holds.
type Fact struct {
	Name    string `yaml:"name" json:"name"`
	Of      string `yaml:"of" json:"of"` // host, interface, adapter: what it is given for
	Unit    string `yaml:"unit,omitempty" json:"unit,omitempty"`
	Meaning string `yaml:"meaning" json:"meaning"`
	From    string `yaml:"from,omitempty" json:"from,omitempty"` // the command whose output gives it; empty: only --fact does
}

// expressions is what expressions.yaml holds.
type expressions struct {
	Definitions map[string]map[string]string `yaml:"definitions"` // element or pool, name of a property → CEL
	Facts       []Fact                       `yaml:"facts"`
	OldWords    map[string]string            `yaml:"old_words"`
}

// Facts lists what the built-in rules ask for, in the order of names.
func (c *Catalog) Facts() []Fact { return slices.Clone(c.expressions.Facts) }

// Fact gives a fact by name; one that is not known has a name only.
func (c *Catalog) Fact(name string) Fact {
	if i := slices.IndexFunc(c.expressions.Facts, func(f Fact) bool { return f.Name == name }); i >= 0 {
		return c.expressions.Facts[i]
	}
	return Fact{Name: name}
}

// Definitions gives the properties of an element or a pool that are written in CEL: expressions by name.
func (c *Catalog) Definitions(of string) map[string]string { return c.expressions.Definitions[of] }

// OldWord gives what replaced a word of the language that expressions were once written in; empty for another word.
func (c *Catalog) OldWord(word string) string { return c.expressions.OldWords[word] }
