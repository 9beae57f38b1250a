package catalog

import "slices"

// Cause is what can make a path slow, in symptoms.yaml: how it shows, and what to do about it.
type Cause struct {
	ID        string   `yaml:"id"`
	Title     string   `yaml:"title"`
	Symptoms  []string `yaml:"symptoms"`             // slow, stalls, drops, latency
	Witnesses []string `yaml:"witnesses,omitempty"`  // rules whose findings show it
	Certainty string   `yaml:"certainty,omitempty"`  // of findings that have none of their own: proved, likely, possible
	Needed    bool     `yaml:"needed,omitempty"`     // while it could not be looked at, a path is not called healthy
	Standby   bool     `yaml:"standby,omitempty"`    // counts on the other VIOS of a pair too
	FullLine  bool     `yaml:"full_line,omitempty"`  // streams that fill the line show it too: what does not fit is lost
	Path      bool     `yaml:"path,omitempty"`       // one of the whole path, though both its ends show it
	Hides     []string `yaml:"hides,omitempty"`      // causes that follow from it, wherever on the path
	HidesHere []string `yaml:"hides_here,omitempty"` // those that follow at the same element
	Do        []string `yaml:"do"`
	Verify    []string `yaml:"verify"`           // how to see that it is gone
	Checks    []Check  `yaml:"checks,omitempty"` // of its own, as a rule has them
	Cases     []Case   `yaml:"cases,omitempty"`
}

// Symptoms that a user can name.
var Symptoms = []string{"slow", "stalls", "drops", "latency"}

// Rule gives the cause's own checks as a rule of its id.
func (c Cause) Rule() Rule {
	return Rule{ID: c.ID, Title: c.Title, Severity: "high", Class: O6, Confidence: "high", Why: c.Title, Checks: c.Checks, Cases: c.Cases,
		File: "symptoms.yaml", BuiltIn: true}
}

// Causes lists what can make a path slow, in the order of the file.
func (c *Catalog) Causes() []Cause { return slices.Clone(c.causes) }
