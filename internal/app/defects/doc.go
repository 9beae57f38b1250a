// Package defects holds the software and settings of hosts against the known defects,
// for the subcommand of that name.
package defects
