// Package sshconfig answers what the user's own ssh would use for a host: the
// address, the user, the keys, the way through jump hosts, the known keys.
//
// The user's own ssh says it: "ssh -G" prints the settings that hold for a host
// after Include, Match and defaults. What it leaves to later, tokens in the names
// of keys and in ProxyCommand, is replaced here. A directive that would change how
// a host is reached, and that is not supported, is an error: never passed over.
package sshconfig
