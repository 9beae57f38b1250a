// Package remote runs commands on hosts: over SSH as the user's own ssh would,
// on this machine, or by replaying a saved snapshot. Nothing above this
// package knows which of the three it talks to.
package remote
