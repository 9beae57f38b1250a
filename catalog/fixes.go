package catalog

import (
	"regexp"
	"slices"
)

var apar = regexp.MustCompile(`\bI[A-Z][0-9]{5}\b`)

// Fixes gives the APARs that the conditions of rules ask for, sorted.
func (c *Catalog) Fixes() []string {
	var all []string
	for _, r := range c.rules {
		for _, k := range r.Checks {
			all = append(all, apar.FindAllString(k.Condition, -1)...)
		}
	}
	slices.Sort(all)
	return slices.Compact(all)
}
