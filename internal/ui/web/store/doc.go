// Package store reads folders of snapshots and results, audits them, and reads
// them again when they changed.
//
//	folders ─walk─▶ stamp ─changed?─▶ read ─▶ pair ─▶ audit ─▶ State
//
// A State is what is known at one moment; it never changes. While the first one
// is being made, State gives the hosts that were read so far. Anyone who asks for
// it also has the folders looked at again, at most every few seconds.
package store
