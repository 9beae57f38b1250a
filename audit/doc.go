// Package audit judges an inventory by the catalogue's rules. A rule's verdict
// on an element is a finding: PASS, FINDING, NOT_ASSESSED with what is
// missing, or NOT_APPLICABLE.
package audit
