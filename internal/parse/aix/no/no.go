// Package no reads the output of AIX no, the network options:
//
//	no -a, no -o NAME   name = value
//	no -L, no -F -L     a table: current, default, boot, minimum, maximum,
//	                    unit and type, with the tunables it depends on below
//
// vmo, ioo, schedo and nfso print the same. Values keep AIX's spelling (1M,
// 64K-1, {512:2048}); Value.Uint counts them out.
package no

import "seaworthy/internal/parse"

// Tunables is the output of one no command.
type Tunables struct {
	parse.Report
	Form     Form       `json:"-"`
	Tunables []*Tunable `json:"tunables"`
}

// Form is how tunables are printed.
type Form int

const (
	All   Form = iota // no -a: names right-aligned
	Named             // no -o NAME
	List              // no -L
)

// Tunable is one network option. What the output does not say is nil.
type Tunable struct {
	Name       string `json:"name"`
	Restricted bool   `json:"restricted,omitempty"` // behind the line "##Restricted tunables"

	Current *Value `json:"current,omitempty"`
	Default *Value `json:"default,omitempty"`
	Boot    *Value `json:"boot,omitempty"` // after the next boot
	Min     *Value `json:"min,omitempty"`
	Max     *Value `json:"max,omitempty"`

	Unit string `json:"unit,omitempty"` // byte, kbyte, halfsecond, boolean, ...
	// Type says when a change takes effect. D: at once, C: for connections made
	// later, I: at once, but it can only grow, M: for file systems mounted later,
	// R: at the next boot, B: after bosboot and a boot, S: never.
	Type string `json:"type,omitempty"`
	Line int    `json:"-"` // 1-based, of its name; 0 if not read from a text
}

// Find is the tunable of that name, or nil.
func (t *Tunables) Find(name string) *Tunable {
	for _, x := range t.Tunables {
		if x.Name == name {
			return x
		}
	}
	return nil
}
