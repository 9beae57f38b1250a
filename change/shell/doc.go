// Package shell writes a plan's steps as functions of a POSIX shell script that
// AIX's ksh88, ksh93, mksh, dash and bash read alike.
//
// Whatever came from a host or a user is data: package shellword makes one word
// of it and Comment one line, so that no value can become a command. The two
// kinds of script that hold these functions are those a person runs by hand
// (package ticket) and the one that stays on a host to take a change back
// (package keeper).
package shell
