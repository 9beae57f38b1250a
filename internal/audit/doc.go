// Package audit judges an inventory by the catalogue's rules. A rule's verdict
// on an element is a finding: PASS, FINDING, NOT_ASSESSED with what is
// missing, or NOT_APPLICABLE. This package compares what hosts say of an
// attribute with the catalogue; judging is done by
//
//	finding   verdicts, groups by cause, missing facts
//	growth    what counters gained between two snapshots
//	graph     the elements of a fleet and how they are connected
//	expr      CEL expressions over them, with unknown values
//	rule      rules: compiled, held against a fleet, tested by their cases
//	waiver    findings that a site lives with
//
// and each uses only those above it. Rules are data (package catalog); they
// use the properties and functions that package expr lists. A rule is added
// without Go: docs/recipes/rule.md.
//
// One wrong setting is one finding, and findings of one cause are a Group. A
// rule may say which others' findings it explains: those on its element, or on
// what it affects, become part of it.
package audit
