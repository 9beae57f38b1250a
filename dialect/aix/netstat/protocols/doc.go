// Package protocols reads and prints AIX protocol statistics: netstat -s and
// netstat -p PROTOCOL.
//
// The text is a tree: a protocol, its counters, and below some of them counters
// that split them up, by indentation. A counter is keyed by its wording, which
// turns singular when the number is one; Key makes both the same. The same
// wording occurs below different parents ("window update packets" sent and
// received), so a key that is not unique must name its parent.
//
// Older counters are 32 bits wide: they wrap, and some are printed with a
// minus. Such a number is kept and marked, and never given out as a count.
package protocols
