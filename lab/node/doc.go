// Package node is what a lab node's shell finds: the commands of AIX and VIOS,
// answered from the node's device database and the kernel's counters.
//
// A command is either served (runs in the lab's supervisor, where every
// node's database is) or local (runs in the calling process, in the node's own
// namespaces: whatever sends traffic, lab/traffic).
//
// Simulator is all that served commands see: the topology, a database per node
// (package odm), and the kernel behind a few functions, so that tests run
// without namespaces. Served gives the commands by name, AIXOnly those of them
// that ioscli does not have; Call.VIOS distinguishes the ioscli form from AIX's.
//
// A change goes in three steps: the database's method checks and writes it,
// effect.Desired says what the kernel should be now, Apply makes it so. If the
// kernel refuses, the database gets its copy back and the command fails with
// the kernel's words behind AIX's message number.
//
// What can be read back is read back: ifconfig's flags and addresses,
// netstat's MTU and counters, entstat's link come from the kernel, lsattr from
// the database. So a value set with ifconfig, or pending with -P, shows as the
// same disagreement that it is on AIX. What nobody measures is not printed:
// no zero stands for an unknown. AIX's message numbers are used where public
// documents show them; where none is known, the text stands alone.
package node
