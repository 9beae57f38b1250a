// Package trust is how a hub and its collectors know each other: the certificates of a
// hub, the tokens with which zones and operators log in, and the TLS settings of both
// ends. A token pins the key of the hub's CA, so that no other machine can take the
// hub's place, and holds the seed of an nkey, of which the hub knows the public half.
package trust
