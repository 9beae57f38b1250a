// Package cli is the command line: one file a subcommand, which reads flags, makes
// one call into a package below, and prints the answer. The folder commands has what
// they say of themselves: usage, help, examples and flags.
//
// Results go to stdout, in the form -f asks for; everything else, progress
// and errors, goes to stderr. The exit status carries the answer:
//
//	0   done
//	1   the tool failed
//	2   the answer is "no": findings at or above --fail-on, changes pending, a regression
//	3   inconclusive
//	4   rolled back
//	64  usage
package cli
