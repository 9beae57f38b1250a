// Of display.yaml: which attributes and counters of an element people are shown.

package knowledge

import (
	"cmp"
	"slices"
)

// Display says what a path's table and picture show of its elements.
type Display struct {
	Elements map[string][]Shown `yaml:"elements"` // by kind of element: sea
	Linux    []Shown            `yaml:"linux"`    // of every device of a Linux host
	Losses   []Loss             `yaml:"losses"`
}

// Shown is an attribute that people are shown.
type Shown struct {
	Attribute string `yaml:"attribute"`
	Label     string `yaml:"label,omitempty"` // before its value in a picture; empty: not in pictures
}

// Loss is a counter of packets that an element lost.
type Loss struct {
	Counter string `yaml:"counter"`
	Label   string `yaml:"label,omitempty"` // the counter's name in pictures, where it is another
}

// Name is how a picture names the counter.
func (l Loss) Name() string { return cmp.Or(l.Label, l.Counter) }

// Display gives what people are shown of an element.
func (c *Catalog) Display() Display { return c.display }

// Of lists what is shown of an element, in order: by its kind, or as every device of Linux.
func (d Display) Of(kind string, linux bool) []Shown {
	if linux {
		return d.Linux
	}
	return d.Elements[kind]
}

// Attributes lists every attribute that a picture shows, of whatever element.
func (d Display) Attributes() []string {
	lists := [][]Shown{d.Linux}
	for _, list := range d.Elements {
		lists = append(lists, list)
	}
	var out []string
	for _, s := range slices.Concat(lists...) {
		if s.Label != "" && !slices.Contains(out, s.Attribute) {
			out = append(out, s.Attribute)
		}
	}
	slices.Sort(out)
	return out
}

// Counters lists the counters of packets that were lost.
func (d Display) Counters() []string {
	var out []string
	for _, l := range d.Losses {
		out = append(out, l.Counter)
	}
	return out
}
