// Package commands has the commands that a lab's nodes answer, a file for each:
// those of AIX, of a VIOS's ioscli, and tools that send traffic. table.go lists
// them with the function that runs them.
//
// A command is served: it runs in the lab's supervisor, where every node's database
// is; or local: it runs in the calling process, in the node's own namespaces.
//
// What can be read back is read back: ifconfig's flags and addresses, netstat's MTU
// and counters, entstat's link come from the kernel, lsattr from the database. So a
// value set with ifconfig, or pending with -P, shows as the same disagreement that it
// is on AIX. What nobody measures is not printed: no zero stands for an unknown.
// AIX's message numbers are used where public documents show them; where none is
// known, the text stands alone.
package commands
