// Package faultcases breaks labs and asks seaworthy diagnose for the cause: every
// kind of fault of lab break, on every built-in topology, at places along the
// path between two partitions, with a transfer over it and without, one fault at
// a time and several. It says how often the true cause came first, and how often
// among the first three; on a lab in order nothing must be found.
//
// There is no code here to use: its test is run with make diagnose-cases N=150
// SEED=1. The same seed gives the same cases.
package faultcases
