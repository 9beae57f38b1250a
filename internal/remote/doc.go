// Package remote runs commands on hosts: over SSH as the user's own ssh would,
// or on this machine. Nothing above this package knows which of the two it
// talks to.
package remote
