// Package live turns readings of hosts into rates while somebody watches.
//
//	Watch ──Event──▶ Model ──Frame()──▶ Frame ──▶ terminal, table, JSON
//	         │                            ▲
//	         └──▶ Recorder ─file─▶ Replay ┘
//
// Watch reads every host whole once, then what counts every few seconds, and
// begins again with a host that went away. Model keeps, for each element, the
// counters of the last reading, the rates between the last two and the highest
// rates so far. Frame is the tree at one moment; it never changes.
//
// A rate that two readings do not give is absent, never zero. A counter that is
// lower than before began again: there is no rate until the next reading.
package live
