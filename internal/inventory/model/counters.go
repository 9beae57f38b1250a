package model

import (
	"encoding/json"
	"fmt"
	"iter"
	"maps"
	"slices"
)

// Counters are numbers by printed name, in the order of names. A large fleet
// has millions of them, and nearly all elements of a kind the same names: the
// names are a list of their own, which an Interner keeps once. The zero value has
// none. They never change; With makes others.
type Counters struct {
	names  []string // sorted, never changed: other elements may have them too
	values []uint64
}

// CountersOf makes counters of a map.
func CountersOf(m map[string]uint64) Counters {
	if len(m) == 0 {
		return Counters{}
	}
	c := Counters{names: slices.AppendSeq(make([]string, 0, len(m)), maps.Keys(m)), values: make([]uint64, len(m))}
	slices.Sort(c.names)
	for i, name := range c.names {
		c.values[i] = m[name]
	}
	return c
}

// With has more counters, or other numbers for some.
func (c Counters) With(more map[string]uint64) Counters {
	m := c.Map()
	if m == nil {
		return CountersOf(more)
	}
	maps.Copy(m, more)
	return CountersOf(m)
}

// Len is how many there are.
func (c Counters) Len() int { return len(c.names) }

// Get gives a counter; false if the host did not print it.
func (c Counters) Get(name string) (uint64, bool) {
	at, there := slices.BinarySearch(c.names, name)
	if !there {
		return 0, false
	}
	return c.values[at], true
}

// All gives the counters in the order of their names.
func (c Counters) All() iter.Seq2[string, uint64] {
	return func(yield func(string, uint64) bool) {
		for i, name := range c.names {
			if !yield(name, c.values[i]) {
				return
			}
		}
	}
}

// Map gives them as a map of its own, nil if there are none.
func (c Counters) Map() map[string]uint64 {
	if c.IsZero() {
		return nil
	}
	return maps.Collect(c.All())
}

// Equal reports whether both have the same names and numbers.
func (c Counters) Equal(d Counters) bool {
	return slices.Equal(c.names, d.names) && slices.Equal(c.values, d.values)
}

// Same reports, at little cost, whether both are the same reading: nothing was added to either.
func (c Counters) Same(d Counters) bool {
	return len(c.values) == len(d.values) && (len(c.values) == 0 || &c.values[0] == &d.values[0])
}

// IsZero reports whether there are none.
func (c Counters) IsZero() bool { return len(c.names) == 0 }

// String returns what fmt prints of the map.
func (c Counters) String() string { return fmt.Sprint(c.Map()) }

// MarshalJSON writes an object, as of the map.
func (c Counters) MarshalJSON() ([]byte, error) { return json.Marshal(c.Map()) }

// UnmarshalJSON reads one.
func (c *Counters) UnmarshalJSON(text []byte) error {
	var m map[string]uint64
	if err := json.Unmarshal(text, &m); err != nil {
		return err
	}
	*c = CountersOf(m)
	return nil
}
