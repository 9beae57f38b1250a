// Package diff says what changed between two readings of the same hosts:
// settings, levels, how elements are joined, which of a pair carries the traffic,
// links, findings, and by how much error counters grew.
//
// What only one of the two readings holds is not a change: a value that was not read
// is unknown. It is listed as such, so that a diff without changes does not read
// as health where a host stopped answering.
package diff
