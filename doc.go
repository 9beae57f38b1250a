// Package seaworthy finds out why a network path through an IBM Power system
// is slow, what must change and in which order, makes the change reversibly,
// and measures whether it helped. The program is cmd/seaworthy; the packages
// and their order are in docs/architecture.md.
package seaworthy
