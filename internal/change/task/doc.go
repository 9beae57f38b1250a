// Package task holds the one place that knows the command lines of AIX, VIOS
// and Linux: a Task says what is to become of an element of a host, and the
// program that checks, does, verifies and undoes it follows from that alone.
// How Linux's network managers keep a value says the table of
// inventory/netmanager. A plan that comes from a file is held against what
// follows; see Task.Check.
//
// Three carriers take the same task: change/execute runs its lines over a
// session, change/watchdog and change/ticket write it as functions of a POSIX
// shell script that AIX's ksh88, ksh93, mksh, dash and bash read alike.
//
// Whatever came from a host, a file or a user is data: package shellword makes
// one word of it and Comment one line, so that no value can become a command.
//
// A new kind of step is a field of Task that says what is wanted, and its lines
// in derive.
package task
