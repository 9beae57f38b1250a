// Package catalog is the one place where knowledge lives: attributes, rules
// and sources, as YAML embedded in the program, with a loader that checks
// them. The audit, the planner, the lab's ODM and the documentation are
// driven by it.
package catalog
