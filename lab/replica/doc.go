// Package replica makes the topology of a lab out of hosts that were read: a copy of a network, in
// which a plan can be tried before production. Of makes it; the text is a topology file that a
// person can edit. Nothing is guessed in silence: each Part of the copy says whether it is built as
// read, was assumed, stands in for what a lab does not have, or was left out, and why.
//
// The copy has the hosts' names, addresses and MACs, and lives in network namespaces only.
package replica
