// Package tour walks a newcomer through a broken network in the lab: it says what comes, shows the command, waits, runs it as
// it was shown, and ends with what to type for hosts of one's own.
//
// The stops are data, in stops.go. Every command is the program's own, and runs as a process of its own, as a user would
// start it: what the tour shows is what the program does.
package tour
