// Names of the counters of ports.

package knowledge

import "slices"

// PortCounter is a fact that ports count, with the names under which drivers print it.
type PortCounter struct {
	Fact    string `yaml:"fact" json:"fact"`
	Meaning string `yaml:"meaning" json:"meaning"`
	// First: the names are of one number, and the first that a driver prints counts. Otherwise what it prints is added up.
	First bool     `yaml:"first,omitempty" json:"first,omitempty"`
	Names []string `yaml:"names" json:"names"` // # stands for the number of a queue or a priority
}

// PortCounterTable lists the facts that ports count, in the order of the file.
type PortCounterTable []PortCounter

// PortCounters is the table of a catalogue.
func PortCounters(c *Catalog) PortCounterTable { return slices.Clone(c.portCounters) }

// Find gives a fact by its name; false if there is none of that name.
func (t PortCounterTable) Find(fact string) (PortCounter, bool) {
	i := slices.IndexFunc(t, func(p PortCounter) bool { return p.Fact == fact })
	if i < 0 {
		return PortCounter{}, false
	}
	return t[i], true
}
