// Package collection saves what hosts say in folders: of hosts that are named, of
// the partitions that an HMC lists, redacted if a key is given, with the round
// trips between them and an account of what a login without root cost.
package collection
