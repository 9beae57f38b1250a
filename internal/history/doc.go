// Package history keeps what hosts said over time: raw outputs by their SHA-256,
// facts and findings as intervals, and the runs that changed hosts. It answers what
// held at a time, what changed between two times, and since when.
//
// One store holds it, in SQLite for one person and in PostgreSQL for a team, with the
// same statements. A fact that a snapshot did not show is not read from there on; it is
// never taken to hold on. Snapshots may come in any order: the intervals are the same.
package history
