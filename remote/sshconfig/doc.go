// Package sshconfig answers what the user's own ssh would use for a host: the
// address, the user, the keys, the way through jump hosts, the known keys.
//
// It reads the files itself, with ssh's rules: Include inside blocks, Match by
// user, by exec and in the final pass, values that add up, words in quotes.
// A directive that would change how a host is reached, and that is not
// supported, is an error naming file and line: never silently passed over.
package sshconfig
